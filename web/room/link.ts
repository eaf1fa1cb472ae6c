/**
 * What the link brought in its fragment, `#token=…` and, for encrypted rooms, `&key=…&keyIndex=…`. A
 * fragment never reaches a server. It is kept for this tab and taken out of the address bar, where it would be read,
 * bookmarked and shown on shared screens.
 */
import type { RoomKey } from './frame-cipher.js';

export interface Invitation {
  readonly token: string;
  /** Of the end-to-end encryption. */
  readonly key: RoomKey | null;
}

export function takeInvitation(): Invitation | null {
  const place = `earshot:${location.pathname}`;
  if (location.hash.length > 1) {
    sessionStorage.setItem(place, location.hash.slice(1));
    history.replaceState(null, '', location.pathname);
  }
  const given = new URLSearchParams(sessionStorage.getItem(place) ?? '');
  const token = given.get('token');
  const password = given.get('key');
  const key = password === null ? null : { password, index: Number(given.get('keyIndex') ?? 0) };
  return token === null ? null : { token, key };
}
