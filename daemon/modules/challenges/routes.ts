/** Configuration of challenges and their categories. */
import { challengeCategoryRoutes } from '../../../src/contract/gameplay/challenge-categories.js';
import { challengeRoutes } from '../../../src/contract/gameplay/challenges.js';
import { type BoundRoute, bind } from '../../platform/http/bind.js';
import type { ChallengeService } from './challenge-service.js';
import type { CompletionCounts } from './completion.js';

export const challengeRouter = (challenges: ChallengeService, completion: CompletionCounts): BoundRoute[] => [
  ...bind(challengeCategoryRoutes, {
    list: ({ project, query }) => challenges.listCategories(project.projectId, query),
    create: ({ project, body }) => challenges.createCategory(project.projectId, body),
    get: ({ project, params }) => challenges.getCategory(project.projectId, params.id),
    update: ({ project, params, body }) => challenges.updateCategory(project.projectId, params.id, body),
    delete: ({ project, params }) => challenges.deleteCategory(project.projectId, params.id),
  }),
  ...bind(challengeRoutes, {
    list: ({ project, query }) => challenges.list(project.projectId, query),
    create: ({ project, body }) => challenges.create(project.projectId, body),
    get: ({ project, params }) => challenges.get(project.projectId, params.id),
    completion: ({ project, params }) => completion.read(project.projectId, params.id),
    update: ({ project, params, body }) => challenges.update(project.projectId, params.id, body),
    delete: ({ project, params }) => challenges.delete(project.projectId, params.id),
  }),
];
