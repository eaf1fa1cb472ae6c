/** The limits of transactions on SQLite's one writing connection. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isOutage } from '../../../daemon/platform/database/errors.js';
import { safeSqlite, type WritingSqlite } from '../../../daemon/platform/database/safe-sqlite.js';
import { openSqlite, type TestDatabase } from '../../support/database.js';

const insert = `INSERT INTO "StreamHead" ("shard", "position") VALUES (?, 0)`;
const lasting = { maxWait: 5_000, timeout: 5_000 };

let database: TestDatabase;
let sqlite: WritingSqlite;
let close: () => Promise<void>;

beforeAll(async () => {
  database = await openSqlite();
  sqlite = safeSqlite(database.url.slice('file:'.length));
  const adapter = await sqlite.connect();
  close = () => adapter.dispose();
});
afterAll(async () => {
  await close();
  await database.close();
});

const shards = async () => (await database.database.read.streamHead.findMany()).map(({ shard }) => shard);

it('a transaction waits for its turn, and not for longer than it may', async () => {
  const first = await sqlite.begin(lasting);
  const late = sqlite.begin({ maxWait: 20, timeout: 5_000 });
  const patient = sqlite.begin(lasting);
  await expect(late).rejects.toSatisfy(isOutage);
  first.statements.execute(insert, [101]);
  first.commit();
  const second = await patient;
  second.statements.execute(insert, [102]);
  second.commit();
  expect(await shards()).toEqual(expect.arrayContaining([101, 102]));
});

it('a transaction that takes too long is rolled back, and the next one begins', async () => {
  const slow = await sqlite.begin({ maxWait: 5_000, timeout: 20 });
  slow.statements.execute(insert, [103]);
  const next = await sqlite.begin(lasting);
  expect(() => slow.statements.execute(insert, [104])).toThrow('ended');
  expect(() => slow.commit()).toThrow('ended');
  slow.rollback();
  next.statements.execute(insert, [105]);
  next.commit();
  await sleep(30);
  expect(await shards()).toEqual(expect.arrayContaining([105]));
  expect(await shards()).not.toEqual(expect.arrayContaining([103]));
});

it('a transaction that was rolled back stores nothing and is at its end', async () => {
  const given = await sqlite.begin(lasting);
  given.statements.execute(insert, [106]);
  given.rollback();
  expect(() => given.statements.query('SELECT 1', [])).toThrow('ended');
  expect(await shards()).not.toEqual(expect.arrayContaining([106]));
});
