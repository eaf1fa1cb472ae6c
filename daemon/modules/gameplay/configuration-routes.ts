/** Configuration of challenges and their categories. */
import { challengeCategoryRoutes } from '../../../src/contract/gameplay/challenge-categories.js';
import { challengeRoutes } from '../../../src/contract/gameplay/challenges.js';
import { type BoundRoute, bind } from '../../platform/http/bind.js';
import type { ChallengeService } from './challenge-service.js';

export const challengeRouter = (challenges: ChallengeService): BoundRoute[] => [
  ...bind(challengeCategoryRoutes, {
    list: ({ params, query }) => challenges.listCategories(params.projectId, query),
    create: ({ params, body }) => challenges.createCategory(params.projectId, body),
    get: ({ params }) => challenges.getCategory(params.projectId, params.id),
    update: ({ params, body }) => challenges.updateCategory(params.projectId, params.id, body),
    delete: ({ params }) => challenges.deleteCategory(params.projectId, params.id),
  }),
  ...bind(challengeRoutes, {
    list: ({ params, query }) => challenges.list(params.projectId, query),
    create: ({ params, body }) => challenges.create(params.projectId, body),
    get: ({ params }) => challenges.get(params.projectId, params.id),
    update: ({ params, body }) => challenges.update(params.projectId, params.id, body),
    delete: ({ params }) => challenges.delete(params.projectId, params.id),
  }),
];
