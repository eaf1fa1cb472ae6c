/** Leaderboards, of operators and of players. */
import { uuidv7 } from 'uuidv7';
import { leaderboardRoutes, leaderboardsPerProjectMax } from '../../../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../../../src/contract/gameplay/players.js';
import { rebuilding } from '../../../leaderboards/support.js';
import { but, type Case, type Cases, elsewhere, just, type Made, type SceneOf } from '../case.js';
import type { World } from '../world.js';

const unknown = '00000000-0000-7000-8000-000000000000';
const eventName = 'kill-enemy';
const member = { memberType: 'user', memberId: 'u1' };

/** Returns fields that fit a board of an event of the catalogue. */
const sound = (made: Made): Made => ({
  ...made,
  eventName,
  ...{ countProperty: undefined, metadataConditions: undefined, startDate: undefined, endDate: undefined },
});
const changed = (made: Made): Made => {
  const { eventName: _, ...rest } = sound(made);
  return rest;
};

/** A board of its own project, with one user on it. */
async function board(world: World, projectId: string): Promise<string> {
  const params = { projectId };
  const { id } = await world.client.call(leaderboardRoutes.create, { params, body: { name: 'Kills', eventName } });
  const body = { event_name: eventName, meta_data: { amount: 1 } };
  await world.client.call(playerRoutes.sendEvent, { params: { projectId, userId: member.memberId }, body });
  return id;
}
const onBoard =
  (more: Readonly<Record<string, string>> = {}): SceneOf =>
  async (world) => {
    const projectId = await world.bareProject();
    return { params: { projectId, id: await board(world, projectId), ...more }, query: {} };
  };
/** All boards of a project that has one. */
const ofBoards: SceneOf = async (world) => ({
  ...(await onBoard()(world)),
  body: but({ leaderboardId: undefined }),
});
const ofExclusion: Case = {
  works: ofBoards,
  refuses: { leaderboard_not_found: () => ({ body: just({ userId: member.memberId, leaderboardId: unknown }) }) },
};
/** The period that a made-up request names is one of the board's. */
const inPeriod: SceneOf = async (world) => {
  const { params = {} } = await onBoard(member)(world);
  const place = { projectId: params.projectId ?? '', id: params.id ?? '' };
  const { periods } = await world.client.call(leaderboardRoutes.periods, { params: place });
  return { params, query: { periodId: periods[0]?.id ?? '' } };
};
const noPeriod = {
  leaderboard_period_not_found: async (world: World) => ({
    ...(await onBoard(member)(world)),
    query: { periodId: unknown },
  }),
};

type Step = 'applied' | 'undone';
const rebuilt =
  (...steps: readonly Step[]): SceneOf =>
  async (world) => {
    const projectId = await world.bareProject();
    const id = await board(world, projectId);
    const rebuild = rebuilding(world.client, { projectId, id });
    const made = await rebuild.make({});
    if (steps.includes('applied')) await rebuild.apply(made.id);
    if (steps.includes('undone')) await rebuild.undo(made.id);
    return { params: { projectId, id, rebuildId: made.id } };
  };
const noRebuild: Case['refuses'] = { leaderboard_rebuild_not_found: () => ({ params: { rebuildId: unknown } }) };
const suite = 'test/leaderboards/rebuilds.test.ts';
const refusals: Case['refuses'] = {
  leaderboard_events_gone: elsewhere(suite, 'refuses where events are gone'),
  leaderboard_rebuild_running: elsewhere(suite, 'refuses a second one while one is counted'),
  rate_limited: elsewhere(suite, 'refuses one more than a tenant may have under way'),
};

/** A player of the usual project, and a board there. */
const played: SceneOf = async (world) => {
  const { projectId } = world;
  const { leaderboards } = await world.client.call(leaderboardRoutes.list, { params: { projectId } });
  const id = leaderboards[0]?.id ?? (await board(world, projectId));
  const { token } = await world.client.call(playerRoutes.createToken, { params: { projectId, userId: 'u1' } });
  return { params: { ...member, leaderboardId: id }, query: { leaderboard_id: id }, player: token };
};
const ofPlayer: SceneOf = async (world) => ({ ...(await played(world)), query: {} });

export const leaderboardCases: Cases = {
  createLeaderboard: {
    works: async (world) => ({ params: { projectId: await world.bareProject() }, body: sound }),
    refuses: {
      leaderboard_limit_reached: async (world) => {
        const projectId = await world.bareProject();
        const id = await board(world, projectId);
        await world.rows(async (tx) => {
          const row = await tx.leaderboard.findUniqueOrThrow({ where: { id } });
          const data = Array.from({ length: leaderboardsPerProjectMax - 1 }, () => ({ ...row, id: uuidv7() }));
          await tx.leaderboard.createMany({ data });
        });
        return { params: { projectId } };
      },
    },
  },
  getLeaderboardSettings: { works: onBoard() },
  updateLeaderboard: { works: async (world) => ({ ...(await onBoard()(world)), body: changed }) },
  deleteLeaderboard: { works: onBoard() },
  getLeaderboardPage: { works: inPeriod, refuses: noPeriod },
  getLeaderboardMember: { works: inPeriod, refuses: noPeriod },
  removeLeaderboardMember: {
    works: onBoard(member),
    refuses: { leaderboard_member_not_found: onBoard({ ...member, memberId: 'nobody' }) },
  },
  excludeFromLeaderboards: ofExclusion,
  includeInLeaderboards: ofExclusion,
  listLeaderboardExclusions: { works: onBoard() },
  listLeaderboardPeriods: { works: onBoard() },
  resetLeaderboard: { works: onBoard() },
  getLeaderboardTopic: { works: onBoard() },
  rebuildLeaderboard: {
    works: async (world) => ({ ...(await onBoard()(world)), body: but({ periodId: undefined }) }),
    refuses: {
      ...refusals,
      leaderboard_period_not_found: async (world) => ({
        ...(await onBoard()(world)),
        body: just({ periodId: unknown }),
      }),
    },
  },
  listLeaderboardRebuilds: { works: rebuilt() },
  getLeaderboardRebuild: { works: rebuilt(), refuses: noRebuild },
  applyLeaderboardRebuild: {
    works: rebuilt(),
    refuses: { ...noRebuild, ...refusals, leaderboard_rebuild_closed: rebuilt('applied') },
  },
  undoLeaderboardRebuild: {
    works: rebuilt('applied'),
    refuses: { ...noRebuild, ...refusals, leaderboard_rebuild_closed: rebuilt('applied', 'undone') },
  },
  cancelLeaderboardRebuild: {
    works: rebuilt(),
    refuses: { ...noRebuild, leaderboard_rebuild_closed: rebuilt('applied') },
  },
  getLeaderboards: { works: ofPlayer },
  getLeaderboard: {
    works: async (world) => {
      const scene = await ofPlayer(world);
      const params = { projectId: world.projectId, id: scene.params?.leaderboardId ?? '' };
      const { periods } = await world.client.call(leaderboardRoutes.periods, { params });
      return { ...scene, query: { period_id: periods[0]?.id ?? '' } };
    },
    refuses: {
      leaderboard_period_not_found: async (world) => ({ ...(await ofPlayer(world)), query: { period_id: unknown } }),
    },
  },
  getLeaderboardRankings: { works: ofPlayer },
  getLeaderboardRanking: { works: ofPlayer },
  getLeaderboardNotificationTopic: {
    works: played,
    refuses: { leaderboard_not_found: () => ({ query: { leaderboard_id: unknown } }) },
  },
};
