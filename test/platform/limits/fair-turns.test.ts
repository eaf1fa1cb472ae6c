/** Pieces of work of several owners: few at a time, owners in turn. */
import { describe, expect, it } from 'vitest';
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
    const turns = new FairTurns('answer_pages', places);
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
});
