/** Projects: the people who work in them, their settings, and their removal. */

import type { Database } from '../../platform/database/database.js';
import { HeldIds } from '../../platform/database/held-ids.js';
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { Records } from '../../records.js';
import { FirstProject } from './first-project.js';
import { ProjectRemoval } from './removal/removal.js';
import { RemovalStore } from './removal/removal-store.js';
import { RemoveProjects } from './removal/remove-projects.js';
import { projectJobRouter, projectRouter, projectUserRouter } from './routes.js';
import { ProjectService } from './service.js';
import { settingsRouter } from './settings/routes.js';
import { ProjectStore } from './store.js';
import { ProjectUserService } from './users.js';

/** Creates a project without people, for a temporary database. */
export async function emptyProject(database: Database, ...project: Parameters<ProjectStore['insert']>): Promise<void> {
  await new ProjectStore(database).insert(...project);
}

export interface ProjectsModule extends Module {
  readonly users: ProjectUserService;
  /** Creates the first project of a new tenant. */
  readonly first: FirstProject;
}

export function projectsModule(platform: Platform, { projects, identity }: Records): ProjectsModule {
  const { database, mail, mailAllowance, publicUrl, outsideWaits, now } = platform;
  const { store, billing, settings } = projects;
  const service = new ProjectService(database, store, billing, identity.accounts, new HeldIds(database), now);
  const users = new ProjectUserService(
    ...([database, store, identity.directory, identity.apiKeys, mail, mailAllowance, publicUrl, now] as const),
  );
  return {
    name: 'projects',
    users,
    first: new FirstProject(service, settings),
    routes: [
      ...projectRouter(service),
      ...settingsRouter(settings, outsideWaits),
      ...projectUserRouter(users),
      ...projectJobRouter(platform.jobs),
    ],
  };
}

/** @param modules every module that may hold data of a project */
export function projectRemovalModule({ database, jobs, logger }: Platform, modules: readonly Module[]): Module {
  const steps = modules.flatMap(({ project }) => project ?? []);
  const removal = new ProjectRemoval(new RemovalStore(database), steps, jobs, logger);
  return {
    name: 'project-removal',
    parts: [modulePart('remove-projects', new RemoveProjects(removal, jobs, logger), { role: 'jobs' })],
  };
}
