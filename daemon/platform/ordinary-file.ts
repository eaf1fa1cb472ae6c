/** Reads files that settings and options name. */
import { readFileSync, statSync } from 'node:fs';

const mebibyte = 1024 * 1024;
const sizeMax = 16 * mebibyte;

/** Throws where it is no ordinary file: a device may have no end, and a pipe waits for somebody who writes into it. */
export function readOrdinaryFile(path: string): Buffer {
  const stat = statSync(path);
  if (!stat.isFile()) throw new Error('it is not a regular file');
  if (stat.size > sizeMax) throw new Error(`it is larger than ${sizeMax / mebibyte} MiB`);
  return readFileSync(path);
}
