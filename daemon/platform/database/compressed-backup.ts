/** Backups that are compressed by gzip, and maybe encrypted, as their name says. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { Refused } from '../refused.js';
import { sealedEnding, unseal } from './sealed-backup.js';

export const compressedEnding = '.gz';
const ownerMode = 0o600;
const partialPrefix = 'unpacked-';

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
 * Hands a backup on as a database; of a compressed or encrypted one a copy in `folder`, which is gone afterwards. Throws
 * Refused where it cannot be read, and what `use` throws.
 *
 * @param identities lines of an identity file of age, for an encrypted one
 */
export async function withPlainBackup<T>(
  source: string,
  folder: string,
  use: (path: string) => Promise<T>,
  identities?: string,
): Promise<T> {
  const ending = [sealedEnding, compressedEnding].find((one) => source.endsWith(one));
  const isPacked = ending !== undefined && statSync(source, { throwIfNoEntry: false })?.isFile() === true;
  if (!isPacked) return use(source);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The ending of what is inside stays at the end: a sealed backup may be a compressed one.
  const plain = join(folder, `${partialPrefix}${basename(source, ending)}`);
  try {
    await (ending === sealedEnding ? unseal(source, plain, identities) : unpack(source, plain));
    return await withPlainBackup(plain, folder, use, identities);
  } finally {
    for (const journal of ['', '-wal', '-shm']) rmSync(plain + journal, { force: true });
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
