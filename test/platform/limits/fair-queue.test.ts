/** A queue that is shared: turns between shares, order within one, and a fair part of the places for each. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue } from '../../../daemon/platform/limits/fair-queue.js';
import { createLogger } from '../../../daemon/platform/observability/logger.js';
import { FairWork } from '../../../daemon/platform/turns/fair-work.js';
import { DomainError } from '../../../src/contract/errors.js';

describe('a fair queue', () => {
  it('takes one of each share in turn, each in its own order', () => {
    const queue = new FairQueue<string>('game_event_queue', { shareMax: 9, queueMax: 9 });
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(item.charAt(0), item);
    expect(queue.take(4)).toEqual(['a1', 'b1', 'c1', 'a2']);
    expect(queue.take(9)).toEqual(['c2', 'a3']);
    expect(queue.take(1)).toEqual([]);
  });

  it('refuses a full share, and in a full queue only who has a fair part already', () => {
    const queue = new FairQueue<number>('game_event_queue', { shareMax: 4, queueMax: 6 });
    expect([1, 2, 3, 4, 5].map((item) => queue.push('a', item))).toEqual([true, true, true, true, false]);
    expect([1, 2, 3, 4].map((item) => queue.push('b', item))).toEqual([true, true, true, false]);
    expect([1, 2, 3].map((item) => queue.push('c', item))).toEqual([true, true, false]);
  });

  it('lets a share wait for as many turns as its items cost, unless it is alone', () => {
    const queue = new FairQueue<string>('game_event_queue', { shareMax: 99, queueMax: 99 }, (item) =>
      item.startsWith('a') ? 3 : 1,
    );
    for (const item of ['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'b4', 'b5']) queue.push(item.charAt(0), item);
    expect(queue.take(7)).toEqual(['a1', 'b1', 'b2', 'b3', 'a2', 'b4', 'b5']);
    expect(queue.take(9)).toEqual(['a3']);
  });

  it('ends with the item that makes all cost as much as they may', () => {
    const queue = new FairQueue<number>('game_event_queue', { shareMax: 99, queueMax: 99 }, (item) => item);
    for (const item of [2, 2, 9, 1]) queue.push('a', item);
    expect(queue.take(9, 4)).toEqual([2, 2]);
    expect(queue.take(9, 4)).toEqual([9]);
    expect(queue.take(9, 4)).toEqual([1]);
  });

  it('gives the parts of a share turns and places of their own, and the share no more turns for them', () => {
    const queue = new FairQueue<string>('game_event_queue', { shareMax: 2, queueMax: 99 });
    const push = (item: string) => queue.push(item.charAt(0), item, item.slice(0, 2));
    expect(['ax1', 'ax2', 'ax3', 'ay1', 'az1', 'b1'].map(push)).toEqual([true, true, false, true, true, true]);
    expect(queue.take(9)).toEqual(['ax1', 'b1', 'ay1', 'az1', 'ax2']);
  });

  it('takes back what was taken, before what came later', () => {
    const queue = new FairQueue<number>('game_event_queue', { shareMax: 2, queueMax: 2 });
    queue.push('a', 1);
    queue.push('a', 2);
    const [first = 0] = queue.take(1);
    queue.push('a', 3);
    queue.putBack('a', first);
    expect(queue.length).toBe(3);
    expect(queue.take(9)).toEqual([1, 2, 3]);
  });

  it('takes nothing of shares that may have none now, and lets items that wait be removed', () => {
    const queue = new FairQueue<string>('offer_queue', { shareMax: 9, queueMax: 9 });
    for (const item of ['a1', 'b1', 'a2', 'b2']) queue.push(item.charAt(0), item);
    expect(queue.take(9, Number.POSITIVE_INFINITY, (share) => share === 'b')).toEqual(['b1', 'b2']);
    queue.remove('a', 'a1');
    queue.remove('a', 'a1');
    queue.remove('c', 'a1');
    expect([queue.length, ...queue.take(9)]).toEqual([1, 'a2']);
    queue.push('a', 'a3');
    queue.remove('a', 'a3');
    expect([queue.length, ...queue.take(9)]).toEqual([0]);
  });

  it('loses nothing, doubles nothing, and keeps the order of a share', () => {
    const actions = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 4 })), {
      maxLength: 80,
    });
    fc.assert(
      fc.property(actions, (done) => {
        const queue = new FairQueue<string>('game_event_queue', { shareMax: 8, queueMax: 12 });
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
