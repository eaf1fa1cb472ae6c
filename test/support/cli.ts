/**
 * Runs the commands of the built `earshot` in this process, as `bin/earshot.js` does in one of its own: starting Node for
 * each would be most of what a test of many commands does. One after the other; signals are for tests that start it.
 */
import { createRequire } from 'node:module';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { runCommand } from '../../src/cli/run.js';

const resolve = (name: string): string => pathToFileURL(createRequire(import.meta.url).resolve(name)).href;
const program = resolve('../../bin/earshot.js');
/** The very module that its commands load, so that their errors are of the classes it knows. */
const built: { readonly runCommand: typeof runCommand } = await import(resolve('#dist/src/cli/run.js'));

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  /** What comes on standard input, which is no terminal. */
  readonly input?: string;
  /** Nothing else of this process's environment is seen. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether standard output is one. */
  readonly isTerminal?: boolean;
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

export async function earshot(
  args: readonly string[],
  { input = '', env = {}, isTerminal = false }: CliOptions = {},
): Promise<Ended> {
  const [stdout, stderr] = [new Paper(isTerminal), new Paper(isTerminal)];
  const { log, error } = console;
  const restore = replace({ stdin: Readable.from(input === '' ? [] : [input]), stdout, stderr, env: { ...env } });
  console.log = (text = '') => void stdout.write(`${text}\n`);
  console.error = (text = '') => void stderr.write(`${text}\n`);
  try {
    await built.runCommand([...args], program);
    return { code: Number(process.exitCode ?? 0), stdout: stdout.text, stderr: stderr.text };
  } finally {
    restore();
    Object.assign(console, { log, error });
    process.exitCode = undefined;
  }
}
