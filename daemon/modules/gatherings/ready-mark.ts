/** Pure rules of ready marks that a queue_delay holds back: when one appears, whatever becomes of the delay or the clock. */
import { hasSeat, type MemberRow, notWaiting } from './member-store.js';

export type ReadyMark = Pick<MemberRow, 'status' | 'readyAt' | 'readyAskedAt'>;

const shown: ReadyMark = { status: 'ready', ...notWaiting };
export const noMark: ReadyMark = { status: 'joined', ...notWaiting };

/** Clocks of several daemons differ by less. */
const clockSkewMs = 5_000;
/** Whoever asked later than this did so by a clock that has been set back since. */
export const presentUntil = (now: Date): Date => new Date(now.getTime() + clockSkewMs);

/** The mark of somebody who asked for it then and has to wait so long. */
export function markAfter(delayMs: number, readyAskedAt: Date, now: Date): ReadyMark {
  const readyAt = new Date(readyAskedAt.getTime() + delayMs);
  return readyAt <= now ? shown : { status: 'joined', readyAt, readyAskedAt };
}

/** What time makes of the mark; null: nothing. After the clock was set back, the delay is counted from now. */
export function markInTime(member: MemberRow, now: Date): ReadyMark | null {
  const { readyAt, readyAskedAt } = member;
  if (!hasSeat(member) || readyAt === null) return null;
  if (readyAt <= now) return shown;
  if (readyAskedAt === null || readyAskedAt <= presentUntil(now)) return null;
  return markAfter(readyAt.getTime() - readyAskedAt.getTime(), now, now);
}

/** What another delay makes of a mark that waits; null: nothing. */
export function markDelayedAnew(member: MemberRow, delayMs: number, now: Date): ReadyMark | null {
  const { readyAt, readyAskedAt } = member;
  if (!hasSeat(member) || readyAt === null || readyAskedAt === null) return null;
  const mark = markAfter(delayMs, readyAskedAt, now);
  return mark.readyAt?.getTime() === readyAt.getTime() ? null : mark;
}
