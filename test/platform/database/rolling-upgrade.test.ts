/** Daemons of two versions on one PostgreSQL: the newer one only adds, and the older one goes on and can be started again. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { breakingStatements } from '../../../daemon/platform/database/expanding.js';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import { startDaemon } from '../../support/daemon.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../../support/postgresql.js';
import { earshotd } from '../../support/program.js';

const folder = fileURLToPath(new URL('../../../prisma/postgresql/migrations/', import.meta.url));
/** Rolling upgrades are supported from this one on. */
const first = '0090';
const dataDir = mkdtempSync(join(tmpdir(), 'earshot-rolling-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe('migrations of PostgreSQL', () => {
  it(`only add, from ${first} on`, () => {
    const names = readdirSync(folder).filter((name) => name >= first && !name.endsWith('.toml'));
    const found = names.flatMap((name) =>
      breakingStatements(readFileSync(`${folder}/${name}/migration.sql`, 'utf8')).map((text) => `${name}: ${text}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    'DROP TABLE "Case"',
    'ALTER TABLE "Case" DROP COLUMN "blocks"',
    'ALTER TABLE "Case" RENAME COLUMN "a" TO "b"',
    'ALTER TABLE "Case" ALTER COLUMN "a" SET DATA TYPE TEXT',
    'ALTER TABLE "Case" ALTER COLUMN "a" SET NOT NULL',
    'ALTER TABLE "Case" ADD COLUMN "a" TEXT,\n ADD COLUMN "b" TEXT NOT NULL',
    'ALTER TABLE "Case" ADD COLUMN "a" TEXT NOT NULL,\n ADD COLUMN "b" INTEGER NOT NULL DEFAULT 0',
    'ALTER TABLE "Case" ADD CONSTRAINT "x" CHECK (true)',
    'CREATE UNIQUE INDEX "x" ON "Case"("a")',
    'DELETE FROM "Case"',
  ])('that do `%s` are refused', (sql) => expect(breakingStatements(`-- Change\n${sql};`)).toHaveLength(1));

  it.each([
    'ALTER TABLE "Case" ADD COLUMN "a" TEXT',
    'ALTER TABLE "Case" ADD COLUMN "a" INTEGER NOT NULL DEFAULT 0',
    'ALTER TABLE "Case" ADD COLUMN "a" INTEGER DEFAULT 0 NOT NULL,\n ADD COLUMN "b" TEXT NOT NULL DEFAULT \'\'',
    'CREATE INDEX "x" ON "Case"("a")',
    'CREATE TABLE "New" ("id" TEXT NOT NULL); CREATE UNIQUE INDEX "x" ON "New"("id"); ALTER TABLE "New" ADD CONSTRAINT "y" CHECK (true)',
    'DROP INDEX "x"',
  ])('that do `%s` are fine', (sql) => expect(breakingStatements(`${sql};`)).toEqual([]));
});

describe.skipIf(!hasPostgresql)('a database that the next version has migrated', { timeout: 120_000 }, () => {
  let server: PostgresqlServer;
  let operator: pg.Client;
  beforeAll(async () => {
    server = await startPostgresql();
    operator = new pg.Client({ connectionString: server.url });
    await operator.connect();
    await operator.query('ALTER TABLE "Participant" ADD COLUMN "addedLater" TEXT NOT NULL DEFAULT \'\'');
    await operator.query(`INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name, applied_steps_count, logs)
      VALUES ('later', 'later', now(), '9999_later', 1, 'expands')`);
  });
  afterAll(async () => {
    await operator.end();
    await server.stop();
  });

  it('is served by a daemon of this version that starts on it', async () => {
    const daemon = await startDaemon({ settings: { DATABASE_URL: server.url } });
    const params = { projectId: daemon.projectId };
    const body = { externalUserId: 'ann', displayName: 'Ann' };
    const { id } = await daemon.client.call(participantRoutes.create, { params, body });
    expect(await daemon.client.call(participantRoutes.get, { params: { ...params, id } })).toMatchObject(body);
    await daemon.stop();
  });

  it('has holders of the rooms of two versions, or of two kinds, told apart by doctor', async () => {
    const doctor = async () =>
      (await earshotd(dataDir, ['doctor'], { env: { DATABASE_URL: server.url } })).stdout
        .split('\n')
        .find((line) => line.includes('voice role'));
    await operator.query(`INSERT INTO "RoleLease" ("role", "holder", "url", "endsAt")
      VALUES ('voice', 'x', 'http://one.example', clock_timestamp() AT TIME ZONE 'UTC' + interval '10 minutes')`);
    expect(await doctor()).toMatch(/^ok .*held by the daemon at http:\/\/one.example$/);
    const others: pg.Client[] = [];
    for (const name of [
      'earshotd 0.2.0 http,voice one',
      'earshotd 0.3.0 http,voice two',
      'earshotd 0.4.0 http three',
    ]) {
      const other = new pg.Client({ connectionString: server.url, application_name: name });
      await other.connect();
      others.push(other);
    }
    expect(await doctor()).toMatch(
      /^warning .*daemons of versions 0.2.0 and 0.3.0 can take it: 0.2.0 on one, 0.3.0 on two/,
    );
    for (const other of others) await other.end();
    await operator.query(`SELECT pg_advisory_lock(hashtext('role voice'))`);
    expect(await doctor()).toMatch(
      /^warning .*A daemon of a version before leases has the rooms as well as the one at/,
    );
    await operator.query('SELECT pg_advisory_unlock_all()');
  });
});

describe.skipIf(!hasPostgresql)('`earshotd migrate --wait`', { timeout: 120_000 }, () => {
  it('waits for a database that takes no connections yet', async () => {
    const server = await startPostgresql({ empty: true });
    const elsewhere = new URL(server.url);
    const name = elsewhere.pathname.slice(1);
    elsewhere.pathname = '/postgres';
    const operator = new pg.Client({ connectionString: elsewhere.href });
    await operator.connect();
    await operator.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    const running = earshotd(dataDir, ['migrate', '--wait'], { env: { DATABASE_URL: server.url } });
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    await operator.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    const { code, stdout } = await running;
    expect([code, stdout]).toEqual([0, expect.stringContaining('does not answer yet; waiting for it.')]);
    expect(stdout).toContain('applied 0089_role_candidates');
    await operator.end();
    await server.stop();
  });
});
