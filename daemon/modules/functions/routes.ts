import { functionRoutes } from '../../../src/contract/functions/functions.js';
import { bind } from '../../platform/http/bind.js';
import type { ConcurrencyLimit } from '../../platform/limits/concurrency-limit.js';
import type { FunctionService } from './service.js';

/** All but the first ask the hosting API, or may. */
export const functionRouter = (functions: FunctionService, waits: Pick<ConcurrencyLimit, 'run'>) =>
  bind(functionRoutes, {
    get: ({ project }) => functions.get(project.projectId),
    update: ({ project: { tenantId, projectId }, body }) =>
      waits.run(tenantId, () => functions.update(projectId, body)),
    verify: ({ project: { tenantId, projectId } }) => waits.run(tenantId, () => functions.verify(projectId)),
    resourcePackages: ({ project: { tenantId, projectId } }) =>
      waits.run(tenantId, () => functions.resourcePackages(projectId)),
    locations: ({ project: { tenantId, projectId } }) => waits.run(tenantId, () => functions.locations(projectId)),
    activate: ({ project: { tenantId, projectId } }) => waits.run(tenantId, () => functions.activate(projectId)),
  });
