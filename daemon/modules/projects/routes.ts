import { InterruptedJob, projectJobRoutes } from '../../../src/contract/projects/jobs.js';
import { projectRoutes, projectUserRoutes } from '../../../src/contract/projects/projects.js';
import { bind } from '../../platform/http/bind.js';
import type { Jobs } from '../../platform/scheduler/jobs.js';
import type { ProjectService } from './service.js';
import type { ProjectUserService } from './users.js';

export const projectRouter = (projects: ProjectService) =>
  bind(projectRoutes, {
    list: ({ caller, query }) => projects.list(caller, query.search),
    create: ({ caller, body }) => projects.create(caller, body.name),
    update: ({ project, body }) => projects.rename(project, body.name),
    remove: ({ project }) => projects.remove(project),
  });

export const projectJobRouter = (jobs: Pick<Jobs, 'list' | 'resume'>) =>
  bind(projectJobRoutes, {
    list: async ({ project: { projectId } }) => (await jobs.list(projectId)).map((one) => InterruptedJob.parse(one)),
    resume: async ({ project: { projectId }, body }) => ({ resumed: await jobs.resume(body.job, { projectId }) }),
  });

export const projectUserRouter = (users: ProjectUserService) =>
  bind(projectUserRoutes, {
    list: ({ project, query }) => users.list(project.projectId, query),
    authors: ({ project, query }) => users.authors(project, query.name),
    invite: ({ project, caller, body }) => users.invite(project, caller, body.email, body.role),
    remove: ({ project, body }) => users.remove(project, body.permissionId, body.withdraw),
    changeRole: ({ project, caller, body }) => users.changeRole(project, caller, body.permissionId, body.role),
  });
