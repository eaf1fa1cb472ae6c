/**
 * The cookie of a console session: its id, its generation, and a keyed hash of both. The database holds the generation alone,
 * so a copy of it opens no session.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface CookieParts {
  readonly id: string;
  readonly generation: number;
}

const name = 'earshot_console';
/** The operations that read the cookie, and no others, get it. */
const path = '/api/auth/console';

const signatureOf = (key: Uint8Array, { id, generation }: CookieParts): Buffer =>
  createHmac('sha256', key).update(`${id}.${generation}`).digest();

/** @param maxAgeSeconds how long the browser keeps it */
export function cookieOf(key: Uint8Array, parts: CookieParts, maxAgeSeconds: number, isSecure: boolean): string {
  const value = `${parts.id}.${parts.generation}.${signatureOf(key, parts).toString('base64url')}`;
  const secure = isSecure ? '; Secure' : '';
  return `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}

/** null: there is no such cookie, or this daemon did not make it. */
export function readCookie(key: Uint8Array, header: string | undefined): CookieParts | null {
  const [, id, generation, signature] =
    /(?:^|;\s*)earshot_console=([\w-]{1,64})\.(\d{1,9})\.([\w-]{43})(?:;|$)/.exec(header ?? '') ?? [];
  if (id === undefined || generation === undefined || signature === undefined) return null;
  const parts = { id, generation: Number(generation) };
  return timingSafeEqual(signatureOf(key, parts), Buffer.from(signature, 'base64url')) ? parts : null;
}
