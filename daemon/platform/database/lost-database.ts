/** Refuses to go on with a SQLite database that a restore has not put in place, or that has lost what was in it. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Refused } from '../refused.js';
import { backupFolder, restoringEnding } from './backup.js';
import { partialEnding } from './copy-before.js';
import { openSqlite } from './open-sqlite.js';

/** @throws Refused where a start would use the wrong database, or make a new one in the place of one that is gone. */
export function requireNothingLost(path: string, dataDir: string): void {
  const incoming = `${path}${restoringEnding}`;
  if (existsSync(incoming))
    throw new Refused(
      `A restore of ${path} did not end. Run \`earshotd restore FILE\` again, or delete ${incoming} to go on with the previous database.`,
    );
  const ring = join(dataDir, 'key-ring.json');
  const backups = backupsOf(path, dataDir);
  const isLost = (existsSync(ring) && !hasRows(path, 'DataKey')) || (backups.length > 0 && !hasRows(path, 'Tenant'));
  if (isLost)
    throw new Refused(
      `The database ${path} is ${existsSync(path) ? 'empty' : 'missing'}, but this data folder was in use: it has ${backups[0] ?? ring}. Restore a backup with \`earshotd restore FILE\`. For a new installation, set another EARSHOT_DATA_DIR.`,
    );
}

/** Paths of the copies that backups, restores and migrations have left. */
function backupsOf(path: string, dataDir: string): string[] {
  const inFolder = (folder: string, isBackup: (name: string) => boolean): string[] =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter(isBackup)
          .map((name) => join(folder, name))
      : [];
  return [
    ...inFolder(backupFolder(dataDir), (name) => /\.db(\.gz)?$/.test(name)),
    ...inFolder(dirname(path), (name) => name.startsWith(`${basename(path)}.before-`) && !name.endsWith(partialEnding)),
  ];
}

/** True, too, where the file cannot be read: to say so is left to the migration. */
function hasRows(path: string, table: string): boolean {
  if (!existsSync(path)) return false;
  try {
    const database = openSqlite(path, { readonly: true, fileMustExist: true });
    try {
      const exists = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(table);
      return exists !== undefined && database.prepare(`SELECT 1 FROM "${table}" LIMIT 1`).get() !== undefined;
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof BetterSqlite3.SqliteError) return true;
    throw error;
  }
}
