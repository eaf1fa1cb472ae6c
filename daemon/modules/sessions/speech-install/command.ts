/** Runs a program of the system to its end. */
import { execFile } from 'node:child_process';

const outputMaxBytes = 32 * 1024 * 1024;

interface CommandOptions {
  cwd?: string;
  timeoutMs?: number;
}

/** A program that is missing, failed, or took too long; `message` ends with the last lines of its output. */
export class CommandFailed extends Error {}

/** Runs a program and returns what it printed, in the C locale, whose messages can be parsed. Throws CommandFailed. */
export function run(program: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const settings = { cwd: options.cwd, timeout: options.timeoutMs ?? 60_000, maxBuffer: outputMaxBytes };
  return new Promise((resolve, reject) => {
    execFile('env', ['LC_ALL=C', program, ...args], settings, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const lastWords = stderr.trim().split('\n').at(-1) || error.message;
      reject(new CommandFailed(`${program} ${args[0] ?? ''}: ${lastWords}`, { cause: error }));
    });
  });
}
