/** Where a stream begins in the log (contract, section 7). */
import type { EventLog } from '../../events/log.js';

/** Where a client wishes to begin. */
export type Wish = { readonly lastEventId: string } | { readonly since: string } | null;

export interface Place {
  readonly after: bigint;
  /** The event there; null: the log holds none so old. */
  readonly begin: string | null;
  /** To be told: the log does not hold the event that was seen last. */
  readonly gap: { readonly lastEventId: string; readonly oldestId: string | null } | null;
}

/** Behind an event, a time or before everything; without a wish: from now on. */
export async function placeOf(log: EventLog, wish: Wish): Promise<Place> {
  const place = await wished(log, wish);
  return { ...place, begin: await log.idAt(place.after) };
}

async function wished(log: EventLog, wish: Wish): Promise<Omit<Place, 'begin'>> {
  if (wish === null) return { after: await log.head(), gap: null };
  if ('lastEventId' in wish) return behind(log, wish.lastEventId);
  if (wish.since === 'earliest') return { after: 0n, gap: null };
  if (isId(wish.since)) return behind(log, wish.since);
  return { after: await log.positionBefore(new Date(Date.parse(wish.since) - 1)), gap: null };
}

async function behind(log: EventLog, lastEventId: string): Promise<Omit<Place, 'begin'>> {
  const found = await log.find(lastEventId);
  if (found !== null) return { after: found.position, gap: null };
  const oldestId = (await log.oldest())?.event.id ?? null;
  return { after: isId(lastEventId) ? await log.positionBeforeId(lastEventId) : 0n, gap: { lastEventId, oldestId } };
}

const isId = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
