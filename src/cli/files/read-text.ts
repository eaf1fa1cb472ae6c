/** Reads the text files that people name in commands. */
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { UsageError } from '../../terminal/usage-error.js';
import { decodeText, NotText } from '../../text/decode-text.js';
import { reasonOf } from './write-out.js';

/** Name of the file in messages. */
export const nameOf = (path: string): string => (path === '-' ? 'standard input' : path);

/** Reads a file, or standard input where the path is `-`. Throws UsageError. */
export async function readText(path: string): Promise<string> {
  const bytes = await (path === '-' ? buffer(process.stdin) : readFile(path)).catch((cause: unknown) => {
    throw new UsageError(`The file ${path} cannot be read: ${reasonOf(cause, 'there is no such file')}.`, { cause });
  });
  try {
    return decodeText(bytes);
  } catch (cause) {
    if (cause instanceof NotText) throw new UsageError(`${nameOf(path)}:${cause.line}: ${cause.message}`, { cause });
    throw cause;
  }
}
