import { describe, expect, it } from 'vitest';
import { GroupCommit } from '../../../daemon/platform/database/group-commit.js';
import { currentRecord, within } from '../../../daemon/platform/database/request-record.js';

const limits = { delayMs: 1, batchMax: 2, shareMax: 4, queueMax: 8 };

/** Stores numbers, not before it is let; refuses the odd ones. */
function store(shareOf: (item: number) => string = () => '') {
  const stored: number[] = [];
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const commits = new GroupCommit<number, string>(
    'delivery_records',
    async (items) => {
      await gate;
      if (items.some((item) => item % 2 === 1)) throw new Error('odd');
      stored.push(...items);
      return items.map((item) => `stored ${item}`);
    },
    limits,
    { shareOf },
  );
  return { commits, stored, open };
}

describe('requests that are committed together', () => {
  it('are answered each for itself, in as few transactions as they fit into', async () => {
    const { commits, stored, open } = store();
    const answers = Promise.all([2, 4, 6].map((item) => commits.submit(item)));
    open();
    expect(await answers).toEqual(['stored 2', 'stored 4', 'stored 6']);
    expect(stored).toEqual([2, 4, 6]);
  });

  it('are stored in several transactions where one turns out to be too large', async () => {
    const batches: number[][] = [];
    const commits = new GroupCommit<number, number>(
      'delivery_records',
      async (items) => {
        batches.push([...items]);
        return items.slice(0, 2);
      },
      { ...limits, batchMax: 4 },
    );
    const items = [2, 4, 6, 8];
    expect(await Promise.all(items.map((item) => commits.submit(item)))).toEqual(items);
    expect(batches).toEqual([items, [6, 8]]);
    expect(commits.waiting).toBe(0);
  });

  it('are stored in the name of none of them', async () => {
    const records: unknown[] = [];
    const commits = new GroupCommit<number, number>(
      'delivery_records',
      async (items) => {
        records.push(currentRecord());
        return items;
      },
      limits,
    );
    const request = (items: readonly number[]) =>
      within(
        async () => {},
        () => Promise.all(items.map((item) => commits.submit(item))),
      );
    for (const items of [[1], [2, 3, 4], [5]]) await request(items); // by a timer, at once, behind a batch
    expect(records.length).toBeGreaterThan(3);
    expect(records.filter((record) => record !== undefined)).toEqual([]);
  });

  it('do not wait for others once as many are there as the last time', async () => {
    const batches: number[][] = [];
    const commits = new GroupCommit<number, number>(
      'delivery_records',
      async (items) => {
        batches.push([...items]);
        return items;
      },
      { ...limits, delayMs: 3_600_000, batchMax: 3 },
    );
    const submit = (...items: number[]) => Promise.all(items.map((item) => commits.submit(item)));
    await submit(1, 2, 3);
    const [two] = [submit(4, 5)];
    await new Promise((resolve) => setTimeout(resolve, 20)); // a third may still come
    expect(batches).toEqual([[1, 2, 3]]);
    await commits.drain();
    await two;
    await submit(6, 7);
    expect(batches).toEqual([
      [1, 2, 3],
      [4, 5],
      [6, 7],
    ]);
  });

  it('do not fail with the one that spoils it', async () => {
    const { commits, stored, open } = store();
    const answers = Promise.allSettled([2, 3].map((item) => commits.submit(item)));
    open();
    expect(await answers).toMatchObject([{ value: 'stored 2' }, { reason: { message: 'odd' } }]);
    expect(stored).toEqual([2]);
  });

  it('fail together where the database is not there: none is tried by itself', async () => {
    let asked = 0;
    const commits = new GroupCommit<number, string>(
      'delivery_records',
      async () => {
        asked += 1;
        throw Object.assign(new Error('nobody listens'), { code: 'P1001' });
      },
      limits,
    );
    const answers = await Promise.allSettled([2, 4].map((item) => commits.submit(item)));
    expect(answers).toMatchObject([{ reason: { code: 'P1001' } }, { reason: { code: 'P1001' } }]);
    expect(asked).toBe(1);
  });

  it('wait for one another up to a limit; whoever comes then is told to wait', async () => {
    const { commits, stored, open } = store();
    // Two are on their way to the disk, four wait.
    const running = [2, 4].map((item) => commits.submit(item));
    const waiting = [6, 8, 10, 12].map((item) => commits.submit(item));
    await expect(commits.submit(14)).rejects.toMatchObject({ code: 'overloaded', status: 503, retryAfterSeconds: 1 });
    open();
    await Promise.all([...running, ...waiting]);
    await commits.drain();
    expect(stored).toEqual([2, 4, 6, 8, 10, 12]);
    expect(await commits.submit(14)).toBe('stored 14');
  });

  it('take turns with those of others, who find their own places free', async () => {
    const { commits, stored, open } = store((item) => (item < 100 ? 'one' : 'other'));
    const running = [2, 4].map((item) => commits.submit(item));
    const waiting = [6, 8, 10, 12].map((item) => commits.submit(item));
    await expect(commits.submit(14)).rejects.toMatchObject({ code: 'overloaded' });
    const others = [100, 102].map((item) => commits.submit(item));
    open();
    await Promise.all([...running, ...waiting, ...others]);
    expect(stored).toEqual([2, 4, 6, 100, 8, 102, 10, 12]);
  });

  it('are refused by a full queue only where they have their part of it', async () => {
    const { commits, open } = store((item) => `share ${item % 100}`);
    const running = [200, 200].map((item) => commits.submit(item));
    const waiting = [200, 200, 200, 200, 202, 202, 202, 202].map((item) => commits.submit(item)); // eight in all
    for (const item of [200, 202]) await expect(commits.submit(item)).rejects.toMatchObject({ code: 'overloaded' });
    const late = commits.submit(204);
    open();
    expect(await Promise.all([...running, ...waiting, late])).toHaveLength(11);
  });
});
