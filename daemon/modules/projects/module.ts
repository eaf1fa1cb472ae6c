/** Projects and their settings, as the daemon and the operator's commands both need them. */
import type { Clock } from '../../platform/clock.js';
import type { Settings } from '../../platform/config/schema.js';
import type { Database } from '../../platform/database/database.js';
import type { Foundation } from '../../platform/foundation.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { FirstProject } from '../identity/accounts/bootstrap.js';
import type { SigningProjects } from '../ingest/ingest.js';
import type { ComposedRooms } from '../rooms/module.js';
import { ProjectRemoval, type Recordings } from './removal/removal.js';
import { RemovalStore } from './removal/removal-store.js';
import { RemoveProjects } from './removal/remove-projects.js';
import { ProjectService } from './service.js';
import { LocalBilling } from './settings/billing.js';
import { HttpBilling } from './settings/http-billing.js';
import { SettingsService } from './settings/service.js';
import { SettingsStore } from './settings/store.js';
import { ProjectStore } from './store.js';

export interface ComposedProjects {
  readonly projectStore: ProjectStore;
  readonly projects: ProjectService;
  readonly projectSettings: SettingsService;
  readonly settingsStore: SettingsStore;
  readonly firstProject: FirstProject;
}

export function composeProjects(
  { database, box }: Pick<Foundation, 'database' | 'box'>,
  settings: Settings,
  log: Logger,
  now: Clock,
): ComposedProjects {
  const projectStore = new ProjectStore(database);
  const settingsStore = new SettingsStore(database);
  const { EARSHOT_BILLING_URL: address, EARSHOT_BILLING_TOKEN: token } = settings;
  const billing =
    address === undefined || token === undefined
      ? new LocalBilling(settingsStore, box, now)
      : new HttpBilling(address, token.reveal(), log);
  const projectSettings = new SettingsService(database, settingsStore, billing, box, now);
  const projects = new ProjectService(database, projectStore, billing, now);
  const firstProject: FirstProject = {
    create: async (tx, tenantId, ownerId) => {
      const { id } = await projects.insert(tx, tenantId, 'default', { id: ownerId });
      await projectSettings.upsert(tx, id, { tokenProvider: 'embedded', tokenProviderSettings: {} });
    },
  };
  return { projectStore, projects, projectSettings, settingsStore, firstProject };
}

/** The secrets that platform services sign with, by the id that they know a project by. */
export const signingProjects = ({ projectStore, projectSettings }: ComposedProjects): SigningProjects => ({
  byBillingId: async (billingProjectId) => {
    const project = await projectStore.byBillingId(billingProjectId);
    const secret = project === null ? null : await projectSettings.secretOf(project.id);
    return project === null || secret === null ? null : { projectId: project.id, tenantId: project.tenantId, secret };
  },
});

/** The job that removes what deleted projects leave; who still talks in one is put out first. */
export function composeProjectRemoval(
  database: Database,
  { close }: Pick<ComposedRooms, 'close'>,
  recordings: Recordings,
  log: Logger,
): RemoveProjects {
  return new RemoveProjects(new ProjectRemoval(new RemovalStore(database), { close }, recordings), log);
}
