/** Counting a leaderboard again from the stored events: in the background, shown before it is applied, undoable. */
import { z } from 'zod';
import { Id, ItemPath, PageInfo, PageQuery, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';
import { MemberType } from './leaderboards.js';

/** Users that one rebuild leaves out or takes back in. */
const rebuildUsersMax = 100;
export const excludedUsersMax = 1_000;
/** Rebuilds of a tenant that are counted, applied or undone at a time. */
export const rebuildsPerTenantMax = 5;
/** Rebuilds kept of a board; older ones are forgotten. */
export const rebuildsKeptMax = 100;

export const RebuildStatus = z.enum([
  ...(['counting', 'ready', 'applying', 'applied', 'undoing', 'undone'] as const),
  ...(['cancelled', 'failed', 'discarded'] as const),
]);
export type RebuildStatus = z.infer<typeof RebuildStatus>;

const Place = z.object({ score: z.int(), rank: z.int() });
export const RebuildChange = z
  .object({ memberType: MemberType, memberId: z.string(), before: Place, after: Place })
  .meta({ id: 'LeaderboardRebuildChange' });
export type RebuildChange = z.infer<typeof RebuildChange>;

export const LeaderboardRebuild = z
  .object({
    id: z.string(),
    leaderboardId: z.string(),
    periodId: z.string(),
    status: RebuildStatus.describe(
      'Running: counting, applying, undoing. ready: it can be applied; discarded: a newer one replaced it',
    ),
    failure: z
      .string()
      .nullable()
      .describe(
        'Error code that ended the last step; daemon_ended_twice: the daemon crashed twice during it, so start a new rebuild',
      ),
    progress: z.number().min(0).max(1).describe('Of the running step'),
    excluded: z.array(z.string()).describe('Users who are excluded from the board once it is applied'),
    events: z.int().describe('Events that were counted'),
    changed: z.int().describe('Members whose score differs; 0 until it is ready'),
    changes: z.array(RebuildChange).describe('The 1,000 best users and the 1,000 best teams among them'),
    createdAt: Timestamp,
    appliedAt: Timestamp.nullable(),
    undoneAt: Timestamp.nullable(),
  })
  .meta({ id: 'LeaderboardRebuild' });
export type LeaderboardRebuild = z.infer<typeof LeaderboardRebuild>;

const LeaderboardRebuildList = PageInfo.extend({ rebuilds: z.array(LeaderboardRebuild) }).meta({
  id: 'LeaderboardRebuildList',
});
export type LeaderboardRebuildList = z.infer<typeof LeaderboardRebuildList>;

const users = z.array(z.string().min(1).max(200)).max(rebuildUsersMax);
export const RebuildLeaderboardRequest = z
  .object({
    without: users.default([]).describe('Users to exclude, in this rebuild and from now on'),
    readmit: users.default([]).describe('Excluded users to let back'),
    periodId: Id.optional().describe('Period; default: the current one'),
  })
  .meta({ id: 'RebuildLeaderboardRequest' });
export type RebuildLeaderboardRequest = z.infer<typeof RebuildLeaderboardRequest>;

const group = 'Gameplay configuration';
const auth = ['apiKey', 'bearer'] as const;
const read = { group, auth, method: 'get', scope: 'gameplay:read', role: 'viewer' } as const;
const write = { group, auth, method: 'post', scope: 'gameplay', role: 'admin' } as const;
const path = '/api/projects/{projectId}/leaderboards/{id}/rebuilds';
const one = `${path}/{rebuildId}` as const;
const RebuildPath = ItemPath.extend({ rebuildId: Id });
const missing = ['leaderboard_not_found'] as const;
const noRebuild = [...missing, 'leaderboard_rebuild_not_found'] as const;
const notNow = ['leaderboard_events_gone', 'leaderboard_rebuild_running', 'rate_limited'] as const;
const begun = { status: 202, body: LeaderboardRebuild } as const;
const description = 'Runs in the background: read the rebuild until its step is done.';

export const leaderboardRebuildRoutes = {
  make: defineRoute({
    ...write,
    operationId: 'rebuildLeaderboard',
    summary: 'Count a period again from stored events; nothing changes until it is applied.',
    description,
    path,
    params: ItemPath,
    body: RebuildLeaderboardRequest,
    success: begun,
    errors: [...missing, 'leaderboard_period_not_found', ...notNow],
  }),
  list: defineRoute({
    ...read,
    operationId: 'listLeaderboardRebuilds',
    summary: 'List the rebuilds of a leaderboard, newest first.',
    path,
    params: ItemPath,
    query: PageQuery,
    success: { status: 200, body: LeaderboardRebuildList },
    errors: missing,
  }),
  get: defineRoute({
    ...read,
    operationId: 'getLeaderboardRebuild',
    summary: 'Show the progress of a rebuild, and what it changes.',
    path: one,
    params: RebuildPath,
    success: { status: 200, body: LeaderboardRebuild },
    errors: noRebuild,
  }),
  apply: defineRoute({
    ...write,
    operationId: 'applyLeaderboardRebuild',
    summary: 'Apply a rebuild: its scores, plus the events since, become the live ones.',
    description,
    path: `${one}/apply`,
    params: RebuildPath,
    success: begun,
    errors: [...noRebuild, ...notNow, 'leaderboard_rebuild_closed'],
  }),
  undo: defineRoute({
    ...write,
    operationId: 'undoLeaderboardRebuild',
    summary: 'Undo a rebuild: restore the scores from before it, plus the events since.',
    description,
    path: `${one}/undo`,
    params: RebuildPath,
    success: begun,
    errors: [...noRebuild, ...notNow, 'leaderboard_rebuild_closed'],
  }),
  cancel: defineRoute({
    ...write,
    operationId: 'cancelLeaderboardRebuild',
    summary: 'Cancel a rebuild that runs or waits to be applied; scores stay.',
    path: `${one}/cancel`,
    params: RebuildPath,
    success: { status: 200, body: LeaderboardRebuild },
    errors: [...noRebuild, 'leaderboard_rebuild_closed'],
  }),
};
