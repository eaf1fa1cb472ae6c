/**
 * Encrypts and decrypts end-to-end encrypted frames, in LiveKit's public layout: the first byte in clear (and
 * authenticated), AES-128-GCM, then IV (12 bytes), its length and the index of the key. Speakers, listeners and the
 * daemon's bot share it. Frames that do not verify are never passed on. Imports nothing else of the repository.
 */
import { createCipheriv, createDecipheriv, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

const clearBytes = 1;
const tagBytes = 16;
const ivBytes = 12;
const trailerBytes = ivBytes + 2;
const keyBytes = 16;
/** LiveKit's: every client derives the same key from the same password. */
const salt = 'LKFrameEncryptionKey';
const iterations = 100_000;

export class FrameCipher {
  private readonly keys = new Map<number, Buffer>();

  /** Adds or replaces the key of this index (0–255). Derivation takes about 50 ms, outside the event loop. */
  async addPassword(password: string, keyIndex = 0): Promise<void> {
    this.keys.set(keyIndex, await promisify(pbkdf2)(password, salt, iterations, keyBytes, 'sha256'));
  }

  /** The frame encrypted with the key of this index, 30 bytes longer. Throws when there is no such key. */
  seal(frame: Uint8Array, keyIndex: number): Buffer {
    const key = this.keys.get(keyIndex);
    if (key === undefined) throw new Error(`There is no key of index ${keyIndex}.`);
    const clear = frame.subarray(0, clearBytes);
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-128-gcm', key, iv).setAAD(clear);
    const body = [cipher.update(frame.subarray(clearBytes)), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat([clear, ...body, iv, Uint8Array.of(ivBytes, keyIndex)]);
  }

  /** The decrypted frame, or null when it was not encrypted with one of these keys, or was altered. */
  open(frame: Uint8Array): Uint8Array | null {
    const end = frame.length - trailerBytes;
    const key = this.keys.get(frame.at(-1) ?? -1);
    if (key === undefined || frame.at(-2) !== ivBytes || end < clearBytes + tagBytes) return null;
    const decipher = createDecipheriv('aes-128-gcm', key, frame.subarray(end, end + ivBytes));
    decipher.setAAD(frame.subarray(0, clearBytes));
    decipher.setAuthTag(frame.subarray(end - tagBytes, end));
    try {
      const body = decipher.update(frame.subarray(clearBytes, end - tagBytes));
      decipher.final(); // throws unless the tag is right
      return Buffer.concat([frame.subarray(0, clearBytes), body]);
    } catch {
      return null;
    }
  }
}
