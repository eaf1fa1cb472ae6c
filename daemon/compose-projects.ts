/** Projects and their settings, as the daemon and the operator's commands both need them. */
import type { Clock } from './clock.js';
import type { FirstProject } from './features/accounts/bootstrap.js';
import { ProjectService } from './features/projects/service.js';
import { ProjectStore } from './features/projects/store.js';
import { LocalBilling } from './features/settings/billing.js';
import { SettingsService } from './features/settings/service.js';
import { SettingsStore } from './features/settings/store.js';
import type { Foundation } from './foundation.js';

export interface ComposedProjects {
  readonly projectStore: ProjectStore;
  readonly projects: ProjectService;
  readonly projectSettings: SettingsService;
  readonly firstProject: FirstProject;
}

export function composeProjects({ database, box }: Pick<Foundation, 'database' | 'box'>, now: Clock): ComposedProjects {
  const projectStore = new ProjectStore(database);
  const settingsStore = new SettingsStore(database);
  const billing = new LocalBilling(settingsStore, box, now);
  const projectSettings = new SettingsService(database, settingsStore, billing, box, now);
  const projects = new ProjectService(database, projectStore, billing, now);
  const firstProject: FirstProject = {
    create: async (tx, tenantId, ownerId) => {
      const { id } = await projects.insert(tx, tenantId, 'default', { id: ownerId });
      await projectSettings.upsert(tx, id, { tokenProvider: 'embedded', tokenProviderSettings: {} });
    },
  };
  return { projectStore, projects, projectSettings, firstProject };
}
