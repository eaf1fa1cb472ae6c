/** Users who are kept off leaderboards. */
import { leaderboardExclusionRoutes } from '../../../../src/contract/gameplay/leaderboard-exclusions.js';
import { type BoundRoute, bind } from '../../../platform/http/bind.js';
import type { BoardServices } from './board-routes.js';

export const exclusionRouter = ({ service, rankings }: BoardServices): BoundRoute[] =>
  bind(leaderboardExclusionRoutes, {
    exclude: async ({ project, body }) => ({ leaderboardIds: await service.exclude(project.projectId, body) }),
    include: async ({ project, body }) => ({ leaderboardIds: await service.include(project.projectId, body) }),
    list: async ({ project, params }) => ({
      userIds: [...(await rankings.find(project.projectId, params.id)).excluded].sort(),
    }),
  });
