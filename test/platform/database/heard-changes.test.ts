/** Daemons that share PostgreSQL know whether anything was stored without asking it again and again. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../daemon/platform/database/database.js';
import { HeardChanges } from '../../../daemon/platform/database/heard-changes.js';
import { wakeUpsOf } from '../../../daemon/platform/foundation.js';
import { startDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../../support/postgresql.js';

/** Longer than what is stored at the same time is gathered. */
const gatheredMs = 400;
/** Within this a change of the version says that something was stored; after it, that nobody said so for a while. */
const unheardMs = 30_000;
/** What a start stores and looks for is over, and counted. */
const settledMs = 6_000;
const idleMs = 8_000;

describe.skipIf(!hasPostgresql)('what two daemons of a database store', () => {
  let server: PostgresqlServer;
  const opened: (() => Promise<void>)[] = [];

  async function daemon() {
    const database = await Database.connect(server.url);
    const wakeUps = await wakeUpsOf(database, 'tried');
    opened.push(
      () => wakeUps.stop(),
      () => database.close(),
    );
    expect(database.version()).toBeNull(); // what the others store is not heard yet
    await wakeUps.start();
    database.changes?.follow(wakeUps);
    return database;
  }
  let one: Database;
  let other: Database;
  beforeAll(async () => {
    server = await startPostgresql();
    one = await daemon();
    other = await daemon();
  });
  afterAll(async () => {
    for (const close of opened) await close();
    await server?.stop();
  });

  /** Runs what follows far from the time at which the version changes by itself. */
  async function awayFromTheEdge(neededMs = 4_000): Promise<void> {
    const left = unheardMs - (performance.now() % unheardMs);
    if (left < neededMs) await sleep(left + 50);
  }
  const add = (name: string) =>
    one.transaction((tx) =>
      tx.$executeRawUnsafe(
        `INSERT INTO "RoleLease" ("role", "holder", "url", "endsAt") VALUES ($1, '', '', now())`,
        name,
      ),
    );
  const versions = () => [one.version(), other.version()] as const;

  it('changes the version of both, at once where it was stored', async () => {
    await awayFromTheEdge();
    const [here, there] = versions();
    await add('stored');
    expect(one.version()).not.toBe(here);
    await eventually(() => expect(other.version()).not.toBe(there));
  });

  it.each([
    ['reads', 'SELECT * FROM "RoleLease"'],
    ['locks rows', 'SELECT * FROM "RoleLease" FOR UPDATE'],
    ['finds nothing to change', `UPDATE "RoleLease" SET "url" = '' WHERE "role" = 'nobody has it'`],
    ['reads by a query within', 'WITH found AS (SELECT * FROM "RoleLease") SELECT * FROM found'],
  ])('changes none by a transaction that only %s', async (_, statement) => {
    await awayFromTheEdge();
    await add(`before: ${statement}`);
    await sleep(gatheredMs);
    const before = versions();
    await one.transaction((tx) => tx.$queryRawUnsafe(statement));
    await sleep(gatheredMs);
    expect(versions()).toEqual(before);
  });

  it('changes none by what is rolled back', async () => {
    await awayFromTheEdge();
    await sleep(gatheredMs);
    const before = versions();
    const failing = one.transaction(async (tx) => {
      await tx.$executeRawUnsafe(`DELETE FROM "RoleLease"`);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await sleep(gatheredMs);
    expect(versions()).toEqual(before);
  });

  it('changes it by a query that stores within, and by Prisma', async () => {
    await awayFromTheEdge();
    const [, there] = versions();
    await one.transaction((tx) =>
      tx.$queryRawUnsafe(`WITH gone AS (DELETE FROM "RoleLease" RETURNING "role") SELECT * FROM gone`),
    );
    await eventually(() => expect(other.version()).not.toBe(there));
    const [, later] = versions();
    const endsAt = new Date();
    await one.transaction((tx) => tx.roleLease.create({ data: { role: 'by Prisma', holder: '', url: '', endsAt } }));
    await eventually(() => expect(other.version()).not.toBe(later));
  });

  it('a daemon that nobody uses asks seldom, and without an error', async () => {
    const own = await startPostgresql();
    const idle = await startDaemon({ settings: { DATABASE_URL: own.url } });
    const client = new pg.Client({ connectionString: own.url });
    await client.connect();
    await client.query('ALTER SYSTEM SET autovacuum = off'); // its transactions are no work of the daemon
    await client.query('SELECT pg_reload_conf()');
    const counts = async () => {
      const sql = 'SELECT xact_commit, xact_rollback FROM pg_stat_database WHERE datname = current_database()';
      const { rows } = await client.query<{ xact_commit: string; xact_rollback: string }>(sql);
      return { commits: Number(rows[0]?.xact_commit), rollbacks: Number(rows[0]?.xact_rollback) };
    };
    await awayFromTheEdge(settledMs + idleMs);
    await sleep(settledMs);
    const before = await counts();
    await sleep(idleMs);
    const after = await counts();
    await client.end();
    await idle.stop();
    await own.stop();
    expect(after.rollbacks).toBe(before.rollbacks);
    // Each second the lease of its rooms, and the size of the database.
    expect(after.commits - before.commits).toBeLessThan(7 * (idleMs / 1_000));
  });

  it('changes it after a while although nobody says that anything was stored', async () => {
    const changes = new HeardChanges(200);
    changes.follow({ isHearing: true, tellOthers: () => {}, onWake: () => () => {} });
    const before = changes.version();
    await eventually(() => expect(changes.version()).not.toBe(before), 1_000);
  });
});
