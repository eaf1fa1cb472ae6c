/** `earshotd backup`, `verify` and `restore`. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { print, printError } from '../../src/terminal/terminal.js';
import { UsageError } from '../../src/terminal/usage-error.js';
import { loadSettings } from '../platform/config/load.js';
import { closeDataFolder, heldWebhooksFile, sqliteFileOf } from '../platform/data-folder.js';
import {
  backupFolder,
  backupName,
  backupSqlite,
  type DatabaseSummary,
  type MadeBackup,
  mayLackChanges,
  readBackupName,
  restoreSqlite,
  verifySqlite,
} from '../platform/database/backup.js';
import { withPlainBackup } from '../platform/database/compressed-backup.js';
import { DataFolderLock } from '../platform/database/data-folder-lock.js';
import { migrate } from '../platform/database/migrate.js';
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
  /** The folder of backups. */
  readonly backups: string;
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
  const backups = backupFolder(dataDir, settings.EARSHOT_BACKUP_FOLDER);
  return { dataDir, database, backups, masterKey: settings.EARSHOT_MASTER_KEY?.reveal() };
}

export async function backup(file: string | undefined, options: SettingOptions): Promise<void> {
  const { database, backups } = placeOf(options);
  const target = file === undefined ? join(backups, backupName(systemClock)) : resolve(file);
  const summary = await backupSqlite(database, target);
  print(`${target}\n${described(summary)}`);
  printError(
    'The backup holds neither recordings nor the key ring, which opens its secrets: print that with `earshotd key export`.',
  );
}

export async function verify(file: string | undefined, options: WithRing): Promise<void> {
  const place = placeOf(options);
  const path = file === undefined ? place.database : resolve(file);
  await withPlainBackup(path, place.dataDir, async (plain) => {
    const summary = verifySqlite(plain);
    print(`${path}\n${described(summary)}`);
    await requireComplete(path, summary, await ringOf(place, lentRing(options)));
    print('The backup is complete, and its secrets can be opened here.');
    if (path !== place.database) warnOfLackingChanges(plain);
  });
}

export interface RestoreOptions extends WithRing {
  readonly holdWebhooks?: boolean;
  /** A trial beside the daemon, which changes nothing. */
  readonly verify?: boolean;
}

/** Throws UsageError where no file is named and nothing chooses one. */
export async function restore(file: string | undefined, options: RestoreOptions): Promise<void> {
  if (options.verify === true) return tryRestore(file, options);
  if (file === undefined) throw new UsageError('Name the backup to restore.');
  await restoreFrom(resolve(file), options);
}

/** Restores the backup, by default the newest one, into a folder of its own, as far as a start would go; then it is gone. */
async function tryRestore(file: string | undefined, options: WithRing): Promise<void> {
  const place = placeOf(options);
  const source = file === undefined ? newestIn(place.backups) : resolve(file);
  const began = performance.now();
  const folder = join(place.dataDir, 'restore-trial');
  const target = join(folder, 'earshot.db');
  rmSync(folder, { recursive: true, force: true }); // of a trial that was killed
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const { summary } = await restoreSqlite(source, target, systemClock, async (found) =>
      requireComplete(source, found, await ringOf(place, lentRing(options))),
    );
    const { applied } = await migrate(`file:${target}`, systemClock);
    verifySqlite(target);
    print(`${source}\n${described(summary)}`);
    print(`  upgrade     ${applied.length === 0 ? 'none is needed' : `${applied.length} steps`}`);
    print(
      `It can be restored here; the trial took ${Math.ceil((performance.now() - began) / 1_000)} s, and changed nothing.`,
    );
    warnOfLackingChanges(source);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Throws Refused where there is none. */
function newestIn(folder: string): string {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const newest = names
    .flatMap((name) => readBackupName(name) ?? [])
    .reduce<MadeBackup | null>((last, one) => (last === null || one.at > last.at ? one : last), null);
  if (newest === null) throw new Refused(`There is no backup in ${folder}. \`earshotd backup\` makes one.`);
  return join(folder, newest.name);
}

/** Everything is checked before anything is changed. */
async function restoreFrom(source: string, options: RestoreOptions): Promise<void> {
  const place = placeOf(options);
  closeDataFolder(place.dataDir, place.database);
  const lock = new DataFolderLock(place.dataDir, place.database);
  lock.acquire();
  // Where nothing is replaced this is another machine, and that of the backup may still send.
  const holds = options.holdWebhooks === true || !existsSync(place.database);
  try {
    const lent = lentRing(options);
    const { summary, kept } = await restoreSqlite(source, place.database, systemClock, async (found) => {
      await requireComplete(source, found, await ringOf(place, lent));
      if (holds) writeFileSync(heldWebhooksFile(place.dataDir), '', { mode: 0o600 });
      if (lent !== null) await (await KeyRing.open(ringPath(place), systemClock, place.masterKey)).adopt(lent);
    }).catch((error: unknown) => {
      if (holds) rmSync(heldWebhooksFile(place.dataDir), { force: true });
      throw error;
    });
    print(`restored ${source}\n${described(summary)}`);
    if (kept !== null) print(`The previous database is kept: ${kept}`);
    warnOfLackingChanges(source);
    if (holds)
      printError(
        'Webhooks wait, because the machine of the backup may still send them: stop it, then run `earshotd webhooks release`.',
      );
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
