/**
 * The data folder belongs to the account that the daemon runs under, and nobody else may look into it: it holds keys,
 * hashes of passwords and all that was said. That must hold whatever made the folder, and whatever the umask is.
 */
import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Settings } from './config/schema.js';
import type { Logger } from './observability/logger.js';

const othersMask = 0o077;
/** Of what stays open, so many are named in the log. */
const reportedMax = 5;

/** What the daemon and its programs put into the folder; a name that begins with one of these is theirs too. */
const ownNames = [
  ...['earshot.db', 'key-ring.json', 'earshotd.lock', 'control.sock', 'admin-password'],
  ...['audio', 'backups', 'speech'],
];
/** Beside a SQLite file that is kept elsewhere. */
const databaseEndings = ['', '-wal', '-shm'];
/** Left by file systems and by people who look at folders; nobody's secret. */
const harmlessNames = ['lost+found', '.DS_Store', '.gitkeep', '.gitignore'];

/** Holds the first administrator's random password until somebody has read it. */
export const adminPasswordFile = (dataDir: string): string => join(dataDir, 'admin-password');

/** The SQLite file that the settings name; null where the database is PostgreSQL. */
export function sqliteFileOf({ DATABASE_URL: url, EARSHOT_DATA_DIR: dataDir }: Settings): string | null {
  if (url === undefined) return join(resolve(dataDir), 'earshot.db');
  return url.startsWith('file:') ? resolve(url.slice('file:'.length)) : null;
}

/** Closes the folder of these settings and returns it; the log tells once what had to be mended, or could not be. */
export function prepareDataFolder(settings: Settings, log: Pick<Logger, 'info' | 'warn'>): string {
  const dataDir = resolve(settings.EARSHOT_DATA_DIR);
  const { mended, open } = closeDataFolder(dataDir, sqliteFileOf(settings));
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

export interface ClosedFolder {
  /** Files and folders that others could read before. */
  readonly mended: readonly string[];
  /** What could not be closed to others, with the reason. */
  readonly open: readonly { readonly path: string; readonly reason: string }[];
}

/**
 * Makes the folder where it is missing and takes reading and writing from everybody but the owner: of what is there now, and
 * of whatever this process makes from now on. A folder that is shared with something else keeps its mode.
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
  else if (isReadByOthers(dataDir)) open.push({ path: dataDir, reason: `it also holds ${foreign}, which is not ours` });
  for (const name of own) for (const path of everythingBelow(join(dataDir, name))) close(path);
  if (databaseFile !== null && dirname(databaseFile) !== dataDir)
    for (const ending of databaseEndings) if (isReadByOthers(databaseFile + ending)) close(databaseFile + ending);
  return { mended, open };
}

/** False for what is not there. */
export function isReadByOthers(path: string): boolean {
  const info = lstatSync(path, { throwIfNoEntry: false });
  return info !== undefined && !info.isSymbolicLink() && (info.mode & othersMask) !== 0;
}

const isOwn = (name: string): boolean => ownNames.some((own) => name.startsWith(own));

/** The path itself first. A link is not followed: what it points at is not in the folder. */
function* everythingBelow(path: string): Generator<string, void> {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info === undefined || info.isSymbolicLink()) return;
  yield path;
  if (info.isDirectory()) for (const name of readdirSync(path)) yield* everythingBelow(join(path, name));
}

/** Whether anything had to be taken from them. */
function takeFromOthers(path: string): boolean {
  const { mode } = lstatSync(path);
  if ((mode & othersMask) === 0) return false;
  chmodSync(path, mode & 0o7777 & ~othersMask);
  return true;
}
