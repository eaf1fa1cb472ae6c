/**
 * When a reset period begins and ends, in the calendar of its time zone. A local time that clocks skip moves on by the
 * gap, and of one that they show twice the first counts, as RFC 5545 has it. Pure.
 */
import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import type { ResetPeriod } from '../../../../src/contract/gameplay/challenges.js';

interface Period {
  readonly startsAt: Date;
  readonly endsAt: Date;
}

const units = { d: 'days', w: 'weeks', m: 'months' } as const;
/** After every change of clocks the period of the local date, or the next one, ends before this one begins. */
const surelyAhead = 2;

const zonesMax = 1_000;

/** Names of zones by the names that were given; making a format takes longer than all that is done with it here. */
const zones = new LRUCache<string, string>({
  max: zonesMax,
  memoMethod: (name) => new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone,
});

/** First day of the period that contains `day`: weeks start on Monday, months on the 1st. */
function firstDay(day: Temporal.PlainDate, range: ResetPeriod['range']): Temporal.PlainDate {
  if (range === 'd') return day;
  return range === 'w' ? day.subtract({ days: day.dayOfWeek - 1 }) : day.with({ day: 1 });
}

/** The period at `at`: it starts no later, and ends later. */
export function periodAt({ range, atTime, timeZone: name }: ResetPeriod, at: Date): Period {
  const timeZone = zones.memo(name); // Intl takes names such as IST, which Temporal refuses
  const today = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  const first = firstDay(today, range);
  const turn = (ahead: number): Date => {
    const day = first.add({ [units[range]]: ahead });
    return new Date(day.toZonedDateTime({ timeZone, plainTime: atTime }).epochMilliseconds);
  };
  let endsAt = turn(surelyAhead);
  for (let ahead = surelyAhead - 1; ; ahead -= 1) {
    const startsAt = turn(ahead);
    if (startsAt <= at) return { startsAt, endsAt };
    endsAt = startsAt;
  }
}
