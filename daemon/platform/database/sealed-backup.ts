/** Backups that are encrypted by age (age-encryption.org), as their name says. */
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';
import { Refused } from '../refused.js';

export const sealedEnding = '.age';
const ownerMode = 0o600;
const identityLine = /^AGE-SECRET-KEY-1[0-9A-Z]+$/;

type Bytes = globalThis.ReadableStream<Uint8Array>;
const bytesOf = (path: string) => Readable.toWeb(createReadStream(path)) as unknown as Bytes;
const write = (content: Bytes, target: string) =>
  pipeline(Readable.fromWeb(content as unknown as ReadableStream), createWriteStream(target, { mode: ownerMode }));

/** Writes what only the identity of the recipient opens. */
export async function seal(plain: string, sealed: string, recipient: string): Promise<void> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  await write(await encrypter.encrypt(bytesOf(plain)), sealed);
}

/**
 * Throws Refused where none of the identities opens it, or it is damaged.
 *
 * @param identities lines of an identity file of age; undefined: there is none
 */
export async function unseal(sealed: string, plain: string, identities: string | undefined): Promise<void> {
  const lines = (identities ?? '').split(/\s+/).filter((line) => identityLine.test(line));
  if (lines.length === 0)
    throw new Refused(
      `${sealed} is encrypted by age. Name the file with its identity (AGE-SECRET-KEY-1…) by --identity, or set EARSHOT_BACKUP_IDENTITY_FILE.`,
    );
  const decrypter = new Decrypter();
  for (const line of lines) decrypter.addIdentity(line);
  try {
    await write(await decrypter.decrypt(bytesOf(sealed)), plain);
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause) throw cause;
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new Refused(`${sealed} cannot be decrypted, or is damaged: ${problem}.`, { cause });
  }
}
