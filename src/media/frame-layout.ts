/**
 * Frames that are encrypted end to end, in LiveKit's public layout: the first byte in clear (and authenticated),
 * AES-128-GCM with its tag, then IV (12 bytes), its length and the index of the key. The cipher differs by platform
 * (`frame-cipher.ts`, `browser/frame-cipher.ts`); what a frame looks like is stated here alone. Imports nothing.
 */
const clearBytes = 1;
const tagBytes = 16;
export const ivBytes = 12;
const trailerBytes = ivBytes + 2;

/** LiveKit's: every client derives the same key from the same password, by PBKDF2 with SHA-256. */
export const keyDerivation = { salt: 'LKFrameEncryptionKey', iterations: 100_000, keyBytes: 16 } as const;

interface FrameParts<B extends ArrayBufferLike = ArrayBufferLike> {
  readonly clear: Uint8Array<B>;
  /** The ciphertext with its tag (16 bytes) behind it. */
  readonly sealed: Uint8Array<B>;
  readonly iv: Uint8Array<B>;
  readonly keyIndex: number;
}

/** Splits a frame into the bytes that stay in clear and those to be encrypted. */
export const splitClear = <B extends ArrayBufferLike>(frame: Uint8Array<B>) => ({
  clear: frame.subarray(0, clearBytes),
  body: frame.subarray(clearBytes),
});

/** A sealed frame: 30 bytes longer than it was in clear. */
export function joinFrame({ clear, sealed, iv, keyIndex }: FrameParts): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(clear.length + sealed.length + trailerBytes);
  frame.set(clear);
  frame.set(sealed, clear.length);
  frame.set(iv, clear.length + sealed.length);
  frame.set([ivBytes, keyIndex], frame.length - 2);
  return frame;
}

/** Null where the bytes cannot be a sealed frame. */
export function partsOf<B extends ArrayBufferLike>(frame: Uint8Array<B>): FrameParts<B> | null {
  const end = frame.length - trailerBytes;
  const keyIndex = frame.at(-1);
  if (keyIndex === undefined || frame.at(-2) !== ivBytes || end < clearBytes + tagBytes) return null;
  return {
    clear: frame.subarray(0, clearBytes),
    sealed: frame.subarray(clearBytes, end),
    iv: frame.subarray(end, end + ivBytes),
    keyIndex,
  };
}

/** The tag that stands behind a ciphertext, where a library wants the two apart. */
export const splitTag = (sealed: Uint8Array) => ({
  body: sealed.subarray(0, -tagBytes),
  tag: sealed.subarray(-tagBytes),
});
