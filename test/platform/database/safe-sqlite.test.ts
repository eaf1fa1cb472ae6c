/** The limits of transactions on SQLite's one writing connection. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isOutage } from '../../../daemon/platform/database/errors.js';
import { PrismaClient } from '../../../daemon/platform/database/generated/sqlite/client.js';
import { JoiningClient } from '../../../daemon/platform/database/joining-client.js';
import { safeSqlite, type WritingSqlite } from '../../../daemon/platform/database/safe-sqlite.js';
import { connectionArrived } from '../../../daemon/platform/turns/arrivals.js';
import { openSqlite, type TestDatabase } from '../../support/database.js';

const insert = `INSERT INTO "StreamHead" ("shard", "position") VALUES (?, 0)`;
const lasting = { maxWait: 5_000, timeout: 5_000 };

let database: TestDatabase;
let sqlite: WritingSqlite;
let prisma: PrismaClient;

beforeAll(async () => {
  database = await openSqlite();
  sqlite = safeSqlite(database.url.slice('file:'.length));
  prisma = new PrismaClient({ adapter: sqlite });
  await prisma.$connect();
});
afterAll(async () => {
  await prisma.$disconnect();
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

it('tenants take turns: one that writes a lot does not keep another waiting, nor the event loop', async () => {
  const written: string[] = [];
  const write = async (tenantId: string) => {
    const open = await sqlite.begin(lasting, tenantId);
    open.statements.query('SELECT max("position") FROM "StreamHead"', []);
    open.commit();
    written.push(tenantId);
  };
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  const many = Array.from({ length: 2_000 }, () => write('busy'));
  const one = write('quiet');
  const beganMs = performance.now();
  setImmediate(turn);
  await Promise.all([...many, one]);
  isOver = true;
  expect(written.indexOf('quiet')).toBeLessThanOrEqual(2);
  // A piece of work gives way after ten milliseconds; a machine that others use may be slower.
  expect(turns).toBeGreaterThan((performance.now() - beganMs) / 60);
});

it('a transaction lets connections in first, and waits for no stream of them', async () => {
  let arriving = true;
  let arrived = 0;
  const arrive = () => {
    connectionArrived();
    arrived += 1;
    if (arriving) setImmediate(arrive);
  };
  arrive();
  for (let count = 1; count <= 3; count += 1) {
    const before = arrived;
    (await sqlite.begin(lasting)).rollback();
    expect(arrived).toBeGreaterThan(before);
  }
  arriving = false;
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

it('Prisma, which has joined a transaction that took too long, does nothing in the next one', async () => {
  const slow = await sqlite.begin({ maxWait: 5_000, timeout: 50 });
  const { tx } = new JoiningClient(prisma, slow, lasting);
  await tx.streamHead.create({ data: { shard: 107, position: 0n } });
  const next = await sqlite.begin(lasting);
  await expect(tx.streamHead.create({ data: { shard: 108, position: 0n } })).rejects.toThrow('ended');
  next.commit();
  await expect(tx.streamHead.create({ data: { shard: 109, position: 0n } })).rejects.toThrow('ended');
  expect((await shards()).filter((shard) => shard > 106)).toEqual([]);
});

it('Prisma does not join the next one for a transaction that took too long', async () => {
  const slow = await sqlite.begin({ maxWait: 5_000, timeout: 20 });
  const { tx } = new JoiningClient(prisma, slow, lasting);
  const next = await sqlite.begin(lasting);
  await expect(tx.streamHead.create({ data: { shard: 108, position: 0n } })).rejects.toThrow('ended');
  next.commit();
  expect((await shards()).filter((shard) => shard > 106)).toEqual([]);
});

it('a transaction that SQLite has undone by itself ends, and the next one begins', async () => {
  const given = await sqlite.begin(lasting);
  given.statements.execute(insert, [110]);
  expect(() => given.statements.execute(insert.replace('INSERT', 'INSERT OR ROLLBACK'), [110])).toThrow('UNIQUE');
  given.rollback();
  const next = await sqlite.begin(lasting);
  next.statements.execute(insert, [111]);
  next.commit();
  expect((await shards()).filter((shard) => shard > 109)).toEqual([111]);
});

it('a commit that fails stores nothing, and the next one begins', async () => {
  const given = await sqlite.begin(lasting);
  given.statements.execute('PRAGMA defer_foreign_keys = ON', []);
  given.statements.execute(`INSERT INTO "RevokedToken" ("jti", "expiresAt") VALUES ('with it', '2026-01-01')`, []);
  given.statements.execute(
    `INSERT INTO "Project" ("id", "tenantId", "name", "billingProjectId", "createdAt")
     VALUES ('p', 'nobody', 'p', 'p', '2026-01-01')`,
    [],
  );
  expect(() => given.commit()).toThrow('FOREIGN KEY');
  const next = await sqlite.begin(lasting);
  next.commit();
  expect(await database.database.read.revokedToken.count()).toBe(0);
});
