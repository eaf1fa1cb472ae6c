/** Projects and their settings, as the daemon and the operator's commands both need them. */
import type { Clock } from '../clock.js';
import type { Settings } from '../config/schema.js';
import type { Database } from '../database/database.js';
import type { FirstProject } from '../features/accounts/bootstrap.js';
import type { SigningProjects } from '../features/events/ingest.js';
import { ProjectRemoval, type Recordings } from '../features/projects/removal.js';
import { RemovalStore } from '../features/projects/removal-store.js';
import { ProjectService } from '../features/projects/service.js';
import { ProjectStore } from '../features/projects/store.js';
import { LocalBilling } from '../features/settings/billing.js';
import { HttpBilling } from '../features/settings/http-billing.js';
import { SettingsService } from '../features/settings/service.js';
import { SettingsStore } from '../features/settings/store.js';
import type { Foundation } from '../foundation.js';
import { RemoveProjects } from '../jobs/remove-projects.js';
import type { Logger } from '../observability/logger.js';
import type { ComposedRooms } from './rooms.js';

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
