/** Reads in turn: those that take long, one after the other, tenants by the time that theirs took. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { SlowReads } from '../../../daemon/platform/limits/slow-reads.js';

/** Longer than what counts as quick. */
const slowMs = 10;

function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** A promise, and what resolves it. */
function promised(): [Promise<void>, () => void] {
  let resolve = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return [promise, resolve];
}

/** Reads that note their beginning, and how many are under way. */
function observed(turns: SlowReads) {
  const begun: string[] = [];
  let underWay = 0;
  let most = 0;
  const read = (tenant: string, operation: string, ms: number) =>
    turns.run(tenant, operation, async () => {
      begun.push(tenant);
      underWay += 1;
      most = Math.max(most, underWay);
      work(ms);
      await Promise.resolve();
      underWay -= 1;
    });
  return { begun, read, most: () => most };
}

describe('reads that take long', () => {
  it('begin one after the other, with turns of the event loop for others in between', async () => {
    const { begun, read } = observed(new SlowReads(1));
    let turnsOfOthers = 0;
    let isOver = false;
    const others = async () => {
      for (; !isOver; turnsOfOthers += 1) await nextTurn();
    };
    const watching = others();
    await Promise.all(Array.from({ length: 8 }, () => read('a', 'figures', slowMs)));
    isOver = true;
    await watching;
    expect(begun).toHaveLength(8);
    expect(turnsOfOthers).toBeGreaterThanOrEqual(7 * 10);
  });

  it('of one tenant let another one in, which waits for one of them', async () => {
    const { begun, read } = observed(new SlowReads(1));
    await read('a', 'figures', slowMs);
    const many = Array.from({ length: 20 }, () => read('a', 'figures', slowMs));
    const one = read('b', 'person', 0);
    await Promise.all([...many, one]);
    expect(begun.indexOf('b')).toBeLessThanOrEqual(3);
  });

  it('cost a tenant as many turns as they took times as long', async () => {
    const { begun, read } = observed(new SlowReads(1));
    await read('a', 'figures', 8 * slowMs);
    const ofA = Array.from({ length: 4 }, () => read('a', 'figures', slowMs));
    const ofB = Array.from({ length: 12 }, () => read('b', 'people', slowMs / 2 + 1));
    await Promise.all([...ofA, ...ofB]);
    const until = begun.lastIndexOf('b');
    expect(begun.slice(1, until).filter((tenant) => tenant === 'a').length).toBeLessThanOrEqual(3);
  });

  it('that wait for something outside keep no other from beginning', async () => {
    const turns = new SlowReads(1);
    const [answered, answer] = promised();
    const outside = turns.run('a', 'rooms', () => answered);
    await turns.run('a', 'figures', async () => {});
    answer();
    await outside;
  });
});

describe('reads that are quick', () => {
  it('wait for no turn once they are known, and fail as they fail', async () => {
    const turns = new SlowReads(1);
    await turns.run('a', 'person', async () => {});
    const [answered, answer] = promised();
    const slow = turns.run('a', 'rooms', () => answered);
    let isRead = false;
    await turns.run('a', 'person', async () => (isRead = true));
    expect(isRead).toBe(true);
    await expect(turns.run('a', 'person', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    answer();
    await slow;
  });

  it('are few at once: with another range the same operation may take long', async () => {
    const turns = new SlowReads(1);
    await turns.run('a', 'figures', async () => {});
    let underWay = 0;
    let most = 0;
    const read = () =>
      turns.run('a', 'figures', async () => {
        underWay += 1;
        most = Math.max(most, underWay);
        await nextTurn();
        underWay -= 1;
      });
    await Promise.all(Array.from({ length: 40 }, read));
    expect(most).toBeLessThanOrEqual(8);
  });
});
