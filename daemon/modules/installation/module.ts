/** What the administrators of the installation see of it, and the backups that they start. */
import { backupFolder } from '../../platform/database/backup.js';
import { BackupStore } from '../../platform/database/backup-store.js';
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import { Refused } from '../../platform/refused.js';
import { backupMetrics } from './backup-metrics.js';
import { BackupSchedule } from './backup-schedule.js';
import { Backups } from './backups.js';
import { DiskUse } from './disk-use.js';
import { RestoreDrill } from './restore-drill.js';
import { installationRouter } from './routes.js';
import { InstallationService } from './service.js';
import { StoredBackups } from './stored-backups.js';

export function installationModule(platform: Platform): Module {
  const { dataDir, database, daemons, settings, storage, logger, now } = platform;
  const backups = new Backups({
    ...{ dataDir, database, logger, now, recipient: settings.EARSHOT_BACKUP_RECIPIENT },
    folder: backupFolder(dataDir, settings.EARSHOT_BACKUP_FOLDER),
    reserveMb: () => settings.EARSHOT_DISK_RESERVE_MB,
    compress: () => settings.EARSHOT_BACKUP_COMPRESS,
  });
  for (const name of ['EARSHOT_BACKUP_SCHEDULE', 'EARSHOT_BACKUP_DRILL'] as const)
    if (settings[name] !== undefined && !backups.isAvailable)
      throw new Refused(`${name} is for SQLite. ${backups.instead} Unset it.`);
  const { schedule, stored, drill } = scheduled(platform, backups);
  const disk = new DiskUse(dataDir, storage.databaseBytes);
  const service = new InstallationService({ backups, schedule, disk, database, daemons, settings, now });
  return {
    name: 'installation',
    routes: installationRouter(service, backups),
    parts: [
      modulePart('backups', { start: () => {}, stop: () => backups.stop() }, { role: 'http' }),
      ...(schedule === null ? [] : [modulePart('backup-schedule', schedule, { role: 'http' })]),
      ...(stored === null ? [] : [modulePart('stored-backups', stored, { role: 'http' })]),
      ...(drill === null ? [] : [modulePart('restore-drill', drill, { role: 'http' })]),
    ],
    metrics: backupMetrics(backups, stored, drill),
  };
}

/** What happens by the clock; null: the settings ask for none of it. */
function scheduled({ dataDir, settings, storage, logger, now }: Platform, backups: Backups) {
  const {
    EARSHOT_BACKUP_SCHEDULE: times,
    EARSHOT_BACKUP_DRILL: drillTimes,
    EARSHOT_BACKUP_RECIPIENT: recipient,
  } = settings;
  const keep = () => settings.EARSHOT_BACKUP_KEEP;
  const store = BackupStore.of(settings);
  const withRecordings = () => settings.EARSHOT_BACKUP_RECORDINGS;
  if (withRecordings() && store === null && backups.folder === dataDir)
    throw new Refused('EARSHOT_BACKUP_RECORDINGS needs an EARSHOT_BACKUP_FOLDER other than the data folder itself.');
  const stored =
    times === undefined || (store === null && !withRecordings())
      ? null
      : new StoredBackups({ dataDir, backups, store, withRecordings, recipient, keep, logger });
  const made = async () => stored?.bring();
  const schedule = times === undefined ? null : new BackupSchedule({ times, keep, backups, made, logger, now });
  const drill =
    drillTimes === undefined
      ? null
      : new RestoreDrill({
          ...{ times: drillTimes, dataDir, folder: backups.folder, store, size: storage.databaseBytes },
          reserveMb: () => settings.EARSHOT_DISK_RESERVE_MB,
          masterKey: settings.EARSHOT_MASTER_KEY?.reveal(),
          identities: settings.EARSHOT_BACKUP_IDENTITY?.reveal(),
          ...{ logger, now },
        });
  return { schedule, stored, drill };
}
