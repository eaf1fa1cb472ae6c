/** Base of everything else: the folder, the database, the key ring, the log. Opened first, closed last. */
import { join } from 'node:path';
import { roles, type Settings } from './config/schema.js';
import { prepareDataFolder, sqliteFileOf } from './data-folder.js';
import { databaseAddresses } from './database/addresses.js';
import { described, type UpgradePlan } from './database/copy-before.js';
import { isHalfCopied } from './database/copy-rows.js';
import { DataFolderLock } from './database/data-folder-lock.js';
import { Database } from './database/database.js';
import { requireDirectAddress } from './database/direct-address.js';
import { requireNothingLost } from './database/lost-database.js';
import { migrate } from './database/migrate.js';
import { RunningDaemons } from './database/running-daemons.js';
import { LogFollower } from './events/follower.js';
import { EventLog } from './events/log.js';
import { LocalWakeUps, type WakeUps } from './events/wake-ups.js';
import { requireMachine } from './machine.js';
import type { Logger } from './observability/logger.js';
import { Refused } from './refused.js';
import { KeyRing } from './secrets/key-ring.js';
import { SecretBox } from './secrets/secret-box.js';
import { DataKeyRows, HandoverRows } from './secrets/stores.js';
import type { Clock } from './time/clock.js';

export interface Foundation {
  readonly dataDir: string;
  readonly database: Database;
  readonly daemons: RunningDaemons;
  readonly ring: KeyRing;
  readonly box: SecretBox;
  readonly log: EventLog;
  readonly wakeUps: WakeUps;
  readonly follower: LogFollower;
  close(): Promise<void>;
}

/** `upgrades` is told before an upgrade holds the process up. Throws DataFolderInUse, Refused, MigrationError, AddressPooled, and errors of the database. */
export async function openFoundation(
  settings: Settings,
  now: Clock,
  logger: Logger,
  upgrades: (plan: UpgradePlan) => void = () => {},
): Promise<Foundation> {
  const dataDir = prepareDataFolder(settings, logger);
  const addresses = databaseAddresses(settings, dataDir);
  const file = sqliteFileOf(settings);
  requireMachine(file);
  const lock = new DataFolderLock(dataDir, file);
  lock.acquire();
  /** Closes what has been opened, the last first. */
  const opened: (() => Promise<void> | void)[] = [() => lock.release()];
  const close = async () => {
    for (let end = opened.pop(); end !== undefined; end = opened.pop()) await end();
  };
  try {
    if (file !== null) requireNothingLost(file, dataDir);
    await requireDirectAddress(addresses);
    const { applied, backup } = await migrate(addresses.directUrl, now, (plan) => {
      logger.info(plan, described(plan));
      upgrades(plan);
    });
    if (applied.length > 0) logger.info({ steps: applied.length, to: applied.at(-1), backup }, 'database migrated');
    const database = await Database.connect(addresses.url, addresses);
    opened.push(() => database.close());
    if (await isHalfCopied(database.read, database.dialect))
      throw new Refused(
        'A copy into this database has not ended. Run the same `earshotd copy` again, or name another database.',
      );
    const ring = await KeyRing.open(join(dataDir, 'key-ring.json'), now, settings.EARSHOT_MASTER_KEY?.reveal());
    const handovers = new HandoverRows(database, now);
    const box = new SecretBox(ring, new DataKeyRows(database, now), handovers, now);
    await box.start();
    const resumed = await box.resumeRotation();
    if (resumed !== null)
      logger.info(resumed, 'a rotation of the master key that was interrupted, or begun by another daemon, has ended');
    if (await box.isBehind())
      logger.warn('EARSHOT_MASTER_KEY is older than the master key that the database uses: set the new one here, too');
    const daemons = new RunningDaemons(database, settings.EARSHOT_ROLES ?? roles, now);
    opened.push(() => daemons.stop());
    await daemons.start();
    const wakeUps = await wakeUpsOf(database, 'earshot_log');
    opened.push(() => {
      database.changes?.announce();
      return wakeUps.stop();
    });
    await wakeUps.start();
    database.changes?.follow(wakeUps);
    const log = new EventLog(database, wakeUps, now);
    await log.start();
    const follower = new LogFollower(log, wakeUps, logger);
    return { dataDir, database, daemons, ring, box, log, wakeUps, follower, close };
  } catch (error) {
    await close().catch((failed: unknown) => logger.warn({ err: failed }, 'what had been opened did not close'));
    throw error;
  }
}

/** Wake-ups of one channel, between all daemons of the database. */
export async function wakeUpsOf(
  { dialect, url }: Pick<Database, 'dialect' | 'url'>,
  channel: string,
): Promise<WakeUps> {
  if (dialect === 'sqlite') return new LocalWakeUps();
  const { PostgresqlWakeUps } = await import('./events/postgresql-wake-ups.js');
  return new PostgresqlWakeUps(url, channel);
}
