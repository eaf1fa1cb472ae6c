/** Refuses redirects, by every way that the library sends requests. */
import { Redirected } from './errors.js';
import type { Answer } from './transport.js';

/** Status of what browsers show of a redirect that is not followed. */
const opaque = 0;

/** Throws Redirected, with the address of the daemon that is meant as far as it can be told. */
export function refuseRedirect(
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
  url: URL,
  baseUrl: string,
): void {
  const isRedirect = status === opaque || (status >= 300 && status < 400 && status !== 304);
  if (isRedirect) throw new Redirected(baseUrl, targetOf(headers.get('location'), url, baseUrl));
}

function targetOf(location: string | null, url: URL, baseUrl: string): string | null {
  if (location === null || !URL.canParse(location, url.href)) return null;
  const { origin, pathname } = new URL(location, url.href);
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '');
  const path = url.pathname.slice(basePath.length);
  return origin + (pathname.endsWith(path) ? pathname.slice(0, -path.length) : pathname);
}
