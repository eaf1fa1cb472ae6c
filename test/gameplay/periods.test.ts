import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { periodEnd } from '../../daemon/modules/gameplay/periods.js';
import { ResetPeriod } from '../../src/contract/gameplay/challenges.js';

const end = (range: 'd' | 'w' | 'm', atTime: string, timeZone: string, at: string) =>
  periodEnd({ range, atTime, timeZone }, new Date(at)).toISOString();

describe('periodEnd', () => {
  it.each([
    ['a day', 'd', '00:00', 'UTC', '2026-03-10T12:00:00Z', '2026-03-11T00:00:00.000Z'],
    ['a day that turns at four, before four', 'd', '04:00', 'UTC', '2026-03-10T03:59:59Z', '2026-03-10T04:00:00.000Z'],
    ['a day that turns at four, at four', 'd', '04:00', 'UTC', '2026-03-10T04:00:00Z', '2026-03-11T04:00:00.000Z'],
    ['a day in Berlin', 'd', '00:00', 'Europe/Berlin', '2026-01-10T23:30:00Z', '2026-01-11T23:00:00.000Z'],
    ['the short day of Berlin', 'd', '00:00', 'Europe/Berlin', '2026-03-29T01:30:00Z', '2026-03-29T22:00:00.000Z'],
    ['an hour that Berlin skips', 'd', '02:30', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T01:30:00.000Z'],
    ['a week, from Monday', 'w', '00:00', 'UTC', '2026-03-08T23:59:00Z', '2026-03-09T00:00:00.000Z'],
    ['a week, on Monday', 'w', '00:00', 'UTC', '2026-03-09T00:00:00Z', '2026-03-16T00:00:00.000Z'],
    ['a month, from the 1st', 'm', '06:00', 'UTC', '2026-02-28T12:00:00Z', '2026-03-01T06:00:00.000Z'],
    ['a month over the year', 'm', '00:00', 'Asia/Tokyo', '2026-12-15T00:00:00Z', '2026-12-31T15:00:00.000Z'],
  ] as const)('ends %s', (_, range, atTime, zone, at, expected) => {
    expect(end(range, atTime, zone, at)).toBe(expected);
  });

  it('always lies ahead, by no more than the range and an hour, and ends its own period', () => {
    const days = { d: 1, w: 7, m: 31 };
    fc.assert(
      fc.property(
        fc.constantFrom('d' as const, 'w' as const, 'm' as const),
        fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia'),
        fc.nat({ max: 23 }),
        fc.date({ min: new Date('2024-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
        (range, timeZone, hour, at) => {
          const period = { range, timeZone, atTime: `${String(hour).padStart(2, '0')}:30` };
          const ends = periodEnd(period, at);
          expect(ends.getTime()).toBeGreaterThan(at.getTime());
          expect(ends.getTime() - at.getTime()).toBeLessThanOrEqual((days[range] * 24 + 1) * 3_600_000);
          const middle = new Date((at.getTime() + ends.getTime()) / 2);
          expect(periodEnd(period, middle).getTime()).toBe(ends.getTime());
        },
      ),
    );
  });

  it('refuses a zone that does not exist when it is configured', () => {
    expect(ResetPeriod.safeParse({ range: 'd', timeZone: 'Mars/Olympus' }).success).toBe(false);
  });
});
