/** The season of a project as one document. */
import { seasonRoutes } from '../../../../src/contract/gameplay/season-routes.js';
import { type BoundRoute, bind } from '../../../platform/http/bind.js';
import type { SeasonService } from './season-service.js';

export const seasonRouter = (seasons: SeasonService): BoundRoute[] =>
  bind(seasonRoutes, {
    get: ({ project }) => seasons.get(project.projectId),
    apply: ({ project, body }) => seasons.apply(project.projectId, body),
  });
