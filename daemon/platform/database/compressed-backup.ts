/** Backups that are compressed by gzip, as their name says. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { Refused } from '../refused.js';
import { partialEnding } from './copy-before.js';

export const compressedEnding = '.gz';
const ownerMode = 0o600;

/** Writes the compressed copy and reads it again. Throws Refused where it is not what was written. */
export async function compress(plain: string, packed: string): Promise<void> {
  await pipeline(createReadStream(plain), createGzip(), createWriteStream(packed, { mode: ownerMode }));
  const read = createReadStream(packed);
  const [before, after] = [await digestOf(createReadStream(plain)), await digestOf(read.pipe(createGunzip()), read)];
  if (before !== after) throw new Refused(`${packed} is not what was written. Look at the disk.`);
}

async function digestOf(content: Readable, source: Readable = content): Promise<string> {
  const hash = createHash('sha256');
  source.on('error', (error) => content.destroy(error));
  for await (const part of content) hash.update(part);
  return hash.digest('hex');
}

/**
 * Hands a backup on as a database; of a compressed one a copy in `folder`, which is gone afterwards. Throws Refused where
 * it cannot be read, and what `use` throws.
 */
export async function withPlainBackup<T>(
  source: string,
  folder: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const isPacked = source.endsWith(compressedEnding) && statSync(source, { throwIfNoEntry: false })?.isFile() === true;
  if (!isPacked) return use(source);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const plain = join(folder, basename(source, compressedEnding) + partialEnding);
  try {
    await unpack(source, plain);
    return await use(plain);
  } finally {
    for (const ending of ['', '-wal', '-shm']) rmSync(plain + ending, { force: true });
  }
}

async function unpack(source: string, target: string): Promise<void> {
  try {
    await pipeline(createReadStream(source), createGunzip(), createWriteStream(target, { mode: ownerMode }));
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_'))) throw cause;
    throw new Refused(`${source} is no compressed backup, or is damaged: ${cause.message}.`, { cause });
  }
}
