/**
 * The cookie of a console session: its id, its generation, and a keyed hash of both. The database holds the generation alone,
 * so a copy of it opens no session. On https its name begins with `__Host-`, so that no other name of the same domain can set
 * it (RFC 6265bis, section 4.1.3.2), or below a path with `__Secure-`: other programs of the host do not get it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface CookieParts {
  readonly id: string;
  readonly generation: number;
}

/** How a browser reaches the daemon. */
interface CookiePlace {
  readonly isSecure: boolean;
  readonly basePath: string;
}

function placeOf({ isSecure, basePath }: CookiePlace): { readonly name: string; readonly path: string } {
  // `__Host-` demands the path; without it, only the operations that read the cookie get it.
  if (isSecure && basePath === '') return { name: '__Host-earshot_console', path: '/' };
  return { name: `${isSecure ? '__Secure-' : ''}earshot_console`, path: `${basePath}/api/auth/console` };
}

const signatureOf = (key: Uint8Array, { id, generation }: CookieParts): Buffer =>
  createHmac('sha256', key).update(`${id}.${generation}`).digest();

/** @param maxAgeSeconds how long the browser keeps it */
export function cookieOf(key: Uint8Array, parts: CookieParts, maxAgeSeconds: number, place: CookiePlace): string {
  const { name, path } = placeOf(place);
  const value = `${parts.id}.${parts.generation}.${signatureOf(key, parts).toString('base64url')}`;
  const secure = place.isSecure ? '; Secure' : '';
  return `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}

/** null: there is no such cookie, this daemon did not make it, or there are several, of which one may be somebody else's. */
export function readCookie(key: Uint8Array, header: string | undefined, place: CookiePlace): CookieParts | null {
  const { name } = placeOf(place);
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
