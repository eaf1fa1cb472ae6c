/**
 * One daemon per data folder, and per SQLite database: a lock of the operating system on a file beside each. It holds
 * between containers too, whose process ids say nothing about each other, and ends with the process. The files stay.
 */
import { existsSync, realpathSync, truncateSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import { openSqlite } from './open-sqlite.js';

interface LockFile {
  readonly path: string;
  /** What it locks, in a message. */
  readonly what: string;
  /** Names another one. */
  readonly setting: string;
}

/** Another process holds the folder or the database; the message names both. */
export class DataFolderInUse extends Error {
  override name = 'DataFolderInUse';
  constructor(
    { what, setting }: LockFile,
    readonly holder: string,
  ) {
    super(`Another daemon (${holder}) uses ${what}. Stop it first, or set ${setting}.`);
  }
}

/** A command that asks who holds the lock takes it for a moment. */
const waitMs = 1_000;

export class DataFolderLock {
  private readonly files: readonly LockFile[];
  private readonly held: BetterSqlite3.Database[] = [];

  /** @param database SQLite file, which daemons with other data folders may use; null: none */
  constructor(folder: string, database: string | null = null) {
    this.files = [
      { path: join(folder, 'earshotd.lock'), what: 'this data folder', setting: 'EARSHOT_DATA_DIR' },
      ...(database === null
        ? []
        : [{ path: `${realPath(database)}.lock`, what: `the database ${database}`, setting: 'DATABASE_URL' }]),
    ];
  }

  /** True where somebody has held the folder at any time. */
  get exists(): boolean {
    return this.files.some(({ path }) => existsSync(path));
  }

  /** The process that holds the folder or the database, or null. */
  holder(): string | null {
    for (const { path } of this.files) {
      if (!existsSync(path)) continue;
      const file = openSqlite(path, { timeout: 0 });
      try {
        file.exec('BEGIN IMMEDIATE');
      } catch (error) {
        if (isBusy(error)) return holderIn(file);
        if (!isForeign(error)) throw error;
      } finally {
        file.close();
      }
    }
    return null;
  }

  /** Throws DataFolderInUse. */
  acquire(): void {
    try {
      for (const file of this.files) this.held.push(lock(file));
    } catch (error) {
      this.release();
      throw error;
    }
  }

  /** Releases what this object has acquired, and nothing of another process. */
  release(): void {
    for (const file of this.held.splice(0)) file.close();
  }
}

/** One name for a file that links lead to. */
const realPath = (path: string): string => (existsSync(path) ? realpathSync(path) : path);

const codeOf = (error: unknown): string => (error instanceof BetterSqlite3.SqliteError ? error.code : '');
const isBusy = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY');
/** Earlier versions wrote a process id into a file of the same name. */
const isForeign = (error: unknown): boolean => codeOf(error) === 'SQLITE_NOTADB';

/** Returns the connection that holds the lock. Throws DataFolderInUse. */
function lock(locked: LockFile): BetterSqlite3.Database {
  const { path } = locked;
  const file = openSqlite(path, { timeout: waitMs });
  try {
    try {
      file.exec('BEGIN IMMEDIATE');
    } catch (error) {
      if (!isForeign(error)) throw error;
      truncateSync(path);
      file.exec('BEGIN IMMEDIATE');
    }
    file.exec('CREATE TABLE IF NOT EXISTS holder (process, host); DELETE FROM holder');
    file.prepare('INSERT INTO holder VALUES (?, ?)').run(process.pid, hostname());
    file.exec('COMMIT; BEGIN IMMEDIATE'); // whoever comes in between holds the lock
    return file;
  } catch (error) {
    const holder = isBusy(error) ? holderIn(file) : null;
    file.close();
    throw holder === null ? error : new DataFolderInUse(locked, holder);
  }
}

const Holder = z.object({ process: z.int(), host: z.string() });

/** Others may read while the lock is held. A holder that has just begun has not written its name yet. */
function holderIn(file: BetterSqlite3.Database): string {
  try {
    const { process, host } = Holder.parse(file.prepare('SELECT process, host FROM holder').get());
    return `process ${process} on ${host}`;
  } catch {
    return 'which has just started';
  }
}
