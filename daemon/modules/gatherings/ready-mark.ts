/**
 * Pure rules of ready marks that a queue_delay postpones: when one takes effect, however the delay or the clock
 * changes.
 */
import { hasSeat, type MemberRow, notWaiting } from './member-store.js';

export type ReadyMark = Pick<MemberRow, 'status' | 'readyAt' | 'readyAskedAt'>;

const shown: ReadyMark = { status: 'ready', ...notWaiting };
export const noMark: ReadyMark = { status: 'joined', ...notWaiting };

/** Largest assumed difference between the clocks of several daemons. */
const clockSkewMs = 5_000;
/** A mark asked for later than this was made before the clock was set back. */
export const presentUntil = (now: Date): Date => new Date(now.getTime() + clockSkewMs);

/** The mark of a person who asked for it now and has to wait. */
export function markAfter(delayMs: number, readyAskedAt: Date, now: Date): ReadyMark {
  const readyAt = new Date(readyAskedAt.getTime() + delayMs);
  return readyAt <= now ? shown : { status: 'joined', readyAt, readyAskedAt };
}

/** How time changes the mark; null: not at all. After the clock was set back, the delay is counted from now. */
export function markInTime(member: MemberRow, now: Date): ReadyMark | null {
  const { readyAt, readyAskedAt } = member;
  if (!hasSeat(member) || readyAt === null) return null;
  if (readyAt <= now) return shown;
  if (readyAskedAt === null || readyAskedAt <= presentUntil(now)) return null;
  return markAfter(readyAt.getTime() - readyAskedAt.getTime(), now, now);
}

/** How another delay changes a waiting mark; null: not at all. */
export function markDelayedAnew(member: MemberRow, delayMs: number, now: Date): ReadyMark | null {
  const { readyAt, readyAskedAt } = member;
  if (!hasSeat(member) || readyAt === null || readyAskedAt === null) return null;
  const mark = markAfter(delayMs, readyAskedAt, now);
  return mark.readyAt?.getTime() === readyAt.getTime() ? null : mark;
}
