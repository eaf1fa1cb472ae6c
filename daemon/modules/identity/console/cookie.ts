/**
 * The cookie of a console session: its id, its generation, and a keyed hash of both. The database holds the generation alone,
 * so a copy of it opens no session. On https its name begins with `__Host-`, so that no other name of the same domain can set
 * it (RFC 6265bis, section 4.1.3.2).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface CookieParts {
  readonly id: string;
  readonly generation: number;
}

const placeOf = (isSecure: boolean): { readonly name: string; readonly path: string } =>
  // The prefix demands the path; without it, only the operations that read the cookie get it.
  isSecure ? { name: '__Host-earshot_console', path: '/' } : { name: 'earshot_console', path: '/api/auth/console' };

const signatureOf = (key: Uint8Array, { id, generation }: CookieParts): Buffer =>
  createHmac('sha256', key).update(`${id}.${generation}`).digest();

/** @param maxAgeSeconds how long the browser keeps it */
export function cookieOf(key: Uint8Array, parts: CookieParts, maxAgeSeconds: number, isSecure: boolean): string {
  const { name, path } = placeOf(isSecure);
  const value = `${parts.id}.${parts.generation}.${signatureOf(key, parts).toString('base64url')}`;
  const secure = isSecure ? '; Secure' : '';
  return `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}

/** null: there is no such cookie, this daemon did not make it, or there are several, of which one may be somebody else's. */
export function readCookie(key: Uint8Array, header: string | undefined, isSecure: boolean): CookieParts | null {
  const { name } = placeOf(isSecure);
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const valid = [...new Set(values)].flatMap((value) => partsOf(key, value) ?? []);
  const [only] = valid;
  return only !== undefined && valid.length === 1 ? only : null;
}

function partsOf(key: Uint8Array, value: string): CookieParts | null {
  const [, id, generation, signature] = /^([\w-]{1,64})\.(\d{1,9})\.([\w-]{43})$/.exec(value) ?? [];
  if (id === undefined || generation === undefined || signature === undefined) return null;
  const parts = { id, generation: Number(generation) };
  return timingSafeEqual(signatureOf(key, parts), Buffer.from(signature, 'base64url')) ? parts : null;
}
