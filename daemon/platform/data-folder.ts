/**
 * The data folder is only for the account that the daemon runs under: it holds keys, hashes of passwords and everything
 * that was said. That must hold however the folder was made, and whatever the umask is.
 */
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Settings } from './config/schema.js';
import type { Logger } from './observability/logger.js';

const databaseName = 'earshot.db';

const othersMask = 0o077;
/** How many of the files that stay readable by others are named in the log. */
const reportedMax = 5;

/** Files that the daemon and its programs put into the folder; a name that begins with one of these is theirs too. */
const ownNames = [
  databaseName,
  'key-ring.json',
  'earshotd.lock',
  'control.sock',
  'under-way.json',
  'admin-password',
  'restore-trial',
  'audio',
  'backups',
  'speech',
];
/** Beside a SQLite file that is kept elsewhere. */
const databaseEndings = ['', '-wal', '-shm', '.lock'];
/** Created by file systems and file managers; not secret. */
const harmlessNames = ['lost+found', '.DS_Store', '.gitkeep', '.gitignore'];

/** Where a service, and a daemon that was started by hand, keep their data unless they are told otherwise. */
const usualFolders = ['/var/lib/earshot', 'data'];

/** A usual folder that holds an installation, where the database of this one is yet to be made; otherwise null. */
function installationBeside(dataDir: string, file: string | null): string | null {
  if (file === null || existsSync(file)) return null;
  const others = usualFolders.map((folder) => resolve(folder)).filter((folder) => folder !== dataDir);
  return others.find((folder) => existsSync(databaseIn(folder))) ?? null;
}

/** Lies there while webhooks wait after a restore. */
export const heldWebhooksFile = (dataDir: string): string => join(dataDir, 'webhooks.held');

/** Holds the first administrator's random password until somebody has read it. */
export const adminPasswordFile = (dataDir: string): string => join(dataDir, 'admin-password');

/** The SQLite file of a data folder. */
export const databaseIn = (dataDir: string): string => join(dataDir, databaseName);

/** The SQLite file that the settings name; null where the database is PostgreSQL. */
export function sqliteFileOf({ DATABASE_URL: url, EARSHOT_DATA_DIR: dataDir }: Settings): string | null {
  if (url === undefined) return databaseIn(resolve(dataDir));
  return url.startsWith('file:') ? resolve(url.slice('file:'.length)) : null;
}

/**
 * Closes the folder of these settings to others and returns it; the log says once what had to be changed, or could not
 * be.
 */
export function prepareDataFolder(settings: Settings, log: Pick<Logger, 'info' | 'warn'>): string {
  const dataDir = resolve(settings.EARSHOT_DATA_DIR);
  const file = sqliteFileOf(settings);
  const other = installationBeside(dataDir, file);
  if (other !== null)
    log.warn(
      { dataDir, other },
      'a new installation begins in this data folder, and another folder has one already: set EARSHOT_DATA_DIR if that was meant',
    );
  const { mended, open } = closeDataFolder(dataDir, file);
  if (mended.length > 0)
    log.info(
      { dataDir, mended: mended.length, first: mended[0] },
      'others could read files of the data folder; now only their owner can',
    );
  if (open.length > 0)
    log.warn(
      { dataDir, open: open.slice(0, reportedMax) },
      'others can read files of the data folder: run `chmod go-rwx` on them',
    );
  return dataDir;
}

interface ClosedFolder {
  /** Files and folders that others could read before. */
  readonly mended: readonly string[];
  /** Paths that could not be closed to others, with the reason. */
  readonly open: readonly { readonly path: string; readonly reason: string }[];
}

/**
 * Creates the folder where it is missing and removes access for group and others: from everything in it now, and from
 * everything this process creates later. A folder that is shared with something else keeps its mode.
 */
export function closeDataFolder(dataDir: string, databaseFile: string | null): ClosedFolder {
  if (process.platform === 'win32') {
    mkdirSync(dataDir, { recursive: true });
    return { mended: [], open: [] };
  }
  process.umask(othersMask);
  mkdirSync(dataDir, { recursive: true });
  const mended: string[] = [];
  const open: { path: string; reason: string }[] = [];
  const close = (path: string): void => {
    try {
      if (takeFromOthers(path)) mended.push(path);
    } catch (error) {
      open.push({ path, reason: error instanceof Error ? error.message : String(error) });
    }
  };
  const names = readdirSync(dataDir);
  const own = names.filter(isOwn);
  const foreign = names.find((name) => !isOwn(name) && !harmlessNames.includes(name));
  if (foreign === undefined) close(dataDir);
  else if (isReadByOthers(dataDir))
    open.push({ path: dataDir, reason: `it also holds ${foreign}, which does not belong to Earshot` });
  for (const name of own) for (const path of everythingBelow(join(dataDir, name))) close(path);
  if (databaseFile !== null && dirname(databaseFile) !== dataDir)
    for (const ending of databaseEndings) if (isReadByOthers(databaseFile + ending)) close(databaseFile + ending);
  return { mended, open };
}

/** False when it does not exist. */
export function isReadByOthers(path: string): boolean {
  const info = lstatSync(path, { throwIfNoEntry: false });
  return info !== undefined && !info.isSymbolicLink() && (info.mode & othersMask) !== 0;
}

const isOwn = (name: string): boolean => ownNames.some((own) => name.startsWith(own));

/** The path itself first. Links are not followed: their targets are not in the folder. */
function* everythingBelow(path: string): Generator<string, void> {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info === undefined || info.isSymbolicLink()) return;
  yield path;
  if (info.isDirectory()) for (const name of readdirSync(path)) yield* everythingBelow(join(path, name));
}

/** Closes the path to other users of the machine; true if its mode had to be changed. */
function takeFromOthers(path: string): boolean {
  const { mode } = lstatSync(path);
  if ((mode & othersMask) === 0) return false;
  chmodSync(path, mode & 0o7777 & ~othersMask);
  return true;
}
