/** A file of sanctions, as the command line reads it. */
import { createHash } from 'node:crypto';
import { type BatchLines, batchLines } from '../../files/batch-lines.js';
import { daemonNow } from '../typed/daemon-clock.js';
import { readText } from './read-text.js';

export interface BatchFile extends BatchLines {
  /** Derived from the content, so that sending the same file again continues the same batch. */
  readonly name: string;
}

/** Reads a file, or standard input where the path is `-`. Throws UsageError where there is none. */
export const readBatch = async (path: string): Promise<BatchFile> => batchIn(await readText(path), path);

/** Reads the content of a file. */
export function batchIn(content: string, path: string): BatchFile {
  const name = createHash('sha256').update(content.trimEnd()).digest('hex').slice(0, 16);
  return { name, ...batchLines(content, path, daemonNow()) };
}
