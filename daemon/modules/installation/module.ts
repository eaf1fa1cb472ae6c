/** What the administrators of the installation see of it, and the backups that they start. */
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import { Backups } from './backups.js';
import { DiskUse } from './disk-use.js';
import { installationRouter } from './routes.js';
import { InstallationService } from './service.js';

export function installationModule(platform: Platform): Module {
  const { dataDir, database, daemons, settings, storage, logger, now } = platform;
  const backups = new Backups({ dataDir, database, reserveMb: settings.EARSHOT_DISK_RESERVE_MB, logger, now });
  const disk = new DiskUse(dataDir, storage.databaseBytes);
  const service = new InstallationService({ backups, disk, database, daemons, settings, now });
  return {
    name: 'installation',
    routes: installationRouter(service, backups),
    parts: [modulePart('backups', { start: () => {}, stop: () => backups.stop() }, { role: 'http' })],
  };
}
