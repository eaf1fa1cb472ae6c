/** Runs one action for many names or requests, one in each line of a file or of standard input. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { UsageError } from '../../terminal/usage-error.js';
import { exitCodeOf, printFailure } from '../run.js';

/** Yields the lines that are not empty, of a file or, with `-`, of standard input. Throws UsageError. */
export async function* linesOfFile(path: string): AsyncGenerator<string, void> {
  const input = path === '-' ? process.stdin : createReadStream(path, 'utf8');
  try {
    for await (const line of createInterface({ input })) if (line.trim() !== '') yield line.trim();
  } catch (cause) {
    throw new UsageError(`The file ${path} cannot be read.`, { cause });
  }
}

/**
 * Does the work for each. A refused one does not stop the others: it is printed on stderr, and the first refusal decides the
 * exit code.
 */
export async function forEach<T>(
  all: AsyncIterable<string> | Iterable<string>,
  work: (one: string) => Promise<T>,
  { json: isJson = false }: { readonly json?: boolean | undefined },
): Promise<T[]> {
  const done: T[] = [];
  for await (const one of all) {
    try {
      done.push(await work(one));
    } catch (error) {
      process.exitCode ??= exitCodeOf(error);
      printFailure(error, { isJson, of: one });
    }
  }
  return done;
}
