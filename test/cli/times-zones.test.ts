/** Times as people type them in the nights in which clocks change, in every zone that this Node.js knows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseTime } from '../../src/cli/typed/times.js';

const [hourMs, dayMs] = [3_600_000, 86_400_000];
const [from, until] = [Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)];
const clockTimes = ['00:00', '00:30', '02:30', '23:30'];
const onWeekdays = ['mon', 'sun 02:30', 'sat 23:30'];
/** The most that clocks are moved by in a night. */
const changeMsMax = 2 * hourMs;

/** Around each day of this machine's zone in which clocks change, every half hour. */
function* nightsOfChange(): Generator<Date> {
  for (let day = from; day < until; day += dayMs) {
    if (new Date(day).getTimezoneOffset() === new Date(day - dayMs).getTimezoneOffset()) continue;
    for (let at = day - 1.5 * dayMs; at < day + dayMs; at += hourMs / 2) yield new Date(at);
  }
}

function problemsAt(now: Date): string[] {
  const meant = (text: string, direction: 'past' | 'future') => Date.parse(parseTime(text, now, direction));
  const problems: string[] = [];
  const hold = (text: string, holds: boolean) => {
    if (!holds) problems.push(`${text} at ${now.toISOString()} in ${process.env.TZ}`);
  };
  const isWithin = (ms: number, least: number, most: number) => ms >= least && ms <= most + changeMsMax;
  for (const text of [...clockTimes, ...onWeekdays]) {
    const range = clockTimes.includes(text) ? dayMs : 7 * dayMs;
    hold(`${text}, past`, isWithin(now.getTime() - meant(text, 'past'), 0, range));
    hold(`${text}, future`, isWithin(meant(text, 'future') - now.getTime(), 1, range));
  }
  for (const text of ['today', 'this week', 'this month']) hold(text, meant(text, 'past') <= now.getTime());
  for (const text of ['tomorrow', 'next week']) hold(text, meant(text, 'future') > now.getTime());
  return problems;
}

describe('times as they are typed', () => {
  let before: string | undefined;
  beforeAll(() => {
    before = process.env.TZ;
  });
  afterAll(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });

  it('are found in every zone, and lie on the side of now that is meant', () => {
    const problems = Intl.supportedValuesOf('timeZone').flatMap((zone) => {
      process.env.TZ = zone;
      return [...nightsOfChange()].flatMap(problemsAt);
    });
    expect(problems).toEqual([]);
  });
});
