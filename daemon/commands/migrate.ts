/** `earshotd migrate`: what the daemon does at start, alone. */
import { setTimeout as sleep } from 'node:timers/promises';
import { print } from '../../src/terminal/terminal.js';
import { loadSettings } from '../platform/config/load.js';
import { prepareDataFolder, sqliteFileOf } from '../platform/data-folder.js';
import { databaseAddresses } from '../platform/database/addresses.js';
import { described } from '../platform/database/copy-before.js';
import { DataFolderLock } from '../platform/database/data-folder-lock.js';
import { requireDirectAddress } from '../platform/database/direct-address.js';
import { isOutage } from '../platform/database/errors.js';
import { requireNothingLost } from '../platform/database/lost-database.js';
import { migrate } from '../platform/database/migrate.js';
import { createLogger } from '../platform/observability/logger.js';
import { systemClock } from '../platform/time/clock.js';
import type { SettingOptions } from './setting-options.js';

const waitMaxMs = 300_000;
const againMs = 1_000;

/** Asks again while the database cannot be reached. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const untilMs = performance.now() + waitMaxMs;
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error) || performance.now() > untilMs) throw error;
      if (attempt === 1) print('The database does not answer yet; waiting for it.');
      await sleep(againMs);
    }
}

export async function migrateOnly({ config, set, wait = false }: SettingOptions & { wait?: boolean }): Promise<void> {
  const { settings } = loadSettings({ flags: set, file: config });
  const dataDir = prepareDataFolder(settings, createLogger('warn'));
  const file = sqliteFileOf(settings);
  // Daemons of a PostgreSQL database wait for each other in the database.
  const lock = file === null ? null : new DataFolderLock(dataDir, file);
  lock?.acquire();
  const addresses = databaseAddresses(settings, dataDir);
  try {
    if (file !== null) requireNothingLost(file, dataDir);
    const work = async () => {
      await requireDirectAddress(addresses); // the lock of a migration would stay behind in a pooler
      return migrate(addresses.directUrl, systemClock, (plan) => print(described(plan)));
    };
    const { applied, backup } = await (wait ? patiently(work) : work());
    if (applied.length === 0) print('The database is up to date.');
    for (const name of applied) print(`applied ${name}`);
    if (backup !== null) print(`The previous database is kept: ${backup}`);
  } finally {
    lock?.release();
  }
}
