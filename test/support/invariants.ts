/** What holds in a project whatever has happened in it. Each check fails with what contradicts itself. */
import { expect } from 'vitest';
import { leaderboardExclusionRoutes } from '../../src/contract/gameplay/leaderboard-exclusions.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { gatheringInvitationRoutes } from '../../src/contract/gatherings/gathering-invitations.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { moderationStatsRoutes } from '../../src/contract/stats/moderation-stats.js';
import { transparencyRoutes } from '../../src/contract/stats/transparency.js';
import { rebuilding } from '../leaderboards/support.js';
import type { WalkProject } from './walk-project.js';
import { rowsBeside } from './write-beside.js';

const limit = 200;

/** A rebuild with nobody left out changes nothing: on boards without exclusions at once, on others once one was applied. */
async function boardsAreAsRebuilt({ client, boards, judgedBoards, board }: WalkProject): Promise<void> {
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
async function exclusionsAgree({ client, params, judgedBoards, board }: WalkProject): Promise<void> {
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

/** Seats are those of members, an owner has one, nobody is invited twice at once, and all of them are there. */
async function seatsAreOfMembers({ client, params, operator }: WalkProject): Promise<void> {
  const { gatherings } = await client.call(gatheringRoutes.list, { params, query: { limit } });
  for (const { id } of gatherings) {
    const one = { ...params, id };
    const found = await client.call(gatheringRoutes.get, { params: one, query: { includeMembers: 'true' } });
    const seated = (found.members ?? []).filter(({ status }) => status === 'joined' || status === 'ready');
    expect(seated.length, `seats of ${id}`).toBe(found.memberCount);
    expect(found.memberCount).toBeLessThanOrEqual(found.maxMembers);
    if (found.memberCount === 0) expect(found.ownerId).toBeNull();
    else expect(seated.map(({ participantId }) => participantId)).toContain(found.ownerId);
    const invitations = await client.call(gatheringInvitationRoutes.list, { params: one });
    const open = invitations.filter(({ status }) => status === 'pending').map(({ participantId }) => participantId);
    expect(new Set(open).size, `invitations to ${id}`).toBe(open.length);
  }
  for (const table of ['GatheringMember', 'GatheringInvitation'])
    expect(
      await rowsBeside(
        operator.databaseUrl,
        `SELECT m."gatheringId" FROM "${table}" AS m JOIN "Gathering" AS g ON g."id" = m."gatheringId"
           LEFT JOIN "Participant" AS p ON p."id" = m."participantId" AND p."externalUserId" = m."externalUserId"
           WHERE g."projectId" = ? AND p."id" IS NULL`,
        params.projectId,
      ),
      `rows of ${table} about nobody`,
    ).toEqual([]);
}

/** Counting all events again gives the figures that were counted as they came. */
async function figuresAreAsRecounted({ client, params }: WalkProject): Promise<void> {
  const shown = async () => {
    const { countedAt: _, ...moderation } = await client.call(moderationStatsRoutes.get, { params });
    const year = Number(moderation.until.slice(0, 4));
    const { countedAt: __, ...report } = await client.call(transparencyRoutes.get, { params, query: { year } });
    return { moderation, report };
  };
  const before = await shown();
  await client.call(moderationStatsRoutes.rebuild, { params });
  expect(await shown()).toEqual(before);
}

/** All of them; those that count boards again come last, as they take longest. */
export async function everyInvariant(project: WalkProject): Promise<void> {
  await seatsAreOfMembers(project);
  await figuresAreAsRecounted(project);
  await exclusionsAgree(project);
  await boardsAreAsRebuilt(project);
}
