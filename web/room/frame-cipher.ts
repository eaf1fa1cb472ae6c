/**
 * Frames in LiveKit's public layout, as the library's FrameCipher makes them: the first byte in clear (and authenticated),
 * AES-128-GCM, then IV (12 bytes), its length and the index of the key.
 */
const clearBytes = 1;
const ivBytes = 12;
const trailerBytes = ivBytes + 2;
const salt = 'LKFrameEncryptionKey';
const iterations = 100_000;

/** What the link to an encrypted room carries. The index (0–255) tells the keys of a room apart. */
export interface RoomKey {
  readonly password: string;
  readonly index: number;
}

export interface FrameKey {
  /** A CryptoKey, as browsers and Node.js both have it. */
  readonly secret: Awaited<ReturnType<typeof crypto.subtle.importKey>>;
  readonly index: number;
}

export async function deriveKey({ password, index }: RoomKey): Promise<FrameKey> {
  const text = new TextEncoder();
  const material = await crypto.subtle.importKey('raw', text.encode(password), 'PBKDF2', false, ['deriveKey']);
  const derivation = { name: 'PBKDF2', salt: text.encode(salt), iterations, hash: 'SHA-256' };
  const cipher = { name: 'AES-GCM', length: 128 };
  const secret = await crypto.subtle.deriveKey(derivation, material, cipher, false, ['encrypt', 'decrypt']);
  return { secret, index };
}

export async function sealFrame(
  { secret, index }: FrameKey,
  frame: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
  const clear = frame.subarray(0, clearBytes);
  const parameters = { name: 'AES-GCM', iv, additionalData: clear };
  const sealed = await crypto.subtle.encrypt(parameters, secret, frame.subarray(clearBytes));
  return Uint8Array.from([...clear, ...new Uint8Array(sealed), ...iv, ivBytes, index]);
}

/** Null when the frame is not sealed with this key, or was altered. */
export async function openFrame(
  { secret, index }: FrameKey,
  frame: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const end = frame.length - trailerBytes;
  if (end <= clearBytes || frame.at(-2) !== ivBytes || frame.at(-1) !== index) return null;
  const clear = frame.subarray(0, clearBytes);
  const parameters = { name: 'AES-GCM', iv: frame.subarray(end, end + ivBytes), additionalData: clear };
  try {
    const opened = await crypto.subtle.decrypt(parameters, secret, frame.subarray(clearBytes, end));
    return Uint8Array.from([...clear, ...new Uint8Array(opened)]);
  } catch {
    return null;
  }
}
