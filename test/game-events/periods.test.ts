import { describe, expect, it } from 'vitest';
import { periodAt } from '../../daemon/modules/game-events/model/periods.js';
import { ResetPeriod } from '../../src/contract/gameplay/challenges.js';
import { scale, torture } from '../support/scale.js';

const end = (range: 'd' | 'w' | 'm', atTime: string, timeZone: string, at: string) =>
  periodAt({ range, atTime, timeZone }, new Date(at)).endsAt.toISOString();

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const zonesAtOnce = 60;
const years = { from: Date.UTC(2026, 0, 1), until: Date.UTC(scale(2027, 2038), 0, 1) };
const atTimes = !torture ? ['00:00', '02:30'] : ['00:00', '00:30', '01:00', '01:30', '02:00', '02:30', '23:30'];
const longestMs = { d: dayMs, w: 7 * dayMs, m: 31 * dayMs };

const allZones = Intl.supportedValuesOf('timeZone').filter((_, index) => index % scale(3, 1) === 0);
const zonesInParts = Array.from({ length: Math.ceil(allZones.length / zonesAtOnce) }, (_, part) => {
  const zones = allZones.slice(part * zonesAtOnce, (part + 1) * zonesAtOnce);
  return [zones[0] ?? '', zones] as const;
});

/** Returns times as clocks in the zone show them, as if it were UTC. */
const clockIn = (timeZone: string) => {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
  const format = new Intl.DateTimeFormat('en-u-hc-h23', { timeZone, ...fields });
  return (instant: number): number => {
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute);
  };
};

interface Change {
  /** The noon of UTC before it. */
  readonly after: number;
  /** Offset by which clocks are moved; negative: back. */
  readonly byMs: number;
}

/** The days in which clocks of the zone change. */
function changesOf(timeZone: string): Change[] {
  const clock = clockIn(timeZone);
  const offsetAt = (instant: number) => clock(instant) - instant;
  const changes: Change[] = [];
  for (let noon = years.from - dayMs / 2; noon < years.until; noon += dayMs) {
    const byMs = offsetAt(noon + dayMs) - offsetAt(noon);
    if (byMs !== 0) changes.push({ after: noon, byMs });
  }
  return changes;
}

/** Asks every half hour from half a day before the day of the change until half a day after it. */
function problemsAround(timeZone: string, { after, byMs }: Change): string[] {
  const clock = clockIn(timeZone);
  const problems: string[] = [];
  for (const range of ['d', 'w', 'm'] as const)
    for (const atTime of range === 'd' ? atTimes : atTimes.slice(0, 1)) {
      const period = { range, atTime, timeZone };
      const ends = new Set<number>();
      const hold = (rule: string, at: number, holds: boolean) => {
        if (!holds) problems.push(`${range} ${atTime} ${timeZone} at ${new Date(at).toISOString()}: ${rule}`);
      };
      for (let at = after - dayMs / 2; at <= after + 1.5 * dayMs; at += hourMs / 2) {
        const { startsAt, endsAt } = periodAt(period, new Date(at));
        hold('it ends later than now', at, endsAt.getTime() > at);
        hold('it has started', at, startsAt.getTime() <= at);
        hold('it is not too long', at, endsAt.getTime() - startsAt.getTime() <= longestMs[range] + Math.abs(byMs));
        ends.add(endsAt.getTime());
      }
      const [hour = 0, minute = 0] = atTime.split(':').map(Number);
      const turns = [...ends].map((end) => clock(end) - hour * hourMs - minute * minuteMs);
      const lateMs = [0, Math.max(0, byMs)];
      for (const turn of turns) hold('it ends at its time', after, lateMs.includes(turn % dayMs));
      const dates = turns.map((turn) => Math.floor(turn / dayMs));
      const isDaily = dates.every((date, index) => date === (dates[0] ?? 0) + index);
      hold('each day has one period', after, range === 'd' ? isDaily : new Set(dates).size === dates.length);
    }
  return problems;
}

describe('periodAt', () => {
  it.each([
    ['a day', 'd', '00:00', 'UTC', '2026-03-10T12:00:00Z', '2026-03-11T00:00:00.000Z'],
    ['a day that turns at four, before four', 'd', '04:00', 'UTC', '2026-03-10T03:59:59Z', '2026-03-10T04:00:00.000Z'],
    ['a day that turns at four, at four', 'd', '04:00', 'UTC', '2026-03-10T04:00:00Z', '2026-03-11T04:00:00.000Z'],
    ['a day in Berlin', 'd', '00:00', 'Europe/Berlin', '2026-01-10T23:30:00Z', '2026-01-11T23:00:00.000Z'],
    ['the short day of Berlin', 'd', '00:00', 'Europe/Berlin', '2026-03-29T01:30:00Z', '2026-03-29T22:00:00.000Z'],
    ['an hour that Berlin skips', 'd', '02:30', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T01:30:00.000Z'],
    [
      'Santiago, whose clocks skip midnight',
      'd',
      '00:00',
      'America/Santiago',
      '2026-09-06T03:30:00Z',
      '2026-09-06T04:00:00.000Z',
    ],
    ['Santiago, after that', 'd', '00:00', 'America/Santiago', '2026-09-06T04:00:00Z', '2026-09-07T03:00:00.000Z'],
    [
      'Havana, whose clocks skip midnight',
      'd',
      '00:00',
      'America/Havana',
      '2026-03-08T05:30:00Z',
      '2026-03-09T04:00:00.000Z',
    ],
    [
      'the Azores, whose clocks skip midnight',
      'd',
      '00:00',
      'Atlantic/Azores',
      '2026-03-29T00:59:00Z',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'an hour that New York skips',
      'd',
      '02:30',
      'America/New_York',
      '2026-03-07T12:00:00Z',
      '2026-03-08T07:30:00.000Z',
    ],
    [
      'an hour that New York has twice, at the first',
      'd',
      '01:30',
      'America/New_York',
      '2026-11-01T05:00:00Z',
      '2026-11-01T05:30:00.000Z',
    ],
    [
      'the day after the one that Apia skipped',
      'd',
      '00:00',
      'Pacific/Apia',
      '2011-12-30T09:59:00Z',
      '2011-12-30T10:00:00.000Z',
    ],
    [
      'a day in a zone by a name that only Intl knows',
      'd',
      '00:00',
      'JST',
      '2026-01-10T12:00:00Z',
      '2026-01-10T15:00:00.000Z',
    ],
    ['a week, from Monday', 'w', '00:00', 'UTC', '2026-03-08T23:59:00Z', '2026-03-09T00:00:00.000Z'],
    ['a week, on Monday', 'w', '00:00', 'UTC', '2026-03-09T00:00:00Z', '2026-03-16T00:00:00.000Z'],
    ['a month, from the 1st', 'm', '06:00', 'UTC', '2026-02-28T12:00:00Z', '2026-03-01T06:00:00.000Z'],
    ['a month over the year', 'm', '00:00', 'Asia/Tokyo', '2026-12-15T00:00:00Z', '2026-12-31T15:00:00.000Z'],
  ] as const)('ends %s', (_, range, atTime, zone, at, expected) => {
    expect(end(range, atTime, zone, at)).toBe(expected);
  });

  it.each(zonesInParts)(
    'is later than now, at most the range and the change away, once a day, in zone after zone from %s',
    (_, zones) => {
      const problems = zones.flatMap((zone) => changesOf(zone).flatMap((change) => problemsAround(zone, change)));
      expect(problems).toEqual([]);
    },
    scale(60_000, 3_600_000),
  );

  it('refuses a zone that does not exist when it is configured', () => {
    expect(ResetPeriod.safeParse({ range: 'd', timeZone: 'Mars/Olympus' }).success).toBe(false);
  });
});
