import { settingsRoutes } from '../../../../src/contract/projects/settings.js';
import { mayActAs } from '../../../platform/http/authorisation.js';
import { bind } from '../../../platform/http/bind.js';
import type { ConcurrencyLimit } from '../../../platform/limits/concurrency-limit.js';
import type { SettingsService } from './service.js';

export const settingsRouter = (settings: SettingsService, waits: Pick<ConcurrencyLimit, 'run'>) =>
  bind(settingsRoutes, {
    get: ({ caller, project }) => settings.get(project, mayActAs('admin', caller, project, 'settings')),
    put: ({ project, body }) => settings.put(project, body),
    update: ({ project, body }) => settings.update(project, body),
    remove: ({ project }) => settings.remove(project),
    secret: ({ project }) => settings.secret(project),
    debugAudio: ({ project, body }) => settings.setDebugAudio(project, body.enabled),
    e2eEncryption: ({ project, body }) => settings.setEncryption(project, body),
    syncSecret: ({ project }) => waits.run(project.tenantId, () => settings.syncSecret(project)),
    rotateSecret: ({ project, body }) =>
      waits.run(project.tenantId, () => settings.rotateSecret(project, body.overlapSeconds)),
    revokeSecret: ({ project }) => settings.revokeSecret(project),
  });
