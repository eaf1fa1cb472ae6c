/** Fate of a transaction on PostgreSQL that stands still, or that waits for one that does. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idleMaxMs } from '../../../daemon/platform/database/bounded-postgresql.js';
import type { Transaction } from '../../../daemon/platform/database/database.js';
import { openPostgresql, type TestDatabase } from '../../support/database.js';
import { hasPostgresql } from '../../support/postgresql.js';

const testMs = 60_000;

describe.skipIf(!hasPostgresql)('a transaction on PostgreSQL', { timeout: testMs }, () => {
  let opened: TestDatabase;
  let other: pg.Client;
  beforeAll(async () => {
    opened = await openPostgresql();
    other = new pg.Client({ connectionString: opened.url });
    await other.connect();
  });
  afterAll(async () => {
    await other.end();
    await opened.close();
  });

  const insert = (tx: Transaction, shard: number) => tx.streamHead.create({ data: { shard, position: 0n } });
  const shards = async (shard: number) => opened.database.read.streamHead.count({ where: { shard } });

  it('that stands still is ended by the server, lets go of its locks, and is done again', async () => {
    let attempts = 0;
    await opened.database.transaction(async (tx) => {
      attempts += 1;
      await insert(tx, 1);
      if (attempts === 1) await sleep(idleMaxMs * 1.3);
      await insert(tx, 2);
    });
    expect([attempts, await shards(1), await shards(2)]).toEqual([2, 1, 1]);
  });

  it('is done again where it stood still before its commit', async () => {
    let attempts = 0;
    await opened.database.transaction(async (tx) => {
      attempts += 1;
      await insert(tx, 3);
      if (attempts === 1) await sleep(idleMaxMs * 1.3);
    });
    expect([attempts, await shards(3)]).toEqual([2, 1]);
  });

  it('waits a limited time for a lock, and tries again', async () => {
    await opened.database.transaction((tx) => insert(tx, 4));
    await other.query('BEGIN');
    await other.query('SELECT 1 FROM "StreamHead" WHERE "shard" = 4 FOR UPDATE');
    let attempts = 0;
    const changed = opened.database.transaction(async (tx) => {
      attempts += 1;
      await tx.streamHead.update({ where: { shard: 4 }, data: { position: 7n } });
    });
    await sleep(idleMaxMs);
    await other.query('COMMIT');
    await changed;
    expect(attempts).toBe(2);
    expect((await opened.database.read.streamHead.findUnique({ where: { shard: 4 } }))?.position).toBe(7n);
  });

  it('has its limits alone: another on the same connection has its own', async () => {
    const asked = 'SELECT current_setting($1) AS value';
    const valueIn = (tx: Pick<Transaction, '$queryRawUnsafe'>) =>
      tx.$queryRawUnsafe<{ value: string }[]>(asked, 'idle_in_transaction_session_timeout');
    expect(await opened.database.transaction(valueIn)).toEqual([{ value: `${idleMaxMs / 1000}s` }]);
    expect(await valueIn(opened.database.read)).toEqual([{ value: '0' }]);
  });

  it('that waits for its turn leaves the row to others of the same process one at a time', async () => {
    const order: string[] = [];
    const turn = (name: string) =>
      opened.database.transaction(async (tx) => {
        await opened.database.takeTurnHere(tx);
        order.push(`${name} begins`);
        await sleep(20);
        order.push(`${name} ends`);
        if (name === 'b') throw new Error('refused');
      });
    const all = await Promise.allSettled(['a', 'b', 'c'].map(turn));
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const turns = order.filter((line) => line.endsWith('begins')).map((line) => line[0]);
    expect(order).toEqual(turns.flatMap((name) => [`${name} begins`, `${name} ends`]));
    expect(turns).toHaveLength(3);
  });
});
