import { functionRoutes } from '../../../src/contract/functions/functions.js';
import { bind } from '../../platform/http/bind.js';
import type { FunctionService } from './service.js';

export const functionRouter = (functions: FunctionService) =>
  bind(functionRoutes, {
    get: ({ params }) => functions.get(params.projectId),
    update: ({ params, body }) => functions.update(params.projectId, body),
    verify: ({ params }) => functions.verify(params.projectId),
    resourcePackages: ({ params }) => functions.resourcePackages(params.projectId),
    locations: ({ params }) => functions.locations(params.projectId),
    activate: ({ params }) => functions.activate(params.projectId),
  });
