/** When a reset period ends, in the calendar of its time zone. Pure. */
import type { ResetPeriod } from '../../../src/contract/gameplay/challenges.js';

interface LocalTime {
  readonly year: number;
  readonly month: number; // 1–12
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-u-hc-h23', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  formats.set(timeZone, format);
  return format;
};

const localTime = (at: Date, timeZone: string): LocalTime => {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return { year: part('year'), month: part('month'), day: part('day'), hour: part('hour'), minute: part('minute') };
};

const asUtc = ({ year, month, day, hour, minute }: LocalTime): number => Date.UTC(year, month - 1, day, hour, minute);

/**
 * The instant at which clocks in the zone show `local`; a local time that daylight saving skips moves on by the gap.
 */
const instantOf = (local: LocalTime, timeZone: string): Date => {
  const wanted = asUtc(local);
  const offsetAt = (instant: number) => asUtc(localTime(new Date(instant), timeZone)) - instant;
  return new Date(wanted - offsetAt(wanted - offsetAt(wanted)));
};

/** First local day of the period that contains `day`, plus `ahead` periods. Days out of range roll over. */
const firstDay = (at: LocalTime, range: ResetPeriod['range'], ahead: number): LocalTime => {
  if (range === 'd') return { ...at, day: at.day + ahead };
  if (range === 'm') return { ...at, month: at.month + ahead, day: 1 };
  const sinceMonday = (new Date(asUtc(at)).getUTCDay() + 6) % 7;
  return { ...at, day: at.day - sinceMonday + 7 * ahead };
};

/** The moments at which a period begins: the one of the local day, week or month that `at` lies in, moved by `ahead`. */
const turnsAround =
  ({ range, atTime, timeZone }: ResetPeriod, at: Date) =>
  (ahead: number): Date => {
    const [hour = 0, minute = 0] = atTime.split(':').map(Number);
    return instantOf({ ...firstDay(localTime(at, timeZone), range, ahead), hour, minute }, timeZone);
  };

/** End of the period at `at`: always later than `at`. Weeks start on Monday, months on the 1st. */
export const periodEnd = (period: ResetPeriod, at: Date): Date => {
  const turn = turnsAround(period, at);
  return turn(0) > at ? turn(0) : turn(1);
};

/** Start of the period at `at`: never later than `at`. */
export const periodStart = (period: ResetPeriod, at: Date): Date => {
  const turn = turnsAround(period, at);
  return turn(0) > at ? turn(-1) : turn(0);
};
