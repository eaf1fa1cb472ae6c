import { installationRoutes } from '../../../src/contract/installation/installation.js';
import { bind } from '../../platform/http/bind.js';
import type { Backups } from './backups.js';
import type { InstallationService } from './service.js';

export const installationRouter = (service: InstallationService, backups: Backups) =>
  bind(installationRoutes, {
    get: () => service.show(),
    backUp: () => backups.begin(),
  });
