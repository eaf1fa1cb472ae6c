/** Projects: the people who work in them, their settings, and their removal. */
import type { Database } from '../../platform/database/database.js';
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import { Access } from './access.js';
import type { ProjectDirectory } from './directory.js';
import { firstProject } from './first-project.js';
import { ProjectRemoval } from './removal/removal.js';
import { RemovalStore } from './removal/removal-store.js';
import { RemoveProjects } from './removal/remove-projects.js';
import { projectRouter, projectUserRouter } from './routes.js';
import { type AccountEmails, ProjectService } from './service.js';
import { LocalBilling } from './settings/billing.js';
import { HttpBilling } from './settings/http-billing.js';
import { settingsRouter } from './settings/routes.js';
import { SettingsService } from './settings/service.js';
import { SettingsStore } from './settings/store.js';
import { ProjectStore } from './store.js';
import { ProjectUserService } from './users.js';

export function projectDirectory(platform: Platform, accounts: AccountEmails): ProjectDirectory {
  const { database, box, settings, mail, mailAllowance, publicUrl, logger, now } = platform;
  const store = new ProjectStore(database);
  const settingsStore = new SettingsStore(database);
  const { EARSHOT_BILLING_URL: address, EARSHOT_BILLING_TOKEN: token } = settings;
  const billing =
    address === undefined || token === undefined
      ? new LocalBilling(settingsStore, box, now)
      : new HttpBilling(address, token.reveal(), logger);
  const projectSettings = new SettingsService(database, settingsStore, billing, box, now);
  const service = new ProjectService(database, store, billing, accounts, now);
  return {
    access: new Access(store),
    settings: projectSettings,
    service,
    users: new ProjectUserService(database, store, accounts, mail, mailAllowance, publicUrl, now),
    tenantOf: (projectId) => store.tenantOf(projectId),
    tenantIn: (client, projectId) => store.tenantIn(client, projectId),
    nameOf: async (projectId) => (await store.find(projectId))?.name ?? null,
    ofTenant: (tenantId) => store.ofTenant(tenantId),
    isOpen: async (projectId) => (await store.tenantOf(projectId)) !== null,
    inReach: (projectIds) => store.inReach(projectIds),
    signing: async (billingProjectId) => {
      const project = await store.byBillingId(billingProjectId);
      const secret = project === null ? null : await projectSettings.secretOf(project.id);
      return project === null || secret === null ? null : { projectId: project.id, tenantId: project.tenantId, secret };
    },
    keptTranscripts: () => settingsStore.keptTranscripts(),
    createFirst: firstProject(service, projectSettings),
  };
}

/** Creates a project without people, for a temporary database. */
export async function emptyProject(database: Database, ...project: Parameters<ProjectStore['insert']>): Promise<void> {
  await new ProjectStore(database).insert(...project);
}

interface ProjectNeeds {
  readonly projects: ProjectDirectory;
  /** Every module that may hold data of a project. */
  readonly modules: readonly Module[];
}

export function projectsModule(
  { database, outsideWaits, logger }: Platform,
  { projects, modules }: ProjectNeeds,
): Module {
  const removal = new ProjectRemoval(
    new RemovalStore(database),
    modules.flatMap(({ project }) => project ?? []),
    logger,
  );
  return {
    name: 'projects',
    routes: [
      ...projectRouter(projects.service),
      ...settingsRouter(projects.settings, outsideWaits),
      ...projectUserRouter(projects.users),
    ],
    parts: [modulePart('remove-projects', new RemoveProjects(removal, logger), { role: 'jobs' })],
  };
}
