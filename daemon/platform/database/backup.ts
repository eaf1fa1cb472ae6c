/**
 * Copies of a SQLite database: made while it is in use, verified before they are trusted, and restored so that at every
 * moment either the old or the new database is in place.
 */
import { chmodSync, copyFileSync, existsSync, linkSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Refused } from '../refused.js';
import type { Clock } from '../time/clock.js';
import { sqlTime } from './dialect.js';
import { applyAll, pendingMigrations } from './migrate.js';

/** The folder of backups, and what the next one is called. */
export const backupFolder = (dataDir: string): string => join(dataDir, 'backups');
export const backupName = (now: Clock): string => `earshot-${now().toISOString().replaceAll(/[:.]/g, '-')}.db`;

/** Contents of a verified database. */
export interface DatabaseSummary {
  readonly bytes: number;
  /** The newest migration that it has. */
  readonly schema: string;
  readonly tenants: number;
  readonly projects: number;
  readonly accounts: number;
  readonly events: number;
  readonly dataKeys: readonly { readonly id: string; readonly masterKeyId: string; readonly wrapped: string }[];
}

const problemsShown = 5;
const othersMask = 0o077;
const ownerMode = 0o600;
/** Ending of the name of a copy that is not complete yet. */
export const partialEnding = '.partial';
/** Files that belong to one database: it must be moved together with its journal. */
const companions = ['', '-wal', '-shm'] as const;

/** Reads the whole file. Throws Refused with what is wrong. */
export function verifySqlite(path: string): DatabaseSummary {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new Refused(`There is no file ${path}.`);
  // Opening a pipe would wait for somebody who writes into it.
  if (!stat.isFile()) throw new Refused(`${path} is not a regular file. Name a backup that \`earshotd backup\` made.`);
  try {
    const database = new BetterSqlite3(path, { readonly: true, fileMustExist: true });
    try {
      return summaryOf(database, path);
    } finally {
      database.close();
    }
  } catch (error) {
    if (!(error instanceof BetterSqlite3.SqliteError)) throw error;
    throw new Refused(`${path} is not a database of Earshot, or is damaged: ${error.message}.`, { cause: error });
  }
}

function summaryOf(database: BetterSqlite3.Database, path: string): DatabaseSummary {
  const integrity = database.pragma('integrity_check') as { integrity_check: string }[];
  const problems = integrity.map((row) => row.integrity_check).filter((text) => text !== 'ok');
  const orphans = database.pragma('foreign_key_check') as unknown[];
  if (orphans.length > 0) problems.push(`${orphans.length} rows point at rows that are not there`);
  if (problems.length > 0)
    throw new Refused(`${path} is damaged: ${problems.slice(0, problemsShown).join('; ')}. Use another backup.`);
  const applied = database
    .prepare('SELECT migration_name, checksum FROM "_prisma_migrations" ORDER BY migration_name')
    .all() as { migration_name: string; checksum: string }[];
  pendingMigrations('sqlite', applied);
  const foreign = foreignStatements(database);
  if (foreign.length > 0)
    throw new Refused(
      `${path} holds ${foreign.slice(0, problemsShown).join(', ')}, which no version of Earshot creates and which would run inside the daemon. Use another backup.`,
    );
  const count = (sql: string): number => database.prepare(`SELECT count(*) FROM ${sql}`).pluck().get() as number;
  const size = 'SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()';
  return {
    bytes: database.prepare(size).pluck().get() as number,
    schema: applied.at(-1)?.migration_name ?? 'none',
    tenants: count('Tenant'),
    projects: count('Project WHERE deletedAt IS NULL'),
    accounts: count('User'),
    events: count('DomainEvent'),
    dataKeys: database.prepare('SELECT id, masterKeyId, wrapped FROM DataKey').all() as DatabaseSummary['dataKeys'],
  };
}

/** Names of the triggers and views that are not those of the migrations. */
function foreignStatements(database: BetterSqlite3.Database): string[] {
  const made = database.prepare("SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'view')").all();
  const known = new BetterSqlite3(':memory:');
  try {
    applyAll(known);
    const own = known.prepare('SELECT sql FROM sqlite_master WHERE type = ? AND name = ?').pluck();
    return (made as { type: string; name: string; sql: string }[])
      .filter(({ type, name, sql }) => own.get(type, name) !== sql)
      .map(({ type, name }) => `the ${type} ${name}`);
  } finally {
    known.close();
  }
}

/** Writes a copy of this moment while the database is being used. Throws Refused; an existing file is kept. */
export async function backupSqlite(path: string, target: string): Promise<DatabaseSummary> {
  const before = process.umask(othersMask); // the copy holds hashes of passwords and everything that was said
  try {
    return await copySqlite(path, target);
  } finally {
    process.umask(before);
  }
}

/** Like `backupSqlite`, in a process of the daemon, which has set the mask of files. */
export async function copySqlite(path: string, target: string): Promise<DatabaseSummary> {
  if (!existsSync(path)) throw new Refused(`There is no database ${path}. \`earshotd run\` creates one.`);
  if (existsSync(target)) throw new Refused(`${target} already exists. Name another file.`);
  const partial = `${target}${partialEnding}`;
  try {
    mkdirSync(dirname(target), { recursive: true });
    rmSync(partial, { force: true });
    const database = new BetterSqlite3(path, { fileMustExist: true });
    try {
      database.prepare('VACUUM INTO ?').run(partial);
    } finally {
      database.close();
    }
    const summary = verifySqlite(partial);
    await moveInto(partial, target);
    return summary;
  } finally {
    rmSync(partial, { force: true });
  }
}

/**
 * Replaces the database, which must not be in use, by a verified copy, and ends every login stored in it. Returns the
 * path of the previous database, or null.
 */
export async function restoreSqlite(source: string, path: string, now: Clock): Promise<string | null> {
  const incoming = `${path}.restoring`;
  for (const companion of companions) rmSync(`${incoming}${companion}`, { force: true });
  copyFileSync(source, incoming);
  chmodSync(incoming, ownerMode); // a copy has the mode of its source
  endLogins(incoming, now);
  const kept = existsSync(path) ? `${path}.before-restore-${now().toISOString().replaceAll(/[:.]/g, '-')}` : null;
  for (const companion of companions)
    if (kept !== null && existsSync(`${path}${companion}`)) linkSync(`${path}${companion}`, `${kept}${companion}`);
  for (const companion of ['-wal', '-shm']) rmSync(`${path}${companion}`, { force: true });
  await moveInto(incoming, path);
  return kept;
}

function endLogins(path: string, now: Clock): void {
  const database = new BetterSqlite3(path);
  try {
    database.prepare('UPDATE User SET tokensValidAt = ?').run(sqlTime(now()));
    const [sessions] = database.pragma('table_info(ConsoleSession)') as unknown[];
    if (sessions !== undefined) database.exec('DELETE FROM ConsoleSession'); // earlier versions have none
  } finally {
    database.close();
  }
}

/** The data is on disk before the rename, and the rename before this returns. */
async function moveInto(from: string, to: string): Promise<void> {
  await synced(from);
  await rename(from, to);
  await synced(dirname(to));
}

async function synced(path: string): Promise<void> {
  const file = await open(path, 'r');
  await file.sync().finally(() => file.close());
}
