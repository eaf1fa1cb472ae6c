/** `earshotd backup`, `verify` and `restore`. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { print, printError } from '../../src/terminal/terminal.js';
import { UsageError } from '../../src/terminal/usage-error.js';
import { loadSettings } from '../platform/config/load.js';
import { closeDataFolder, heldWebhooksFile, sqliteFileOf } from '../platform/data-folder.js';
import {
  backupFolder,
  backupName,
  backupSqlite,
  type DatabaseSummary,
  mayLackChanges,
  restoreSqlite,
  verifySqlite,
} from '../platform/database/backup.js';
import { BackupStore } from '../platform/database/backup-store.js';
import { withPlainBackup } from '../platform/database/compressed-backup.js';
import { DataFolderLock } from '../platform/database/data-folder-lock.js';
import { recordingsFolder, restoreRecordings } from '../platform/database/recordings-copy.js';
import { newestIn, newestOf, requireComplete, tryBackup } from '../platform/database/restore-trial.js';
import { sealedEnding } from '../platform/database/sealed-backup.js';
import { readOrdinaryFile } from '../platform/ordinary-file.js';
import { Refused } from '../platform/refused.js';
import { KeyRing, type MasterKeys, type RingFile, readRing } from '../platform/secrets/key-ring.js';
import { systemClock } from '../platform/time/clock.js';
import type { SettingOptions } from './setting-options.js';

interface WithKeys extends SettingOptions {
  readonly keyRing?: string;
  /** Identity file of age. */
  readonly identity?: string;
}

interface DataPaths {
  readonly dataDir: string;
  /** The SQLite file. */
  readonly database: string;
  /** The folder of backups. */
  readonly backups: string;
  readonly masterKey: string | undefined;
  readonly recipient: string | undefined;
  /** Lines of an identity file of age. */
  readonly identities: string | undefined;
  readonly store: BackupStore | null;
}

/** Throws Refused where the database is PostgreSQL, which has its own tools. */
function placeOf({ set, config, identity }: WithKeys): DataPaths {
  const { settings } = loadSettings({ flags: set, file: config });
  const dataDir = resolve(settings.EARSHOT_DATA_DIR);
  const database = sqliteFileOf(settings);
  if (database === null)
    throw new Refused(
      'The database is PostgreSQL. Back it up with `pg_dump --format=custom`, restore it with `pg_restore`, and keep what `earshotd key export` prints apart from it.',
    );
  const backups = backupFolder(dataDir, settings.EARSHOT_BACKUP_FOLDER);
  const identities =
    identity === undefined
      ? settings.EARSHOT_BACKUP_IDENTITY?.reveal()
      : readOrdinaryFile(resolve(identity)).toString();
  return {
    ...{ dataDir, database, backups, identities, recipient: settings.EARSHOT_BACKUP_RECIPIENT },
    ...{ masterKey: settings.EARSHOT_MASTER_KEY?.reveal(), store: BackupStore.of(settings) },
  };
}

export async function backup(file: string | undefined, options: SettingOptions): Promise<void> {
  const { database, backups, recipient } = placeOf(options);
  const sealed = recipient !== undefined;
  const target = file === undefined ? join(backups, backupName(systemClock, { sealed })) : resolve(file);
  const summary = await backupSqlite(database, target, recipient);
  print(`${target}\n${described(summary)}`);
  if (sealed && !target.endsWith(sealedEnding))
    printError(`${target} is not encrypted: EARSHOT_BACKUP_RECIPIENT is for names that end in ${sealedEnding}.`);
  printError(
    'The backup holds neither recordings nor the key ring, which opens its secrets: print that with `earshotd key export`.',
  );
}

export async function verify(file: string | undefined, options: WithKeys): Promise<void> {
  const place = placeOf(options);
  const path = file === undefined ? place.database : resolve(file);
  const read = async (plain: string) => {
    const summary = verifySqlite(plain);
    print(`${path}\n${described(summary)}`);
    requireComplete(path, summary, await ringOf(place, lentRing(options)));
    print('The backup is complete, and its secrets can be opened here.');
    if (path !== place.database) warnOfLackingChanges(plain);
  };
  await withPlainBackup(path, place.dataDir, read, place.identities);
}

export interface RestoreOptions extends WithKeys {
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
async function tryRestore(file: string | undefined, options: WithKeys): Promise<void> {
  const place = placeOf(options);
  const source = file === undefined ? newestIn(place.backups) : resolve(file);
  const ring = await ringOf(place, lentRing(options));
  const { summary, steps, seconds } = await tryBackup(source, place.dataDir, { ring, identities: place.identities });
  print(`${source}\n${described(summary)}`);
  print(`  upgrade     ${steps === 0 ? 'none is needed' : `${steps} steps`}`);
  print(`It can be restored here; the trial took ${seconds} s, and changed nothing.`);
  warnOfLackingChanges(source);
}

/** Throws Refused where no store is set, or it does not answer. */
export async function listStore(options: SettingOptions): Promise<void> {
  const { store } = storeOf(options);
  const files = (await store.list()).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const { name, bytes } of files) print(`${name}  ${(bytes / 2 ** 20).toFixed(1)} MiB`);
  if (files.length === 0) printError(`There is no backup in ${store.address} yet.`);
}

/** Fetches a backup into the folder of backups, by default the newest one, with the recordings. Throws Refused. */
export async function fetchFromStore(named: string | undefined, options: SettingOptions): Promise<void> {
  const { store, backups } = storeOf(options);
  const name = named ?? newestOf((await store.list()).map((file) => file.name))?.name;
  if (name === undefined) throw new Refused(`There is no backup in ${store.address} yet.`);
  mkdirSync(join(backups, recordingsFolder), { recursive: true, mode: 0o700 });
  const target = join(backups, basename(name));
  if (existsSync(target)) printError(`${target} is there already.`);
  else await store.get(name, target);
  for (const recording of await store.list(`${recordingsFolder}/`)) {
    const place = join(backups, recordingsFolder, basename(recording.name));
    if (!existsSync(place)) await store.get(recording.name, place);
  }
  print(target);
  printError(`Try it with \`earshotd restore --verify ${target}\`.`);
}

function storeOf(options: SettingOptions): DataPaths & { readonly store: BackupStore } {
  const place = placeOf(options);
  if (place.store === null) throw new Refused('No store of backups is set: set EARSHOT_BACKUP_S3_URL.');
  return { ...place, store: place.store };
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
    const accept = async (found: DatabaseSummary) => {
      requireComplete(source, found, await ringOf(place, lent));
      if (holds) writeFileSync(heldWebhooksFile(place.dataDir), '', { mode: 0o600 });
      if (lent !== null) await (await KeyRing.open(ringPath(place), systemClock, place.masterKey)).adopt(lent);
    };
    const restored = restoreSqlite(source, place.database, systemClock, accept, place.identities);
    const { summary, kept } = await restored.catch((error: unknown) => {
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
    // The database is in place by now: what may fail here says so after all that.
    const recordings = await restoreRecordings(dirname(source), place.dataDir, place.identities);
    if (recordings > 0) print(`  recordings  ${recordings} put back`);
  } finally {
    lock.release();
  }
}

const ringPath = ({ dataDir }: DataPaths): string => join(dataDir, 'key-ring.json');
const lentRing = ({ keyRing }: WithKeys): RingFile | null =>
  keyRing === undefined ? null : readRing(resolve(keyRing));

/** The keys of this installation, and those that were passed in for this call. */
async function ringOf(place: DataPaths, lent: RingFile | null): Promise<MasterKeys | null> {
  const ring = await KeyRing.find(ringPath(place), systemClock, place.masterKey);
  return lent === null ? ring : KeyRing.holding(lent, ring);
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
