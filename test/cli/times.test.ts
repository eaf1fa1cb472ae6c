/** Durations and times as people type them. The rules are stated in the help of `earshot`. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTerm, termEnd, typedEnd } from '../../src/cli/moderation/term.js';
import { parseDuration, parseTime, parseWait } from '../../src/cli/typed/times.js';
import { relative } from '../../src/terminal/shown-times.js';
import { UsageError } from '../../src/terminal/usage-error.js';

const now = new Date('2026-01-01T12:00:00.000Z');
const local = (year: number, month: number, day: number, hour = 0, minute = 0) =>
  new Date(year, month, day, hour, minute).toISOString();

describe('durations', () => {
  it.each([
    ['30s', 30],
    ['10m', 600],
    ['2h30m', 9_000],
    ['7d', 604_800],
    ['1w', 604_800],
    ['0', 0],
    ['10 m', 600],
    ['2 hours', 7_200],
    ['1 hour 30 minutes', 5_400],
    ['90min', 5_400],
    ['2 Weeks', 1_209_600],
  ])('%s is %i seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  it.each(['', 'm', '10  m', '-5m', '1.5h', 'ten', '2 months', '2 hoursx', '2hand', '2h 30'])(
    'refuses "%s"',
    (text) => {
      expect(() => parseDuration(text)).toThrow(UsageError);
    },
  );

  it('beyond what can be counted in seconds are refused', () => {
    expect(() => parseDuration('9007199254740993w')).toThrow('too long a duration');
    expect(() => parseDuration(`${'9'.repeat(400)}s`)).toThrow(UsageError);
  });

  it('that a command waits for have an end', () => {
    expect(parseWait('24d')).toBe(24 * 86_400);
    expect(() => parseWait('25d')).toThrow('the maximum is 24d');
  });

  it.each(['1M', '1 M', '2h1M', '10M'])('refuses %s, which is minutes to some and months to others', (text) => {
    const count = Number(/(\d+) ?M/.exec(text)?.[1]);
    expect(() => parseDuration(text)).toThrow(`${count}m or ${30 * count}d?`);
    expect(() => parseTime(text, now, 'past')).toThrow(`${count}m or ${30 * count}d?`);
    expect(() => parseTerm(text)).toThrow(UsageError);
  });

  it('refuses a bare number with the spellings that it may have meant', () => {
    expect(() => parseDuration('90')).toThrow('write 90s, 90m, 90h or 90d');
    expect(() => parseTime('90', now, 'past')).toThrow('write 90s, 90m, 90h or 90d');
  });
});

/** A Thursday, 17:30 by the clock of this machine. */
const thursday = new Date(2026, 4, 14, 17, 30);

describe('times', () => {
  it.each([
    ['now', 'past', thursday.toISOString()],
    ['2h', 'past', local(2026, 4, 14, 15, 30)],
    ['2h', 'future', local(2026, 4, 14, 19, 30)],
    ['2h ago', 'future', local(2026, 4, 14, 15, 30)],
    ['in 2h', 'past', local(2026, 4, 14, 19, 30)],
    ['2 hours ago', 'future', local(2026, 4, 14, 15, 30)],
    ['in 1 day 2 hours', 'past', local(2026, 4, 15, 19, 30)],
    ['yesterday', 'past', local(2026, 4, 13)],
    ['Yesterday 9:05', 'past', local(2026, 4, 13, 9, 5)],
    ['today', 'past', local(2026, 4, 14)],
    ['tonight', 'future', local(2026, 4, 15)],
    ['tomorrow 18:00', 'future', local(2026, 4, 15, 18)],
    ['mon 18:00', 'past', local(2026, 4, 11, 18)],
    ['mon 18:00', 'future', local(2026, 4, 18, 18)],
    ['thursday', 'past', local(2026, 4, 14)],
    ['thu 18:00', 'past', local(2026, 4, 7, 18)],
    ['thu 18:00', 'future', local(2026, 4, 14, 18)],
    ['18:00', 'past', local(2026, 4, 13, 18)],
    ['18:00', 'future', local(2026, 4, 14, 18)],
    ['last month', 'past', local(2026, 3, 1)],
    ['this week', 'past', local(2026, 4, 11)],
    ['next week', 'future', local(2026, 4, 18)],
    ['2026-02-03', 'past', local(2026, 1, 3)],
    ['2026-02-03 04:05', 'past', local(2026, 1, 3, 4, 5)],
    ['2026-02-03T04:05:06+02:00', 'past', '2026-02-03T02:05:06.000Z'],
    ['2026-02-03T04:05:06.007Z', 'future', '2026-02-03T04:05:06.007Z'],
  ] as const)('"%s" in the %s', (text, direction, iso) => {
    expect(parseTime(text, thursday, direction)).toBe(iso);
  });

  it.each([
    '',
    'soon',
    'in',
    'in 2h ago',
    '25:00',
    'mon 9',
    'mon 24:00',
    '2026-02-30',
    '2026-13-01',
    '99999w99999w',
    'last year',
  ])('refuses "%s"', (text) => {
    expect(() => parseTime(text, thursday, 'past')).toThrow(UsageError);
  });

  it('tells them relative to now', () => {
    expect(relative('2026-01-01T11:57:00.000Z', now)).toBe('3m ago');
    expect(relative('2026-01-03T12:00:00.000Z', now)).toBe('in 2d');
  });
});

const instants = fc.date({ min: new Date('2001-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
const clocks = fc.record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.integer({ min: 0, max: 59 }) });
const spelt = ({ hour, minute }: { hour: number; minute: number }) => `${hour}:${String(minute).padStart(2, '0')}`;
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const dayMs = 86_400_000;

describe('every time', () => {
  it('reads back as it is written in an answer', () => {
    fc.assert(
      fc.property(instants, instants, (time, at) => {
        for (const direction of ['past', 'future'] as const)
          expect(parseTime(time.toISOString(), at, direction)).toBe(time.toISOString());
      }),
    );
  });

  it('so long ago and so long from now are as far apart as twice the duration', () => {
    fc.assert(
      fc.property(
        instants,
        fc.integer({ min: 1, max: 100_000 }),
        fc.constantFrom('s', 'm', 'h', 'd'),
        (at, count, unit) => {
          const [before, after] = (['past', 'future'] as const).map((direction) =>
            Date.parse(parseTime(`${count}${unit}`, at, direction)),
          );
          expect((after ?? 0) - (before ?? 0)).toBe(2_000 * parseDuration(`${count}${unit}`));
          expect(parseTime(`${count}${unit} ago`, at, 'future')).toBe(parseTime(`${count}${unit}`, at, 'past'));
          expect(parseTime(`in ${count}${unit}`, at, 'past')).toBe(parseTime(`${count}${unit}`, at, 'future'));
        },
      ),
    );
  });

  it('of a weekday is that day at that time, and the nearest one in its direction', () => {
    fc.assert(
      fc.property(instants, fc.integer({ min: 0, max: 6 }), clocks, (at, weekday, clock) => {
        for (const [direction, sign] of [
          ['past', -1],
          ['future', 1],
        ] as const) {
          const time = new Date(parseTime(`${weekdays[weekday]} ${spelt(clock)}`, at, direction));
          const distance = sign * (time.getTime() - at.getTime());
          expect(distance).toBeGreaterThanOrEqual(0);
          // A day of the clock change has 25 hours.
          expect(distance).toBeLessThanOrEqual(7 * dayMs + 3_600_000);
          const wanted = new Date(time.getFullYear(), time.getMonth(), time.getDate(), clock.hour, clock.minute);
          expect(time.getTime()).toBe(wanted.getTime());
          expect(time.getDay()).toBe(weekday);
        }
      }),
    );
  });
});

describe('the end of a term', () => {
  it('is shown before a sanction is imposed', () => {
    expect(termEnd({ duration: 600 }, now)).toMatch(/^until \d\d:\d\d \(in 10m\)$/);
    expect(termEnd({ duration: 30 * 86_400 }, now)).toMatch(/^until \d{4}-\d\d-\d\d \d\d:\d\d \(in 30d\)$/);
    expect(termEnd({}, now)).toBe('until revoked');
    expect(typedEnd('forever', now)).toBe('until revoked');
    expect(typedEnd('1M', now)).toBeNull();
  });
});
