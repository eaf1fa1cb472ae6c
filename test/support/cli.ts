/**
 * Runs the commands of the built `earshot` in this process, as `bin/earshot.js` does in one of its own: starting Node for
 * each would be most of what a test of many commands does. One after the other; signals are for tests that start it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { runCommand } from '../../src/cli/run.js';
import type { VirtualTerminal } from './virtual-terminal.js';

const require = createRequire(import.meta.url);
const root = dirname(require.resolve('#package'));
/** The very module that its commands load, so that their errors are of the classes it knows. */
const built: { readonly runCommand: typeof runCommand } = require('#dist/cli/run.cjs');

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface CliOptions {
  /** Standard input, which is no terminal. */
  readonly input?: string | Buffer;
  /** Nothing else of this process's environment is seen. */
  readonly env?: Readonly<Record<string, string>>;
  /** True if standard output is a terminal. */
  readonly isTerminal?: boolean;
  /** It is asked and answered on this one, and all three streams are its own. */
  readonly terminal?: VirtualTerminal;
}

/** Keeps what is written. */
class Paper extends Writable {
  text = '';
  constructor(readonly isTTY: boolean) {
    super({
      decodeStrings: false,
      write: (chunk, _encoding, done) => {
        this.text += String(chunk);
        done();
      },
    });
  }
}

/** A colour, or the mark of one, that was made safe for the terminal like the text of others. */
const colourAsText = /\\u001b\[\d*m|\\ufdd[01]|[\ufdd0\ufdd1]/;

/** Puts values in the place of the process's own, and returns what puts them back. */
function replace(values: Readonly<Record<string, unknown>>): () => void {
  const before = Object.keys(values).map((name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const);
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(process, name, { value, configurable: true, writable: true });
  return () => {
    for (const [name, descriptor] of before)
      if (descriptor !== undefined) Object.defineProperty(process, name, descriptor);
  };
}

async function earshot(
  args: readonly string[],
  { input = '', env = {}, isTerminal = false, terminal }: CliOptions = {},
): Promise<Ended> {
  const [stdout, stderr] =
    terminal === undefined ? [new Paper(isTerminal), new Paper(isTerminal)] : [terminal.stdout, terminal.stdout];
  const stdin = terminal?.stdin ?? Readable.from(input === '' ? [] : [input]);
  const { log, error } = console;
  const restore = replace({ stdin, stdout, stderr, env: { ...env } });
  console.log = (text = '') => void stdout.write(`${text}\n`);
  console.error = (text = '') => void stderr.write(`${text}\n`);
  try {
    await built.runCommand([...args], root);
    const [printed, reported] = [stdout, stderr].map((one) =>
      one instanceof Paper ? one.text : (terminal?.screen ?? ''),
    );
    const ended = { code: Number(process.exitCode ?? 0), stdout: printed ?? '', stderr: reported ?? '' };
    if (colourAsText.test(ended.stdout + ended.stderr))
      throw new Error(`A colour is shown as text: ${printed}${reported}`);
    return ended;
  } finally {
    restore();
    Object.assign(console, { log, error });
    process.exitCode = undefined;
  }
}

/** oclif looks at the terminal once, when its help is loaded: for the suites of this process there is none. */
let helpLoaded: Promise<unknown> | undefined;

export interface CommandLine {
  run(args: readonly string[], options?: CliOptions): Promise<Ended>;
  /** Returns the output with --json of a command that has to succeed. */
  json<T>(args: readonly string[], options?: CliOptions): Promise<T>;
  /** Folder with its profiles. */
  readonly config: string;
  dispose(): void;
}

/** The command line of one person, with a configuration folder of its own. */
export function commandLine(env: () => Readonly<Record<string, string>> = () => ({})): CommandLine {
  const config = mkdtempSync(join(tmpdir(), 'earshot-cli-'));
  const run = async (args: readonly string[], { env: more = {}, ...options }: CliOptions = {}) => {
    helpLoaded ??= earshot(['--json', '--help'], { env: { XDG_CONFIG_HOME: config } });
    await helpLoaded;
    return earshot(args, { ...options, env: { XDG_CONFIG_HOME: config, ...env(), ...more } });
  };
  return {
    run,
    config,
    async json(args, options) {
      const { code, stdout, stderr } = await run([...args, '--json'], options);
      if (code !== 0) throw new Error(stderr);
      return JSON.parse(stdout);
    },
    dispose: () => rmSync(config, { recursive: true, force: true }),
  };
}
