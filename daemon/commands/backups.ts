/** `earshotd backup`, `verify` and `restore`. */
import { join, resolve } from 'node:path';
import { print, printError } from '../../src/terminal/terminal.js';
import { loadSettings } from '../platform/config/load.js';
import { closeDataFolder, sqliteFileOf } from '../platform/data-folder.js';
import {
  backupFolder,
  backupName,
  backupSqlite,
  type DatabaseSummary,
  mayLackChanges,
  restoreSqlite,
  verifySqlite,
} from '../platform/database/backup.js';
import { DataFolderLock } from '../platform/database/data-folder-lock.js';
import { Refused } from '../platform/refused.js';
import { KeyRing, type MasterKeys, type RingFile, readRing } from '../platform/secrets/key-ring.js';
import { unwrap } from '../platform/secrets/secret-box.js';
import { systemClock } from '../platform/time/clock.js';
import type { SettingOptions } from './setting-options.js';

type WithRing = SettingOptions & { readonly keyRing?: string };

interface DataPaths {
  readonly dataDir: string;
  /** The SQLite file. */
  readonly database: string;
  readonly masterKey: string | undefined;
}

/** Throws Refused where the database is PostgreSQL, which has its own tools. */
function placeOf({ set, config }: SettingOptions): DataPaths {
  const { settings } = loadSettings({ flags: set, file: config });
  const dataDir = resolve(settings.EARSHOT_DATA_DIR);
  const database = sqliteFileOf(settings);
  if (database === null)
    throw new Refused(
      'The database is PostgreSQL. Back it up with `pg_dump --format=custom`, restore it with `pg_restore`, and keep what `earshotd key export` prints apart from it.',
    );
  return { dataDir, database, masterKey: settings.EARSHOT_MASTER_KEY?.reveal() };
}

export async function backup(file: string | undefined, options: SettingOptions): Promise<void> {
  const { dataDir, database } = placeOf(options);
  const target = file === undefined ? join(backupFolder(dataDir), backupName(systemClock)) : resolve(file);
  const summary = await backupSqlite(database, target);
  print(`${target}\n${described(summary)}`);
  printError(
    'The backup holds neither recordings nor the key ring, which opens its secrets: print that with `earshotd key export`.',
  );
}

export async function verify(file: string | undefined, options: WithRing): Promise<void> {
  const place = placeOf(options);
  const path = file === undefined ? place.database : resolve(file);
  const summary = verifySqlite(path);
  print(`${path}\n${described(summary)}`);
  await requireComplete(path, summary, await ringOf(place, lentRing(options)));
  print('The backup is complete, and its secrets can be opened here.');
  if (path !== place.database) warnOfLackingChanges(path);
}

/** Everything is checked before anything is changed. */
export async function restore(file: string, options: WithRing): Promise<void> {
  const place = placeOf(options);
  const source = resolve(file);
  closeDataFolder(place.dataDir, place.database);
  const lock = new DataFolderLock(place.dataDir, place.database);
  lock.acquire();
  try {
    const lent = lentRing(options);
    const { summary, kept } = await restoreSqlite(source, place.database, systemClock, async (found) => {
      await requireComplete(source, found, await ringOf(place, lent));
      if (lent !== null) await (await KeyRing.open(ringPath(place), systemClock, place.masterKey)).adopt(lent);
    });
    print(`restored ${source}\n${described(summary)}`);
    if (kept !== null) print(`The previous database is kept: ${kept}`);
    warnOfLackingChanges(source);
    printError(
      'All logins have ended. API keys that were revoked after the backup are valid again: check `earshot api-keys list`.',
    );
  } finally {
    lock.release();
  }
}

const ringPath = ({ dataDir }: DataPaths): string => join(dataDir, 'key-ring.json');
const lentRing = ({ keyRing }: WithRing): RingFile | null =>
  keyRing === undefined ? null : readRing(resolve(keyRing));

/** The keys of this installation, and those that were passed in for this call. */
async function ringOf(place: DataPaths, lent: RingFile | null): Promise<MasterKeys | null> {
  const ring = await KeyRing.find(ringPath(place), systemClock, place.masterKey);
  return lent === null ? ring : KeyRing.holding(lent, ring);
}

/** Throws Refused where it is not the whole database of an installation, or its secrets cannot be opened here. */
async function requireComplete(
  path: string,
  { tenants, dataKeys }: DatabaseSummary,
  ring: MasterKeys | null,
): Promise<void> {
  if (tenants === 0)
    throw new Refused(
      `${path} holds no tenant, and every installation has one: it is new, or was copied without its -wal. Use a copy that \`earshotd backup\` made, or copy the -wal too.`,
    );
  const needed = [...new Set(dataKeys.map(({ masterKeyId }) => masterKeyId))];
  if (ring === null || needed.some((id) => ring.find(id) === null))
    throw new Refused(
      `Its secrets are wrapped by master key ${needed.join(', ')}, which is not here. Pass the key ring of the original installation with --key-ring, or set EARSHOT_MASTER_KEY.`,
    );
  for (const row of dataKeys) unwrap(ring, row);
}

function warnOfLackingChanges(path: string): void {
  if (mayLackChanges(path))
    printError(
      `${path} was copied by hand, without a -wal. If the daemon was running then, its newest changes are missing. \`earshotd backup\` copies everything.`,
    );
}

const described = ({ bytes, schema, tenants, projects, accounts, events, dataKeys }: DatabaseSummary): string =>
  [
    `  size        ${(bytes / 2 ** 20).toFixed(1)} MiB`,
    `  schema      ${schema}`,
    `  holds       ${tenants} tenants, ${projects} projects, ${accounts} accounts, ${events} events`,
    `  master key  ${[...new Set(dataKeys.map(({ masterKeyId }) => masterKeyId))].join(', ')}`,
  ].join('\n');
