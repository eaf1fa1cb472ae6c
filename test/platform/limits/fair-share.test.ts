/** A bounded number of places, of which nobody holds more than are still free. */
import { describe, expect, it } from 'vitest';
import { FairShare } from '../../../daemon/platform/limits/fair-share.js';

describe('FairShare', () => {
  /** Each takes in turn until nobody gets any more. */
  const shares = (each: number, together: number, many: number): number[] => {
    const share = new FairShare({ each, together });
    const got = Array.from({ length: many }, () => 0);
    for (let took = true; took; ) {
      took = false;
      for (const index of got.keys()) {
        if (!share.acquire(String(index))) continue;
        got[index] = (got[index] ?? 0) + 1;
        took = true;
      }
    }
    return got;
  };

  it.each([
    { each: 1_000, together: 5_000, many: 1, expected: [1_000] },
    { each: 1_000, together: 5_000, many: 4, expected: [1_000, 1_000, 1_000, 1_000] },
    { each: 1_000, together: 1_000, many: 1, expected: [500] },
    { each: 1_000, together: 120, many: 3, expected: [30, 30, 30] },
  ])('gives $many of them $expected of $together, $each at most', ({ each, together, many, expected }) => {
    expect(shares(each, together, many)).toEqual(expected);
  });

  it('takes several places at once, or none of them', () => {
    const share = new FairShare({ each: 100, together: 100 });
    expect([share.acquire('a', 30), share.acquire('a', 30), share.acquire('a', 20)]).toEqual([true, true, false]);
    share.release('a', 40);
    expect(share.taken).toBe(20);
  });

  it('leaves something to whoever comes after the greedy, and gives back what is released', () => {
    const share = new FairShare({ each: 100, together: 10 });
    for (let index = 0; index < 100; index += 1) share.acquire('greedy');
    expect(share.acquire('late')).toBe(true);
    expect(share.acquire('greedy')).toBe(false);
    share.release('late');
    for (let index = 0; index < 5; index += 1) share.release('greedy');
    expect(share.acquire('greedy')).toBe(true);
  });
});
