/** Users who do not count on a leaderboard until they are let back. */
import { z } from 'zod';
import { ExternalUserId, Id, ItemPath, ProjectPath } from '../common.js';
import { defineRoute } from '../route.js';

const ExclusionRequest = z
  .object({
    userId: ExternalUserId,
    leaderboardId: Id.optional().describe('Default: every leaderboard that the project has now'),
  })
  .meta({ id: 'LeaderboardExclusionRequest' });
export type ExclusionRequest = z.infer<typeof ExclusionRequest>;

const ExclusionChange = z
  .object({ leaderboardIds: z.array(z.string()).describe('Boards that this changed') })
  .meta({ id: 'LeaderboardExclusionChange' });

const LeaderboardExclusions = z
  .object({ userIds: z.array(z.string()).describe('Users who are excluded from the board') })
  .meta({ id: 'LeaderboardExclusions' });

const group = 'Gameplay configuration';
const auth = ['apiKey', 'bearer'] as const;
const write = { group, auth, method: 'post', scope: 'gameplay', role: 'admin', params: ProjectPath } as const;
const path = '/api/projects/{projectId}/leaderboards';
const changed = { status: 200, body: ExclusionChange } as const;

export const leaderboardExclusionRoutes = {
  exclude: defineRoute({
    ...write,
    operationId: 'excludeFromLeaderboards',
    summary: 'Take a user off a leaderboard, and keep them off until they are let back.',
    description:
      'Their score is removed at once, and nothing they do counts there, not even in rebuilds. Their share of team scores stays until a rebuild. Boards created later count them.',
    path: `${path}/exclude`,
    body: ExclusionRequest,
    success: changed,
    errors: ['leaderboard_not_found'],
  }),
  include: defineRoute({
    ...write,
    operationId: 'includeInLeaderboards',
    summary: 'Let an excluded user back on a leaderboard.',
    description: 'They start again from nothing; a rebuild counts their stored events again.',
    path: `${path}/include`,
    body: ExclusionRequest,
    success: changed,
    errors: ['leaderboard_not_found'],
  }),
  list: defineRoute({
    group,
    auth,
    operationId: 'listLeaderboardExclusions',
    summary: 'List the users who are excluded from a leaderboard.',
    method: 'get',
    path: `${path}/{id}/exclusions`,
    scope: 'gameplay:read',
    role: 'viewer',
    params: ItemPath,
    success: { status: 200, body: LeaderboardExclusions },
    errors: ['leaderboard_not_found'],
  }),
};
