/**
 * Access from the link's fragment, `#token=…` and, for encrypted rooms, `&key=…&keyIndex=…`. A
 * fragment never reaches a server. It is kept for this tab and taken out of the address bar, where it would be read,
 * bookmarked and shown on shared screens.
 */
import { accessIn, pageLink, type RoomAccess } from '../../src/client/room/room-access.js';

/** Marks the link of a page that followed its room to another daemon. */
const moved = 'moved';

interface Opening {
  /** Access to this page's room; null when the link brought no token. */
  readonly access: RoomAccess | null;
  /** The page of another daemon led here. */
  readonly hasMoved: boolean;
}

export function takeOpening(): Opening {
  const place = `earshot:${location.pathname}`;
  const brought = new URLSearchParams(location.hash.slice(1));
  const hasMoved = brought.has(moved);
  brought.delete(moved);
  if (location.hash.length > 1) {
    sessionStorage.setItem(place, brought.toString());
    history.replaceState(null, '', location.pathname);
  }
  const roomUrl = location.origin + location.pathname.replace(/\/$/, '');
  return { access: accessIn(roomUrl, sessionStorage.getItem(place) ?? ''), hasMoved };
}

/** Returns the link at another daemon, whose address for a part of the room is `part` (`…/rooms/demo/events`). */
export const linkElsewhere = (access: RoomAccess, part: URL): string =>
  `${pageLink({ ...access, url: new URL('.', part).href.replace(/\/$/, '') })}&${moved}=1`;
