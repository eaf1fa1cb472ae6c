/** The ranks of a leaderboard take the memory that the daemon counts for them. */
import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { RankedList } from '../../daemon/modules/leaderboards/ranked-list.js';
import { heapAfterCollection } from '../support/collect.js';
import { scale } from '../support/scale.js';

/** Returns a name as a database driver does: a string that shares no memory with others. */
const nameOf = (member: number, length: number): string =>
  Buffer.from(String(member).padStart(length, 'p')).toString('latin1');

const inUse = async (): Promise<number> => (await heapAfterCollection()) + process.memoryUsage().arrayBuffers;

async function measure(members: number, length: number): Promise<{ counted: number; taken: number }> {
  const before = await inUse();
  const list = new RankedList();
  for (let member = 0; member < members; member += 1)
    list.set(nameOf(member, length), { sortKey: (member * 7_919) % 1_000_003, reachedId: uuidv7() });
  const taken = (await inUse()) - before;
  return { counted: list.bytes, taken };
}

it.each([8, 36, 64])('within a quarter, with ids of %i characters', { timeout: 120_000 }, async (length) => {
  const { counted, taken } = await measure(scale(100_000, 1_000_000), length);
  expect(counted / taken).toBeGreaterThan(0.75);
  expect(counted / taken).toBeLessThan(1.25);
});

it('of at most 75 bytes a member, with UUIDs', { timeout: 120_000 }, async () => {
  const members = scale(100_000, 1_000_000);
  const before = await inUse();
  const list = new RankedList();
  for (let member = 0; member < members; member += 1)
    list.set(uuidv7(), { sortKey: (member * 7_919) % 1_000_003, reachedId: uuidv7() });
  const taken = (await inUse()) - before;
  expect(list.size).toBe(members);
  expect(taken / members).toBeLessThan(75);
});

it('without the ids of members who left', () => {
  const list = new RankedList();
  for (let member = 0; member < 100; member += 1)
    list.set(nameOf(member, 64), { sortKey: member, reachedId: uuidv7() });
  const full = list.bytes;
  for (let member = 0; member < 100; member += 1) list.delete(nameOf(member, 64));
  expect(full - list.bytes).toBeGreaterThan(64 * 100 * 0.9);
});
