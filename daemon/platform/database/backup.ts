/**
 * Copies of a SQLite database: made while it is in use, verified before they are trusted, and restored so that at every
 * moment either the old or the new database is in place.
 */
import { chmodSync, constants, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import BetterSqlite3 from 'better-sqlite3';
import { Refused } from '../refused.js';
import type { Clock } from '../time/clock.js';
import { compress, compressedEnding, withPlainBackup } from './compressed-backup.js';
import { partialEnding } from './copy-before.js';
import { sqlTime } from './dialect.js';
import { applyAll, pendingMigrations } from './migrate.js';
import { seal, sealedEnding } from './sealed-backup.js';

/** The folder of backups, which may be named by a setting. */
export const backupFolder = (dataDir: string, named?: string): string => resolve(named ?? join(dataDir, 'backups'));

/** What the next backup is called. */
export function backupName(
  now: Clock,
  kind: { scheduled?: boolean; compressed?: boolean; sealed?: boolean } = {},
): string {
  const endings = `${kind.compressed === true ? compressedEnding : ''}${kind.sealed === true ? sealedEnding : ''}`;
  const time = now().toISOString().replaceAll(/[:.]/g, '-');
  return `earshot-${time}${kind.scheduled === true ? '-scheduled' : ''}.db${endings}`;
}
/** Names that only a verified copy gets. */
const made = /^earshot-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z(-scheduled)?\.db(?:\.gz)?(?:\.age)?$/;

export interface MadeBackup {
  readonly name: string;
  readonly at: Date;
  readonly isScheduled: boolean;
}

/** What its name says of a backup; null: it was not made by Earshot, or not under its own name. */
export function readBackupName(name: string): MadeBackup | null {
  const [, day, hours, minutes, seconds, ms, scheduled] = made.exec(name) ?? [];
  if (day === undefined) return null;
  const at = new Date(`${day}T${hours}:${minutes}:${seconds}.${ms}Z`);
  return { name, at, isScheduled: scheduled !== undefined };
}

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
/** Endings of the journals of a database. SQLite plays one that it finds beside any file of that name. */
const journals = ['-wal', '-journal'] as const;
/** Ending of the name of the copy that a restore puts in place: it exists until the restore has ended. */
export const restoringEnding = '.restoring';

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
    dataKeys: database
      .prepare('SELECT id, masterKeyId, wrapped FROM DataKey ORDER BY id')
      .all() as DatabaseSummary['dataKeys'],
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

/**
 * True where the file is of a database in use and no write-ahead log stands beside it: what the daemon had not yet moved
 * into the file is missing, unless it was stopped before the file was copied. Copies of SQLite's own have another mode.
 */
export function mayLackChanges(path: string): boolean {
  if ([compressedEnding, sealedEnding].some((ending) => path.endsWith(ending))) return false;
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return false;
  const database = new BetterSqlite3(path, { readonly: true, fileMustExist: true });
  try {
    return database.pragma('journal_mode', { simple: true }) === 'wal';
  } finally {
    database.close();
  }
}

/** Writes a copy of this moment while the database is being used. Throws Refused; an existing file is kept. */
export async function backupSqlite(path: string, target: string, recipient?: string): Promise<DatabaseSummary> {
  const before = process.umask(othersMask); // the copy holds hashes of passwords and everything that was said
  try {
    return await copySqlite(path, target, recipient);
  } finally {
    process.umask(before);
  }
}

/**
 * Like `backupSqlite`, in a process of the daemon, which has set the mask of files.
 *
 * @param recipient of age, for a target whose name says that it is encrypted
 */
export async function copySqlite(path: string, target: string, recipient?: string): Promise<DatabaseSummary> {
  if (!existsSync(path)) throw new Refused(`There is no database ${path}. \`earshotd run\` creates one.`);
  if (existsSync(target)) throw new Refused(`${target} already exists. Name another file.`);
  const isSealed = target.endsWith(sealedEnding);
  if (isSealed && recipient === undefined)
    throw new Refused(`${target} is to be encrypted: set EARSHOT_BACKUP_RECIPIENT to a recipient of age (age1…).`);
  const isCompressed = target.replace(new RegExp(`\\${sealedEnding}$`), '').endsWith(compressedEnding);
  const [partial, plain, packed] = partialsOf(target);
  try {
    mkdirSync(dirname(target), { recursive: true });
    removePartials(target);
    vacuumInto(path, plain);
    const summary = verifySqlite(plain);
    if (isCompressed) await compress(plain, packed);
    const made = isCompressed ? packed : plain;
    if (isSealed && recipient !== undefined) await seal(made, partial, recipient);
    else renameSync(made, partial);
    await moveInto(partial, target);
    return summary;
  } finally {
    removePartials(target);
  }
}

const partialsOf = (target: string) =>
  [`${target}${partialEnding}`, `${target}.plain${partialEnding}`, `${target}.packed${partialEnding}`] as const;

/** Removes what a copy that was cut off has left. */
export function removePartials(target: string): void {
  for (const one of partialsOf(target)) rmSync(one, { force: true });
}

interface Restored {
  readonly summary: DatabaseSummary;
  /** Path of the previous database; null: there was none. */
  readonly kept: string | null;
}

/**
 * Replaces the database by a copy of `source`, with its write-ahead log, and ends every login stored in it. A process that
 * is killed on the way leaves the previous database whole, with a file `.restoring` beside it, or the new one.
 * @param accept throws where the verified source is not to be restored
 * @param identities lines of an identity file of age, for an encrypted source
 */
export const restoreSqlite = (
  source: string,
  path: string,
  now: Clock,
  accept: (summary: DatabaseSummary) => Promise<void>,
  identities?: string,
): Promise<Restored> =>
  withPlainBackup(source, dirname(path), (plain) => restorePlain(plain, path, now, accept), identities);

async function restorePlain(
  source: string,
  path: string,
  now: Clock,
  accept: (summary: DatabaseSummary) => Promise<void>,
): Promise<Restored> {
  const summary = verifySqlite(source);
  await accept(summary);
  const incoming = `${path}${restoringEnding}`;
  try {
    removeDatabase(incoming);
    vacuumInto(source, incoming);
    chmodSync(incoming, ownerMode);
    requireSame(source, summary, verifySqlite(incoming));
    endLogins(incoming, now);
    const kept = await keepPrevious(path, now);
    await moveInto(incoming, path);
    return { summary, kept };
  } catch (error) {
    removeDatabase(incoming);
    throw error;
  }
}

/** Throws Refused where the copy lacks something, as when another program writes into the source. */
function requireSame(source: string, { bytes: _, ...verified }: DatabaseSummary, copied: DatabaseSummary): void {
  if (!isDeepStrictEqual({ ...verified, bytes: copied.bytes }, copied))
    throw new Refused(`${source} changed while it was copied, so nothing was restored. Close what writes into it.`);
}

/** Copies the database, so that nothing depends on the file in use. Throws Refused where another program uses it. */
async function keepPrevious(path: string, now: Clock): Promise<string | null> {
  if (existsSync(path)) foldJournals(path);
  const kept = `${path}.before-restore-${now().toISOString().replaceAll(/[:.]/g, '-')}`;
  for (const ending of ['', ...journals]) {
    if (!existsSync(`${path}${ending}`)) continue;
    const partial = `${kept}${ending}${partialEnding}`;
    copyFileSync(`${path}${ending}`, partial, constants.COPYFILE_FICLONE);
    await moveInto(partial, `${kept}${ending}`);
  }
  // Only a damaged database still has journals: they would be played into the new one.
  for (const ending of journals) rmSync(`${path}${ending}`, { force: true });
  return existsSync(kept) ? kept : null;
}

/** Moves the journals into the file. A damaged database keeps them. Throws Refused where another program uses it. */
function foldJournals(path: string): void {
  try {
    const database = new BetterSqlite3(path, { fileMustExist: true });
    try {
      database.pragma('journal_mode = DELETE');
    } finally {
      database.close();
    }
  } catch (error) {
    if (!(error instanceof BetterSqlite3.SqliteError)) throw error;
    if (error.code.startsWith('SQLITE_BUSY'))
      throw new Refused(`Another program uses ${path}. Stop it first, and try again.`, { cause: error });
    if (!/^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) throw error;
  }
}

/** Writes a whole copy, with what is in the write-ahead log of the source. */
function vacuumInto(source: string, target: string): void {
  const database = new BetterSqlite3(source, { readonly: true, fileMustExist: true });
  try {
    database.prepare('VACUUM INTO ?').run(target);
  } finally {
    database.close();
  }
}

function removeDatabase(path: string): void {
  for (const ending of ['', '-shm', ...journals]) rmSync(`${path}${ending}`, { force: true });
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
