/** A migrated database of one's own: a SQLite file in a temporary folder, or a schema-less PostgreSQL database. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../daemon/platform/database/database.js';
import { migrate } from '../../daemon/platform/database/migrate.js';
import { systemClock } from '../../daemon/platform/time/clock.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from './postgresql.js';
import { writeBeside } from './write-beside.js';

export interface TestDatabase {
  readonly database: Database;
  readonly url: string;
  close(): Promise<void>;
}

/** True where the daemons of all suites keep their data in PostgreSQL: `EARSHOT_TEST_DATABASE=postgresql npx vitest run …` */
export const onPostgresql = process.env.EARSHOT_TEST_DATABASE === 'postgresql';
if (onPostgresql && !hasPostgresql)
  throw new Error('EARSHOT_TEST_DATABASE=postgresql needs PostgreSQL: apt-get install postgresql');

/** Settings of a daemon whose suite is about the SQLite file itself, whatever the others keep their data in. */
export const inSqlite = { DATABASE_URL: '' } as const;

/** `npm test` and `npm run test:long` leave PostgreSQL to `npm run test:postgresql`. */
const leavesPostgresql = ['short', 'long'].includes(process.env.EARSHOT_TEST_SUITES ?? '');

/** Databases that suites open themselves; a run on PostgreSQL leaves SQLite to the others. */
export const databases: readonly { name: 'SQLite' | 'PostgreSQL'; open: () => Promise<TestDatabase>; here: boolean }[] =
  [
    ...(onPostgresql ? [] : [{ name: 'SQLite' as const, open: () => openSqlite(), here: true }]),
    ...(leavesPostgresql ? [] : [{ name: 'PostgreSQL' as const, open: () => openPostgresql(), here: hasPostgresql }]),
  ];

/** What a daemon that is about to start for the first time keeps its data in. */
export interface DaemonDatabase {
  /** As `DATABASE_URL` has it. */
  readonly url: string;
  /** For the daemon, besides its own. */
  readonly settings: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** Makes the database of a daemon: that of its settings, or else a new one of the kind that this run is on. */
export async function makeDatabase(
  dataDir: string,
  { DATABASE_URL: set }: Readonly<Record<string, string>>,
): Promise<DaemonDatabase> {
  const kept = { settings: {}, remove: () => Promise.resolve() };
  if (set !== undefined && set !== '') return { url: set, ...kept };
  if (onPostgresql && set === undefined) {
    const { url, stop }: PostgresqlServer = await startPostgresql();
    return { url, settings: { DATABASE_URL: url }, remove: stop };
  }
  const path = join(dataDir, 'earshot.db');
  if (!existsSync(path)) await putSqlite(path);
  return { url: `file:${path}`, ...kept };
}

let migrated: Promise<Buffer> | undefined;

/** A SQLite file with the tables of this version: copied, because making them takes longer than most tests. */
export async function putSqlite(path: string): Promise<void> {
  migrated ??= makeSqlite();
  writeFileSync(path, await migrated, { mode: 0o600 });
}

/** Takes the maker out of every API key, as if they had left: whoever made a key does not decide about what it did. */
export const leaveKeysToNobody = async (url: string): Promise<void> =>
  void (await writeBeside(url, 'UPDATE "ApiKey" SET "createdByUserId" = NULL'));

async function makeSqlite(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-test-'));
  const path = join(folder, 'earshot.db');
  await migrate(`file:${path}`, systemClock);
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true, force: true });
  return bytes;
}

export async function openSqlite(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-test-'));
  const path = join(folder, 'earshot.db');
  const url = `file:${path}`;
  await putSqlite(path);
  const database = await Database.connect(url);
  return {
    database,
    url,
    async close() {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function openPostgresql(): Promise<TestDatabase> {
  const server = await startPostgresql();
  const database = await Database.connect(server.url);
  return {
    database,
    url: server.url,
    async close() {
      await database.close();
      await server.stop();
    },
  };
}
