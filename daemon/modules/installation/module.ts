/** What the administrators of the installation see of it, and the backups that they start. */
import { backupFolder } from '../../platform/database/backup.js';
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import { Refused } from '../../platform/refused.js';
import { backupMetrics } from './backup-metrics.js';
import { BackupSchedule } from './backup-schedule.js';
import { Backups } from './backups.js';
import { DiskUse } from './disk-use.js';
import { installationRouter } from './routes.js';
import { InstallationService } from './service.js';

export function installationModule(platform: Platform): Module {
  const { dataDir, database, daemons, settings, storage, logger, now } = platform;
  const folder = backupFolder(dataDir, settings.EARSHOT_BACKUP_FOLDER);
  const { EARSHOT_DISK_RESERVE_MB: reserveMb, EARSHOT_BACKUP_COMPRESS: compress } = settings;
  const backups = new Backups({ dataDir, folder, database, reserveMb, compress, logger, now });
  const { EARSHOT_BACKUP_SCHEDULE: times } = settings;
  const keep = () => settings.EARSHOT_BACKUP_KEEP;
  const schedule = times === undefined ? null : new BackupSchedule({ times, keep, backups, logger, now });
  if (schedule !== null && !backups.isAvailable)
    throw new Refused(`EARSHOT_BACKUP_SCHEDULE is for SQLite. ${backups.instead} Unset it.`);
  const disk = new DiskUse(dataDir, storage.databaseBytes);
  const service = new InstallationService({ backups, schedule, disk, database, daemons, settings, now });
  return {
    name: 'installation',
    routes: installationRouter(service, backups),
    parts: [
      modulePart('backups', { start: () => {}, stop: () => backups.stop() }, { role: 'http' }),
      ...(schedule === null ? [] : [modulePart('backup-schedule', schedule, { role: 'http' })]),
    ],
    metrics: backupMetrics(backups),
  };
}
