/** What is repeated in a process shares its ticks, and comes as often as it asks for. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { every } from '../../daemon/platform/time/ticks.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

it('comes once in each interval, by one timer for all', () => {
  const calls = { half: 0, one: 0, other: 0, minute: 0 };
  const ends = [
    every(500, () => void calls.half++),
    every(1_000, () => void calls.one++),
    every(1_000, () => void calls.other++),
    every(60_000, () => void calls.minute++),
  ];
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(120_000);
  expect(calls).toEqual({ half: 240, one: 120, other: 120, minute: 2 });
  for (const end of ends) end();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(120_000);
  expect(calls).toEqual({ half: 240, one: 120, other: 120, minute: 2 });
});

it('comes by a timer of its own where the interval is no multiple of the tick', () => {
  let calls = 0;
  const end = every(50, () => void calls++);
  vi.advanceTimersByTime(1_000);
  end();
  expect([calls, vi.getTimerCount()]).toEqual([20, 0]);
});

it('lets each piece be the first in its turn', () => {
  const firsts = new Set<string>();
  let isFirst = true;
  const come = (name: string) => () => {
    if (isFirst) firsts.add(name);
    isFirst = false;
  };
  const ends = ['a', 'b', 'c', 'd'].map((name) => every(500, come(name)));
  for (let n = 0; n < 200; n += 1) {
    isFirst = true;
    vi.advanceTimersByTime(500);
  }
  for (const end of ends) end();
  expect([...firsts].sort()).toEqual(['a', 'b', 'c', 'd']);
});
