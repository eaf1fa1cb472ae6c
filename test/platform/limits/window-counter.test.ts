/** Limit of events per key in a time window. */
import { describe, expect, it } from 'vitest';
import { WindowCounter } from '../../../daemon/platform/limits/window-counter.js';

/** Arrivals by time, each with the seconds after which a refused one may retry; null: it is counted. */
type Steps = readonly (readonly [atMs: number, key: string, amount: number, retryAfterSeconds: number | null])[];

const cases: readonly {
  readonly name: string;
  readonly max?: number;
  readonly rolling?: boolean;
  readonly steps: Steps;
}[] = [
  {
    name: 'a window begins with the first event of its key, and ends as a whole',
    steps: [
      [900, 'p', 1, null],
      [1_500, 'p', 2, null],
      [1_899, 'p', 1, 0.001],
      [1_900, 'p', 3, null],
      [1_901, 'p', 1, 0.999],
    ],
  },
  {
    name: 'keys are counted by themselves, and refusals for nothing',
    steps: [
      [0, 'p', 2, null],
      [0, 'p', 2, 1],
      [0, 'p', 1, null],
      [0, 'q', 3, null],
      [0, 'q', 1, 1],
    ],
  },
  {
    name: 'more at once than the limit is never counted',
    steps: [
      [0, 'p', 4, 1],
      [0, 'p', 3, null],
    ],
  },
  { name: '0 is no limit', max: 0, steps: [[0, 'p', 1_000_000, null]] },
  {
    name: 'a rolling one does not begin anew, and gives each place back by itself',
    rolling: true,
    steps: [
      [900, 'p', 1, null],
      [950, 'p', 1, null],
      [990, 'p', 1, null],
      [1_001, 'p', 1, 0.899],
      [1_900, 'p', 1, null],
      [1_949, 'p', 1, 0.001],
      [1_950, 'p', 1, null],
    ],
  },
  {
    name: 'a rolling one says when there is place for all of them',
    rolling: true,
    steps: [
      [0, 'p', 2, null],
      [400, 'p', 1, null],
      [500, 'p', 3, 0.9],
      [500, 'p', 2, 0.5],
      [1_000, 'p', 2, null],
    ],
  },
];

describe('three in a second', () => {
  it.each(cases)('$name', ({ max = 3, rolling = false, steps }) => {
    let nowMs = 0;
    const counter = new WindowCounter('game_events', { max, windowMs: 1_000, rolling, now: () => nowMs });
    for (const [atMs, key, amount, retryAfterSeconds] of steps) {
      nowMs = atMs;
      const take = () => counter.consume(key, amount);
      if (retryAfterSeconds === null) expect(take).not.toThrow();
      else expect(take).toThrow(expect.objectContaining({ code: 'rate_limited', retryAfterSeconds }));
    }
  });

  it('may be counted beforehand, and required without being counted', () => {
    const counter = new WindowCounter('join_codes', { max: 2, windowMs: 1_000, now: () => 0, message: 'Guess less.' });
    for (let count = 0; count < 2; count += 1) {
      counter.require('p');
      counter.count('p');
    }
    expect(() => counter.require('p')).toThrow('Guess less.');
    expect(() => counter.require('q')).not.toThrow();
  });

  it.each([false, true])('gives back what came to nothing, rolling: %s', (rolling) => {
    let nowMs = 0;
    const counter = new WindowCounter('mails', { max: 3, windowMs: 1_000, rolling, now: () => nowMs });
    counter.consume('p', 2);
    nowMs = 100;
    counter.consume('p');
    counter.giveBack('p', 2);
    expect(counter.tryConsume('p', 2)).toMatchObject({ isRefused: false, left: 0 });
    counter.giveBack('p', 9); // no more than were counted
    expect(counter.tryConsume('p', 3)).toMatchObject({ isRefused: false, left: 0 });
    nowMs = 2_000;
    counter.giveBack('p', 1); // over by now
    expect(counter.tryConsume('p', 4).isRefused).toBe(true);
    expect(counter.tryConsume('p', 3).isRefused).toBe(false);
  });

  it('says how much is left, and until when', () => {
    let nowMs = 0;
    const counter = new WindowCounter('http_address', { max: 2, windowMs: 1_000, now: () => nowMs });
    expect(counter.tryConsume('p')).toEqual({ isRefused: false, left: 1, waitMs: 1_000 });
    nowMs = 300;
    expect(counter.tryConsume('p')).toEqual({ isRefused: false, left: 0, waitMs: 700 });
    expect(counter.tryConsume('p')).toEqual({ isRefused: true, left: 0, waitMs: 700 });
  });
});
