/**
 * Finds where a stream begins in the log. Only events that its owner may read count as positions; any other id is
 * unknown.
 */

import { withSmallUuid } from '../../../src/contract/common.js';
import { looksLikeId } from '../../../src/names/id-shape.js';
import type { EventLog } from '../../platform/events/log.js';
import { isWithin, partsOf, type Reach } from './filter.js';
import type { LogEnd } from './log-end.js';
import type { Permission } from './permissions.js';

/** Position at which a client asks to begin. */
export type StreamStartRequest = { readonly lastEventId: string } | { readonly since: string } | null;

export interface StreamStart {
  readonly after: bigint;
  /** The event there, or `earliest` where the log has nothing that old for the owner. */
  readonly begin: string;
  /** To be announced: the log no longer holds the event that was seen last. */
  readonly gap: { readonly lastEventId: string; readonly oldestId: string | null } | null;
}

const earliest = 'earliest';

/** The place of a client that has missed nothing; null when the log must be asked (`placeOf`). */
export async function placeAtEnd(
  end: LogEnd,
  permission: Permission,
  request: StreamStartRequest,
): Promise<StreamStart | null> {
  if (end.isBehind || (request !== null && !('lastEventId' in request))) return null;
  const { id, position } = await end.newest(permission);
  if (request !== null && request.lastEventId !== id) return null;
  return { after: position, begin: id ?? earliest, gap: null };
}

/** After an event, after a time or before everything; without a request: from now on. */
export async function placeOf(log: EventLog, reach: Reach, request: StreamStartRequest): Promise<StreamStart> {
  const place = await requested(log, reach, request);
  const begin = place.begin ?? (await log.pages.newestAt(partsOf(reach), place.after))?.id ?? earliest;
  return { ...place, begin };
}

/** Without `begin`, the newest event still has to be found. */
type Requested = Omit<StreamStart, 'begin'> & { readonly begin?: string };

async function requested(log: EventLog, reach: Reach, request: StreamStartRequest): Promise<Requested> {
  if (request === null) return { after: await log.head(), gap: null };
  const place = withSmallUuid('lastEventId' in request ? request.lastEventId : request.since);
  if (place === earliest) return { after: 0n, gap: null };
  if ('lastEventId' in request || looksLikeId.test(place)) return behind(log, reach, place);
  return { after: await log.positionBefore(new Date(Date.parse(place) - 1)), gap: null };
}

async function behind(log: EventLog, reach: Reach, lastEventId: string): Promise<Requested> {
  const found = await log.find(lastEventId);
  if (found !== null && isWithin(reach, found.event))
    return { after: found.position, begin: found.event.id, gap: null };
  const oldestId = (await log.pages.oldest(partsOf(reach)))?.id ?? null;
  return { after: isId(lastEventId) ? await log.positionBeforeId(lastEventId) : 0n, gap: { lastEventId, oldestId } };
}

/** Ids of events are UUIDv7, and sort by time. */
const isId = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
