/** Rebuilding a board over HTTP. */
import type { z } from 'zod';
import type { EarshotClient } from '../../../src/client/earshot-client.js';
import {
  type LeaderboardRebuild,
  leaderboardRoutes,
  type RebuildLeaderboardRequest,
} from '../../../src/contract/gameplay/leaderboards.js';

/** Each resolves when it is done. */
export const rebuilding = (
  client: EarshotClient,
  params: { readonly projectId: string; readonly id: string },
): Readonly<{
  make(body: z.input<typeof RebuildLeaderboardRequest>): Promise<LeaderboardRebuild>;
  apply(rebuildId: string): Promise<LeaderboardRebuild>;
  undo(rebuildId: string): Promise<LeaderboardRebuild>;
}> => ({
  make: (body) => client.call(leaderboardRoutes.rebuild, { params, body }),
  apply: (rebuildId) => client.call(leaderboardRoutes.applyRebuild, { params: { ...params, rebuildId } }),
  undo: (rebuildId) => client.call(leaderboardRoutes.undoRebuild, { params: { ...params, rebuildId } }),
});
