/**
 * Encrypts and decrypts end-to-end encrypted frames in Node.js, where it must not wait. Speakers, listeners and the
 * daemon's bot share it. Frames that do not verify are never passed on.
 */
import { createCipheriv, createDecipheriv, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { ivBytes, joinFrame, keyDerivation, partsOf, splitClear, splitTag } from './frame-layout.js';

const algorithm = 'aes-128-gcm';

export class FrameCipher {
  private readonly keys = new Map<number, Buffer>();

  /** Adds or replaces the key of this index (0–255). Derivation takes about 50 ms, outside the event loop. */
  async addPassword(password: string, keyIndex = 0): Promise<void> {
    const { salt, iterations, keyBytes } = keyDerivation;
    this.keys.set(keyIndex, await promisify(pbkdf2)(password, salt, iterations, keyBytes, 'sha256'));
  }

  /** The frame encrypted with the key of this index, 30 bytes longer. Throws when there is no such key. */
  seal(frame: Uint8Array, keyIndex: number): Uint8Array {
    const key = this.keys.get(keyIndex);
    if (key === undefined) throw new Error(`There is no key of index ${keyIndex}.`);
    const { clear, body } = splitClear(frame);
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, key, iv).setAAD(clear);
    const sealed = Buffer.concat([cipher.update(body), cipher.final(), cipher.getAuthTag()]);
    return joinFrame({ clear, sealed, iv, keyIndex });
  }

  /** The decrypted frame, or null when it was not encrypted with one of these keys, or was altered. */
  open(frame: Uint8Array): Uint8Array | null {
    const parts = partsOf(frame);
    const key = this.keys.get(parts?.keyIndex ?? -1);
    if (parts === null || key === undefined) return null;
    const { body, tag } = splitTag(parts.sealed);
    const decipher = createDecipheriv(algorithm, key, parts.iv).setAAD(parts.clear).setAuthTag(tag);
    try {
      const opened = decipher.update(body);
      decipher.final(); // throws unless the tag is right
      return Buffer.concat([parts.clear, opened]);
    } catch {
      return null;
    }
  }
}
