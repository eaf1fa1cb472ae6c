/** Encrypts frames as a LiveKit client in a browser does, by WebCrypto: the other side of src/media/frame-cipher.ts. */
import { webcrypto } from 'node:crypto';

const { subtle } = webcrypto;
const keys = new Map<string, Promise<webcrypto.CryptoKey>>();

async function deriveKey(password: string): Promise<webcrypto.CryptoKey> {
  const text = new TextEncoder();
  const material = await subtle.importKey('raw', text.encode(password), 'PBKDF2', false, ['deriveKey']);
  const derivation = {
    name: 'PBKDF2',
    salt: text.encode('LKFrameEncryptionKey'),
    iterations: 100_000,
    hash: 'SHA-256',
  };
  return subtle.deriveKey(derivation, material, { name: 'AES-GCM', length: 128 }, false, ['encrypt']);
}

export async function sealFrame(frame: Uint8Array, password: string, keyIndex = 0): Promise<Uint8Array> {
  const key = keys.get(password) ?? deriveKey(password);
  keys.set(password, key);
  const iv = webcrypto.getRandomValues(new Uint8Array(12));
  const clear = frame.slice(0, 1);
  const sealed = await subtle.encrypt({ name: 'AES-GCM', iv, additionalData: clear }, await key, frame.slice(1));
  return Uint8Array.from([...clear, ...new Uint8Array(sealed), ...iv, iv.length, keyIndex]);
}
