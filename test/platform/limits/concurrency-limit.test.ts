/** Limit of operations at the same time. */
import { describe, expect, it } from 'vitest';
import { ConcurrencyLimit } from '../../../daemon/platform/limits/concurrency-limit.js';

describe('things at the same time', () => {
  it.each([
    { perOwner: 2, max: 3, owners: 'aaabbb', begun: 'aab' },
    { perOwner: 2, max: undefined, owners: 'aaabbbc', begun: 'aabbc' },
    { perOwner: undefined, max: 2, owners: 'aaa', begun: 'aa' },
  ])('are $perOwner of one owner and $max of all: of $owners begin $begun', ({ perOwner, max, owners, begun }) => {
    const limit = new ConcurrencyLimit('exports', {
      ...(perOwner === undefined ? {} : { perOwner }),
      ...(max === undefined ? {} : { max }),
      code: 'rate_limited',
      message: 'As many run as may.',
      retryAfterSeconds: 7,
    });
    const refusal = expect.objectContaining({
      code: 'rate_limited',
      message: 'As many run as may.',
      retryAfterSeconds: 7,
    });
    const entered = [...owners].filter((owner) => {
      try {
        return limit.enter(owner);
      } catch (error) {
        expect(error).toEqual(refusal);
        return false;
      }
    });
    expect(entered.join('')).toBe(begun);
  });

  it('give their place back once, when they end and when they fail', async () => {
    const limit = new ConcurrencyLimit('outside_waits', { perOwner: 1, code: 'overloaded' });
    const leave = limit.enter('a');
    await expect(limit.run('a', async () => 1)).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
    leave();
    leave();
    await expect(limit.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    const again = limit.enter('a');
    expect(() => limit.enter('a')).toThrow();
    again();
    expect(await limit.run('a', async () => 2)).toBe(2);
  });
});
