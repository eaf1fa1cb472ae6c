/** Encrypts and opens frames that are encrypted end to end, by Web Crypto: what `../media/frame-cipher.ts` is for Node.js. */
import type { RoomKey } from '../client/room/room-access.js';
import { ivBytes, joinFrame, keyDerivation, partsOf, splitClear } from '../media/frame-layout.js';

export interface FrameKey {
  /** A CryptoKey, as browsers and Node.js both have it. */
  readonly secret: Awaited<ReturnType<typeof crypto.subtle.importKey>>;
  readonly keyIndex: number;
}

export async function deriveKey({ password, keyIndex }: RoomKey): Promise<FrameKey> {
  const { salt, iterations, keyBytes } = keyDerivation;
  const text = new TextEncoder();
  const material = await crypto.subtle.importKey('raw', text.encode(password), 'PBKDF2', false, ['deriveKey']);
  const derivation = { name: 'PBKDF2', salt: text.encode(salt), iterations, hash: 'SHA-256' };
  const cipher = { name: 'AES-GCM', length: keyBytes * 8 };
  const secret = await crypto.subtle.deriveKey(derivation, material, cipher, false, ['encrypt', 'decrypt']);
  return { secret, keyIndex };
}

export async function sealFrame(
  { secret, keyIndex }: FrameKey,
  frame: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const { clear, body } = splitClear(frame);
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: clear }, secret, body);
  return joinFrame({ clear, sealed: new Uint8Array(sealed), iv, keyIndex });
}

/** Null when the frame is not sealed with this key, or was altered. */
export async function openFrame(
  { secret, keyIndex }: FrameKey,
  frame: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const parts = partsOf(frame);
  if (parts === null || parts.keyIndex !== keyIndex) return null;
  const { clear, sealed, iv } = parts;
  try {
    const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData: clear }, secret, sealed);
    return Uint8Array.from([...clear, ...new Uint8Array(opened)]);
  } catch {
    return null;
  }
}
