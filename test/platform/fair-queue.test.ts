/** A queue that is shared: turns between shares, order within one, and a fair part of the places for each. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import { FairQueue } from '../../daemon/platform/turns/fair-queue.js';
import { FairWork } from '../../daemon/platform/turns/fair-work.js';
import { DomainError } from '../../src/contract/errors.js';

describe('a fair queue', () => {
  it('takes one of each share in turn, each in its own order', () => {
    const queue = new FairQueue<string>({ shareMax: 9, queueMax: 9 });
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(item.charAt(0), item);
    expect(queue.take(4)).toEqual(['a1', 'b1', 'c1', 'a2']);
    expect(queue.take(9)).toEqual(['c2', 'a3']);
    expect(queue.take(1)).toEqual([]);
  });

  it('refuses a full share, and in a full queue only who has a fair part already', () => {
    const queue = new FairQueue<number>({ shareMax: 4, queueMax: 6 });
    expect([1, 2, 3, 4, 5].map((item) => queue.push('a', item))).toEqual([true, true, true, true, false]);
    expect([1, 2, 3, 4].map((item) => queue.push('b', item))).toEqual([true, true, true, false]);
    expect([1, 2, 3].map((item) => queue.push('c', item))).toEqual([true, true, false]);
  });

  it('loses nothing, doubles nothing, and keeps the order of a share', () => {
    const actions = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 4 })), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(actions, (done) => {
        const queue = new FairQueue<string>({ shareMax: 8, queueMax: 12 });
        const accepted: string[] = [];
        const taken: string[] = [];
        done.forEach((action, index) => {
          if (typeof action === 'number') taken.push(...queue.take(action));
          else if (queue.push(action, `${action}${index}`)) accepted.push(`${action}${index}`);
          expect(queue.length).toBe(accepted.length - taken.length);
        });
        taken.push(...queue.take(100));
        const of = (share: string, items: readonly string[]) => items.filter((item) => item.startsWith(share));
        for (const share of ['a', 'b', 'c']) expect(of(share, taken)).toEqual(of(share, accepted));
      }),
    );
  });
});

describe('fair work', () => {
  it('is done again until it succeeds, each share in its order and all of them in turn', async () => {
    const done: string[] = [];
    let away = 2;
    const work = new FairWork<string>(
      async (item) => {
        if (item === 'refused') throw new DomainError('participant_not_found');
        if (away-- > 0) throw new Error('The database is away.');
        done.push(item);
        if (item === 'a3') finish();
      },
      'lost',
      createLogger('silent'),
      1,
    );
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    for (const item of ['a1', 'a2', 'refused', 'a3', 'b1', 'b2'])
      work.add(item === 'refused' ? 'a' : item.charAt(0), item);
    await finished;
    await work.stop();
    expect(done).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']); // the first began before the others came
  });
});
