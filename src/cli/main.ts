/** The program `earshot`. What the build has made ready is printed at once; the rest is `run.ts`, for which oclif is loaded. */
import { existsSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { versionIn } from '../names/version.js';
import { loadBundle } from '../start/compiled-bundle.js';
import type * as Complete from './completion/complete.js';
import type * as ReadyHelp from './ready-help.js';
import type * as Run from './run.js';

/** Uses that print help, or what is wrong. */
const noCommand: ReadonlySet<string> = new Set(['help', 'other']);

/** @param root folder of the package */
export function main(argv: readonly string[], root: string): void {
  const folder = join(root, 'dist/cli/');
  if (argv[0] === '__complete') {
    const { complete } = loadBundle({ folder, buildFile: 'build' }, 'complete.cjs', 'complete') as typeof Complete;
    try {
      process.stdout.write(complete(argv.slice(1), root));
    } catch {
      // A shell that completes a line wants candidates or nothing.
    }
    return;
  }
  if (argv.length === 1 && argv[0] === '--version') {
    printShort(`earshot ${versionIn(root)}\n`);
    return;
  }
  const use = useOf(argv, folder);
  const help = noCommand.has(use) ? helpOf(argv, root) : null;
  if (help !== null) {
    print(help);
    return;
  }
  const { runCli } = loadBundle({ folder, buildFile: 'build' }, 'run.cjs', use) as typeof Run;
  void runCli([...argv], root);
}

function print(text: string): void {
  // The reader of the output may have closed it.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  process.stdout.write(text);
}

/** Loading the stream of standard output takes longer than all the rest. */
function printShort(text: string): void {
  try {
    writeSync(1, text);
  } catch {
    print(text);
  }
}

function helpOf(argv: readonly string[], root: string): string | null {
  const { readyHelp }: typeof ReadyHelp = createRequire(root)(join(root, 'dist/start/ready-help.cjs'));
  return readyHelp(argv, join(root, 'dist/cli/'));
}

/** The command that the arguments begin with. */
function useOf(argv: readonly string[], folder: string): string {
  if (argv.includes('--help')) return 'help';
  const end = argv.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
  const words = argv.slice(0, end === -1 ? 3 : Math.min(end, 3));
  for (; words.length > 0; words.pop())
    if (existsSync(`${join(folder, 'commands', ...words)}.cjs`)) return words.join('/');
  return 'other';
}
