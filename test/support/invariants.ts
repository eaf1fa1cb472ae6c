/** What holds in a project whatever has happened in it. Each check fails with what contradicts itself. */
import { expect } from 'vitest';
import { leaderboardExclusionRoutes } from '../../src/contract/gameplay/leaderboard-exclusions.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { rebuilding } from '../leaderboards/support.js';
import type { WalkProject } from './walk-project.js';

const limit = 200;

/** A rebuild with nobody left out changes nothing: on boards without exclusions at once, on others once one was applied. */
export async function boardsAreAsRebuilt({ client, boards, judgedBoards, board }: WalkProject): Promise<void> {
  for (const id of boards) {
    const params = board(id);
    const { make, apply } = rebuilding(client, params);
    const { periods } = await client.call(leaderboardRoutes.periods, { params, query: { limit } });
    for (const { id: periodId, startsAt } of periods) {
      if (judgedBoards.includes(id)) await apply((await make({ periodId })).id);
      const { changed, changes } = await make({ periodId });
      expect({ changed, changes }, `period of ${startsAt} of board ${boards.indexOf(id)}`).toEqual({
        changed: 0,
        changes: [],
      });
    }
  }
}

/** Who is excluded from a board stands nowhere on it, and a rebuild knows of the same people. */
export async function exclusionsAgree({ client, params, judgedBoards, board }: WalkProject): Promise<void> {
  for (const id of judgedBoards) {
    const one = board(id);
    const { userIds } = await client.call(leaderboardExclusionRoutes.list, { params: one });
    const { entries } = await client.call(leaderboardRoutes.ranking, { params: one, query: { limit } });
    const ranked = entries.map(({ memberId }) => memberId);
    expect(userIds.filter((userId) => ranked.includes(userId))).toEqual([]);
    for (const memberId of userIds) {
      const { member } = await client.call(leaderboardRoutes.member, {
        params: { ...one, memberType: 'user', memberId },
      });
      expect(member.rank).toBe(-1);
      const body = { userId: memberId, leaderboardId: id };
      const { leaderboardIds } = await client.call(leaderboardExclusionRoutes.exclude, { params, body });
      expect(leaderboardIds, `${memberId} is excluded already`).toEqual([]);
    }
    const { excluded } = await rebuilding(client, one).make({});
    expect(excluded.toSorted()).toEqual(userIds.toSorted());
  }
}
