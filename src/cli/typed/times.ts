/** Durations and times as people type them (src/text/typed-times.ts), in commands. */
import { UsageError } from '../../terminal/usage-error.js';
import { durationOf, type TimeDirection, TimeUnreadable, timeOf } from '../../text/typed-times.js';

function asTyped<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw cause instanceof TimeUnreadable ? new UsageError(cause.message, { cause }) : cause;
  }
}

/** Seconds of `10m`, `2h30m`, `7d`, `2 hours`; 0 needs no unit. Throws UsageError. */
export const parseDuration = (text: string): number => asTyped(() => durationOf(text));

/** Returns the typed time in ISO form; one without a direction lies in the direction that is given. Throws UsageError. */
export const parseTime = (text: string, now: Date, direction: TimeDirection): string =>
  asTyped(() => timeOf(text, now, direction));

/** Longest time that Node.js can wait for at once. */
const waitSecondsMax = 24 * 86_400;

/** Seconds for which a command is to run or to wait. Throws UsageError. */
export function parseWait(text: string): number {
  const seconds = parseDuration(text);
  if (seconds > waitSecondsMax) throw new UsageError(`"${text}" is too long; the maximum is 24d.`);
  return seconds;
}
