import { functionRoutes } from '../../../src/contract/functions/functions.js';
import { bind } from '../../platform/http/bind.js';
import type { FunctionService } from './service.js';

export const functionRouter = (functions: FunctionService) =>
  bind(functionRoutes, {
    get: ({ project }) => functions.get(project.projectId),
    update: ({ project, body }) => functions.update(project.projectId, body),
    verify: ({ project }) => functions.verify(project.projectId),
    resourcePackages: ({ project }) => functions.resourcePackages(project.projectId),
    locations: ({ project }) => functions.locations(project.projectId),
    activate: ({ project }) => functions.activate(project.projectId),
  });
