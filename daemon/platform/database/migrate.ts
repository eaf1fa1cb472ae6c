/**
 * Brings the database to the schema of this program: SQL files in order, one transaction each, recorded in Prisma's own
 * table with their checksums. Refuses a database newer than the program, or an applied file that has changed. Makes a
 * backup before it changes a SQLite file with content.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { packageFolder } from '../package.js';
import type { Clock } from '../time/clock.js';
import { copyBefore, planUpgrade, type UpgradePlan } from './copy-before.js';
import { breakingStatements } from './expanding.js';
import { openSqlite } from './open-sqlite.js';
import { databaseRemedy } from './remedies.js';

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

interface Applied {
  readonly migration_name: string;
  readonly checksum: string;
  /** PostgreSQL: `expands` where daemons of the version before go on with the migration; SQLite: the copy from before. */
  readonly logs?: string | null;
}

const expands = 'expands';

interface MigrationReport {
  readonly applied: readonly string[];
  /** Copy of the SQLite file before the migration. */
  readonly backup: string | null;
}

/** The database cannot be brought to this program's schema; the message says what to do. */
class MigrationError extends Error {
  override name = 'MigrationError';
}

const historyTable = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMP,
  "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" TIMESTAMP,
  "started_at" TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`;
const advisoryLock = 4_127_530_611;

function migrationsOf(provider: 'sqlite' | 'postgresql'): Migration[] {
  const folder = join(packageFolder, 'prisma', provider, 'migrations');
  if (!existsSync(folder)) throw new MigrationError('The migrations are missing: reinstall the package.');
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const sql = readFileSync(`${folder}/${name}/migration.sql`, 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

const withoutBlocks = 'ALTER TABLE "Case" DROP COLUMN "blocks";';
/** For migrations that were changed after a version had applied them, by their checksum of then: makes of what they left what they leave now. */
const amendments = new Map([
  ['e5cf0983151c7b454a97bb7282dd08f21040f7d772e66fe229ba6fb295059df4', withoutBlocks], // 0047_cases, SQLite
  ['933aa3f07e776302689ddc3b879be0c79b02b0cc9cc3b8d9940a8b54e66aa9c5', withoutBlocks], // 0047_cases, PostgreSQL
]);

/** A migration that was renumbered has its former name in databases of versions before: its content tells which it is. */
function pendingOf(all: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const byName = new Map(all.map((migration) => [migration.name, migration]));
  const byChecksum = new Map(all.map((migration) => [migration.checksum, migration]));
  const done = new Set<Migration>();
  const amended: Migration[] = [];
  for (const { migration_name: name, checksum, logs } of applied) {
    const migration = byName.get(name) ?? byChecksum.get(checksum);
    if (migration === undefined) {
      if (logs === expands) continue; // of the next version, whose daemons are replacing those of this one
      throw new MigrationError(
        `The database is newer than this program: it has the migration ${name}. Install the newer version, or restore a backup.`,
      );
    }
    if (migration.checksum !== checksum) {
      const sql = amendments.get(checksum);
      if (sql === undefined)
        throw new MigrationError(`The migration ${name} was changed after it had been applied. Reinstall the package.`);
      amended.push({ ...migration, sql: `${sql} DELETE FROM "_prisma_migrations" WHERE checksum = '${checksum}';` });
    }
    done.add(migration);
  }
  return [...amended, ...all.filter((migration) => !done.has(migration))];
}

/** The names of the migrations that are pending after these. Throws MigrationError. */
export const pendingMigrations = (provider: 'sqlite' | 'postgresql', applied: readonly Applied[]): string[] =>
  pendingOf(migrationsOf(provider), applied).map(({ name }) => name);

/** Makes the tables of this version in an empty database. */
export function applyAll(database: BetterSqlite3.Database): void {
  for (const { sql } of migrationsOf('sqlite')) database.exec(sql);
}

/**
 * Applies what is pending. Several daemons may call it at once. Throws MigrationError, and Refused where the disk lacks room.
 *
 * @param begins called before a SQLite file with content is changed
 */
export async function migrate(
  url: string,
  now: Clock,
  begins: (plan: UpgradePlan) => void = () => {},
): Promise<MigrationReport> {
  if (!url.startsWith('file:')) return migratePostgresql(url, now);
  const path = url.slice('file:'.length);
  try {
    return migrateSqlite(path, now, begins);
  } catch (error) {
    throw sentenceFor(path, error) ?? error;
  }
}

/** A sentence for what an operator may meet at a start. */
function sentenceFor(path: string, cause: unknown): MigrationError | null {
  const remedy = databaseRemedy(cause);
  return remedy === null ? null : new MigrationError(`The database ${path} ${remedy}.`, { cause });
}

function migrateSqlite(path: string, now: Clock, begins: (plan: UpgradePlan) => void): MigrationReport {
  const database = openSqlite(path);
  try {
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('secure_delete = ON');
    database.exec(historyTable);
    const rows = database.prepare('SELECT migration_name, checksum FROM "_prisma_migrations"').all() as Applied[];
    const pending = pendingOf(migrationsOf('sqlite'), rows);
    const [first] = pending;
    let backup = copyOfUnended(database);
    if (first !== undefined && rows.length > 0) {
      requireAlone(database, path);
      begins(planUpgrade(path, pending.length, backup !== null));
      backup ??= copyBefore(database, path, first.name, now);
    }
    const applied = pending.filter((migration) => applySqlite(database, migration, now, backup));
    if (backup !== null) database.exec('UPDATE "_prisma_migrations" SET "logs" = NULL WHERE "logs" IS NOT NULL');
    return { applied: applied.map(({ name }) => name), backup };
  } finally {
    database.close();
  }
}

/** Until an upgrade has ended, its steps name its copy: what is made of the database between them is not the one from before. */
function copyOfUnended(database: BetterSqlite3.Database): string | null {
  const copy = database.prepare('SELECT "logs" FROM "_prisma_migrations" WHERE "logs" IS NOT NULL').pluck().get();
  return typeof copy === 'string' && existsSync(copy) ? copy : null;
}

/** A program that goes on with the tables of before would fail or lose data: SQLite lets it in nowhere else. */
function requireAlone(database: BetterSqlite3.Database, path: string): void {
  try {
    database.pragma('journal_mode = DELETE');
    database.pragma('journal_mode = WAL');
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && String(cause.code).startsWith('SQLITE_BUSY'))) throw cause;
    throw new MigrationError(`Another program uses ${path}. Stop it first: its tables are changed now.`, { cause });
  }
}

/** Returns false where another process has applied it meanwhile. */
function applySqlite(database: BetterSqlite3.Database, migration: Migration, now: Clock, copy: string | null): boolean {
  // Rebuilding a table drops it: with foreign keys on, that would delete every row that refers to
  // it, and the PRAGMA inside the script has no effect in a transaction. So they are off before it begins.
  database.pragma('foreign_keys = OFF');
  try {
    database.exec('BEGIN IMMEDIATE');
    const isApplied = database
      .prepare('SELECT 1 FROM "_prisma_migrations" WHERE migration_name = ? AND checksum = ?')
      .get(migration.name, migration.checksum);
    if (isApplied !== undefined) {
      database.exec('ROLLBACK');
      return false;
    }
    database.exec(migration.sql);
    const violations = database.pragma('foreign_key_check') as unknown[];
    if (violations.length > 0)
      throw new MigrationError(`The migration ${migration.name} leaves ${violations.length} rows that point nowhere.`);
    const time = now().toISOString();
    database
      .prepare(
        'INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name, started_at, applied_steps_count, logs) VALUES (?, ?, ?, ?, ?, 1, ?)',
      )
      .run(randomUUID(), migration.checksum, time, migration.name, time, copy);
    database.exec('COMMIT');
    return true;
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  } finally {
    database.pragma('foreign_keys = ON');
  }
}

async function migratePostgresql(url: string, now: Clock): Promise<MigrationReport> {
  const { default: pg } = await import('pg'); // loaded where it is used: SQLite needs none of it
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [advisoryLock]);
    await client.query(historyTable);
    const { rows } = await client.query<Applied>('SELECT migration_name, checksum, logs FROM "_prisma_migrations"');
    const pending = pendingOf(migrationsOf('postgresql'), rows);
    for (const migration of pending) {
      await client.query('BEGIN');
      try {
        await client.query(migration.sql);
        await client.query(
          'INSERT INTO "_prisma_migrations" (id, checksum, finished_at, migration_name, started_at, applied_steps_count, logs) VALUES ($1, $2, $3, $4, $3, 1, $5)',
          [
            ...[randomUUID(), migration.checksum, now().toISOString(), migration.name],
            breakingStatements(migration.sql).length === 0 ? expands : null,
          ],
        );
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      }
    }
    return { applied: pending.map(({ name }) => name), backup: null };
  } finally {
    await client.end();
  }
}
