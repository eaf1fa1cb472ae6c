/**
 * Access from the link's fragment, `#token=…` and, for encrypted rooms, `&key=…&keyIndex=…`. A
 * fragment never reaches a server. It is kept for this tab and taken out of the address bar, where it would be read,
 * bookmarked and shown on shared screens.
 */
import { accessIn, type RoomAccess } from '../../src/client/room/room-access.js';

/** Returns the access to this page's room; null when the link brought no token. */
export function takeAccess(): RoomAccess | null {
  const place = `earshot:${location.pathname}`;
  if (location.hash.length > 1) {
    sessionStorage.setItem(place, location.hash.slice(1));
    history.replaceState(null, '', location.pathname);
  }
  const roomUrl = location.origin + location.pathname.replace(/\/$/, '');
  return accessIn(roomUrl, sessionStorage.getItem(place) ?? '');
}
