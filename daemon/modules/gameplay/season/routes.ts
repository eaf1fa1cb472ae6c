/** The season of a project as one document. */
import { seasonRoutes } from '../../../../src/contract/gameplay/season-routes.js';
import { type BoundRoute, bind } from '../../../platform/http/bind.js';
import type { SeasonService } from './season-service.js';

export const seasonRouter = (seasons: SeasonService): BoundRoute[] =>
  bind(seasonRoutes, {
    get: ({ params }) => seasons.get(params.projectId),
    apply: ({ params, body }) => seasons.apply(params.projectId, body),
  });
