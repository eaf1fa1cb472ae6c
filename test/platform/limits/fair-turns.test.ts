/** Pieces of work of several owners: few at a time, owners in turn. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { FairQueue } from '../../../daemon/platform/limits/fair-queue.js';
import { FairTurns } from '../../../daemon/platform/limits/fair-turns.js';
import { limitMetrics } from '../../../daemon/platform/limits/refusals.js';

const waits = async (): Promise<number> => {
  const read = limitMetrics.find(({ name }) => name === 'limit_waits')?.read;
  const figures = await read?.();
  return typeof figures === 'object' ? (figures.answer_pages ?? 0) : 0;
};

describe('turns', () => {
  it.each([
    { places: 1, asked: 'aaab', begun: 'aaba' },
    { places: 1, asked: 'aabbc', begun: 'aabcb' },
    { places: 2, asked: 'aaabc', begun: 'aaabc' },
  ])('with $places at once, of $asked in the order $begun', async ({ places, asked, begun }) => {
    const turns = new FairTurns('answer_pages', { concurrency: places });
    const order: string[] = [];
    let [running, most] = [0, 0];
    const before = await waits();
    const piece = (owner: string) => async () => {
      order.push(owner);
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
    };
    await Promise.all([...asked].map((owner) => turns.run(owner, piece(owner))));
    expect({ order: order.join(''), most, waited: (await waits()) - before }).toEqual({
      order: begun,
      most: places,
      waited: asked.length - places,
    });
  });

  /** Runs pieces that end when told to; notes which have begun, and which were refused. */
  function observed(turns: FairTurns) {
    const begun: string[] = [];
    const refused: string[] = [];
    const ends: (() => void)[] = [];
    const add = (name: string, queue?: FairQueue<() => void>, part?: string) =>
      void turns
        .run(
          name.charAt(0),
          () => {
            begun.push(name);
            return new Promise<void>((resolve) => void ends.push(resolve));
          },
          queue,
          part,
        )
        .catch(({ code }) => refused.push(`${name} ${code}`));
    const endNext = async () => {
      ends.shift()?.();
      await sleep(1);
    };
    return { begun, refused, add, endNext };
  }

  it('with a limit of each owner leave the other places to others', async () => {
    const { begun, add, endNext } = observed(new FairTurns('offer_queue', { concurrency: 3, perOwner: 2 }));
    for (const name of ['a1', 'a2', 'a3', 'b1', 'a4', 'b2']) add(name);
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    await endNext();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
    for (let left = 0; left < 4; left += 1) await endNext();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
  });

  it('go to the first queue before the others, and are refused where a queue is full', async () => {
    const limits = { shareMax: 2, queueMax: 2 };
    const first = new FairQueue<() => void>('password_hashes', limits);
    const second = new FairQueue<() => void>('password_hashes', limits);
    const { begun, refused, add, endNext } = observed(
      new FairTurns('password_hashes', { concurrency: 1, queues: [first, second], isElsewhere: true }),
    );
    for (const name of ['a1', 'a2', 'a3', 'a4']) add(name, second);
    for (const name of ['b1', 'c1']) add(name, first, 'part');
    await sleep(1);
    expect(refused).toEqual(['a4 overloaded']);
    for (let left = 0; left < 5; left += 1) await endNext();
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  });

  it('are refused, and wait no more, when they have waited for too long', async () => {
    const queue = new FairQueue<() => void>('offer_queue', { shareMax: 1, queueMax: 1 });
    const { begun, refused, add, endNext } = observed(
      new FairTurns('offer_queue', { concurrency: 1, queues: [queue], maxWaitMs: 20 }),
    );
    add('a1');
    add('a2');
    await vi.waitFor(() => expect(refused).toEqual(['a2 overloaded']));
    expect(queue.length).toBe(0);
    add('a3');
    await endNext();
    await vi.waitFor(() => expect(begun).toEqual(['a1', 'a3']));
  });
});
