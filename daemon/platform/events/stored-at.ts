/** Positions in the log by the time of storing. */
import type { Reader, Transaction } from '../database/database.js';

type EventTables = Pick<Reader | Transaction, 'domainEvent' | 'streamHead'>;

/** A time further ahead than this comes from a clock that was wrong: nobody knows when such an event was stored. */
export const clockStepMs = 5 * 60_000;

const position = { select: { position: true } } as const;

/** When the oldest event that is kept was stored; null: no event was deleted yet. */
export async function keptSince(reader: EventTables): Promise<Date | null> {
  const oldest = await reader.domainEvent.findFirst({
    where: { shard: 0 },
    orderBy: { position: 'asc' },
    select: { position: true, storedAt: true },
  });
  return oldest === null || oldest.position <= 1n ? null : oldest.storedAt;
}

/**
 * The position after which every kept event that was stored later than `time` lies. Positions and times grow together
 * except where the clock was set back far; searched from both sides, the earlier answer misses nothing then either.
 */
export async function positionStoredBefore(reader: EventTables, time: Date, now: Date): Promise<bigint> {
  const latest = new Date(now.getTime() + clockStepMs);
  // The head is read first: what is stored meanwhile comes after it.
  const head = await reader.streamHead.findUnique({ where: { shard: 0 } });
  const next = await reader.domainEvent.findFirst({
    where: { storedAt: { gt: time, lte: latest } },
    orderBy: [{ storedAt: 'asc' }, { position: 'asc' }],
    ...position,
  });
  const last = await reader.domainEvent.findFirst({
    where: { storedAt: { lte: time } },
    orderBy: [{ storedAt: 'desc' }, { position: 'desc' }],
    ...position,
  });
  if (next !== null) return last === null || last.position > next.position ? next.position - 1n : last.position;
  const [ahead] = await reader.domainEvent.findMany({
    where: { storedAt: { gt: latest > time ? latest : time } },
    orderBy: [{ storedAt: 'asc' }, { position: 'asc' }],
    take: 1,
    ...position,
  });
  if (ahead === undefined) return head?.position ?? 0n;
  return last?.position ?? ahead.position - 1n;
}
