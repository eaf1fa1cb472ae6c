/** Runs a program of the system to its end. */
import { type ChildProcess, execFile } from 'node:child_process';
import { createInterface } from 'node:readline';

const outputMaxBytes = 32 * 1024 * 1024;

interface CommandOptions {
  cwd?: string;
  timeoutMs?: number;
  /** Told each line of its output and of its complaints as it comes. */
  onLine?: (line: string) => void;
  /** Ends it. */
  signal?: AbortSignal;
}

/** A program that is missing, failed, or took too long; `message` ends with the last lines of its output. */
export class CommandFailed extends Error {}

/** Runs a program and returns what it printed, in the C locale, whose messages can be parsed. Throws CommandFailed. */
export function run(program: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const { cwd, timeoutMs: timeout = 60_000, signal } = options;
  const settings = { cwd, timeout, signal, maxBuffer: outputMaxBytes };
  return new Promise((resolve, reject) => {
    const child = execFile('env', ['LC_ALL=C', program, ...args], settings, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const lastWords = stderr.trim().split('\n').at(-1) || error.message;
      reject(new CommandFailed(`${program} ${args[0] ?? ''}: ${lastWords}`, { cause: error }));
    });
    for (const input of [child.stdout, child.stderr])
      if (options.onLine !== undefined && input !== null) createInterface({ input }).on('line', options.onLine);
    endTogether(child);
  });
}

/** Passes on the signals that end this process, which the program would outlive. */
function endTogether(child: ChildProcess): void {
  const end = (signal: NodeJS.Signals): void => {
    child.kill(signal);
    process.kill(process.pid, signal); // nobody listens any more: it ends as without this
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, end);
    child.once('close', () => process.off(signal, end));
  }
}
