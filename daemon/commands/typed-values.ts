/** Files and numbers that operators name on the command line. */

import { UsageError } from '../../src/terminal/usage-error.js';
import { decodeText, NotText } from '../../src/text/decode-text.js';
import { readOrdinaryFile } from '../platform/ordinary-file.js';

/** Reads a text file. Throws UsageError. */
export function textOfFile(path: string): string {
  try {
    return decodeText(readOrdinaryFile(path));
  } catch (cause) {
    if (cause instanceof NotText) throw new UsageError(`${path}:${cause.line}: ${cause.message}`, { cause });
    throw new UsageError(`${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** Digits alone. Throws UsageError. */
export function wholeNumberOf(flag: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new UsageError(`${flag} takes a whole number from ${min} to ${max}, not ${text}.`);
  return value;
}
