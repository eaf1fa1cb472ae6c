/** The order-statistic structure against a sorted array. */
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { rankChanges } from '../../daemon/modules/leaderboards/rank-changes.js';
import { compareKeys, type Ranked, RankedList } from '../../daemon/modules/leaderboards/ranked-list.js';
import { scale } from '../support/scale.js';

const ids = Array.from({ length: 4_000 }, () => uuidv7());
const later = Array.from({ length: 4_000 }, () => uuidv7());

/** Model of the list, by sorting. */
class SortedArray {
  private members = new Map<string, Ranked>();
  set(one: Ranked): void {
    this.members.set(one.memberId, one);
  }
  delete(memberId: string): boolean {
    return this.members.delete(memberId);
  }
  get sorted(): Ranked[] {
    return [...this.members.values()].sort(compareKeys);
  }
}

type Step = { readonly member: number; readonly score: number | null };
const steps = (members: number, scores: number) =>
  fc.array(
    fc.record({
      member: fc.integer({ min: 0, max: members }),
      score: fc.option(fc.integer({ min: -scores, max: scores }), { freq: 5 }),
    }),
    { minLength: 1, maxLength: scale(2_500, 4_000), size: 'max' },
  );

const play = (run: readonly Step[]) => {
  const list = new RankedList();
  const model = new SortedArray();
  run.forEach(({ member, score }, index) => {
    const memberId = `m${member}`;
    if (score === null) expect(list.delete(memberId)).toBe(model.delete(memberId));
    else {
      const key = { sortKey: score, reachedId: ids[index] ?? '' };
      list.set(memberId, key);
      model.set({ memberId, ...key });
    }
  });
  return { list, sorted: model.sorted };
};

describe('RankedList', () => {
  it.each([
    ['few scores, so that ties are many', 1_500, 3],
    ['many scores', 1_500, 2 ** 51], // of larger ones, half more is no other number
    ['few members', 4, 5],
  ])('says what a sorted array says: %s', (_, members, scores) => {
    fc.assert(
      fc.property(steps(members, scores), fc.nat(), fc.nat({ max: 50 }), (run, offset, limit) => {
        const { list, sorted } = play(run);
        expect(list.size).toBe(sorted.length);
        const placed = sorted.map(({ memberId, sortKey }) => ({ memberId, sortKey }));
        expect(list.page(0, sorted.length + 1)).toEqual(placed);
        const from = sorted.length === 0 ? offset : offset % (sorted.length + 2);
        expect(list.page(from, limit)).toEqual(placed.slice(from, from + limit));
        sorted.forEach((one, index) => {
          expect(list.rankOf(one.memberId)).toBe(index + 1);
        });
        for (const one of sorted.slice(0, 20)) {
          expect(list.get(one.memberId)).toEqual(one);
          expect(list.countBefore(one)).toBe(sorted.indexOf(one));
          expect(list.countBefore({ ...one, sortKey: one.sortKey + 0.5 })).toBe(
            sorted.filter(({ sortKey }) => sortKey <= one.sortKey).length,
          );
        }
      }),
      { numRuns: scale(15, 500) },
    );
  });

  it('has neither a rank nor a key for somebody who is not in it', () => {
    const list = new RankedList();
    list.set('a', { sortKey: 1, reachedId: uuidv7() });
    list.delete('a');
    expect([list.rankOf('a'), list.get('a'), list.size, list.page(0, 5)]).toEqual([null, null, 0, []]);
  });
});

describe('rankChanges', () => {
  it('tells the ranks that each change has when all before it are made, before any of them is', () => {
    fc.assert(
      fc.property(steps(40, 5), steps(40, 5), (earlier, batch) => {
        const { list } = play(earlier);
        const model = play(earlier).list;
        const expected: unknown[] = [];
        const changes = batch.flatMap(({ member, score }, index) => {
          if (score === null) return []; // events take nobody off
          const memberId = `m${member}`;
          const [before, was] = [model.get(memberId), model.rankOf(memberId)];
          const after = { sortKey: score, reachedId: later[index] ?? '' };
          model.set(memberId, after);
          expected.push({ before: was ?? -1, after: model.rankOf(memberId) });
          return [{ before, after }];
        });
        expect(rankChanges(changes, (key) => list.countBefore(key))).toEqual(expected);
      }),
      { numRuns: scale(15, 500) },
    );
  });
});
