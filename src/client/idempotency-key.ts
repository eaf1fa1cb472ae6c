/** Keys by which a daemon recognises a request that is sent again. */

/** Returns a new key. (`crypto.randomUUID` exists only on pages that came by https.) */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
