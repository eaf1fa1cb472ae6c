/** Leaderboards of operators. */
import { leaderboardExclusionRoutes } from '../../../src/contract/gameplay/leaderboard-exclusions.js';
import { leaderboardRebuildRoutes } from '../../../src/contract/gameplay/leaderboard-rebuilds.js';
import { type LeaderboardEntry, leaderboardRoutes } from '../../../src/contract/gameplay/leaderboards.js';
import { type BoundRoute, bind } from '../../platform/http/bind.js';
import { everybody, type TopicNames } from '../game-events/model/player.js';
import type { BoardService } from './board-service.js';
import { entryOf, type MemberRank, periodView } from './board-views.js';
import type { Rankings } from './rankings.js';
import type { Rebuilds } from './rebuilds.js';

export interface BoardServices {
  readonly service: BoardService;
  readonly rankings: Rankings;
  readonly rebuilds: Rebuilds;
}

export const boardRouter = ({ service, rankings }: BoardServices, topics: Pick<TopicNames, 'nameOf'>): BoundRoute[] => {
  const entries = async (projectId: string, places: readonly MemberRank[]): Promise<LeaderboardEntry[]> => {
    const infos = await rankings.infosOf(projectId, places);
    return places.map((place) => entryOf(place, infos));
  };
  return bind(leaderboardRoutes, {
    list: ({ project, query }) => service.list(project.projectId, query),
    create: ({ project, body }) => service.create(project.projectId, body),
    get: async ({ project, params }) => (await rankings.find(project.projectId, params.id)).board,
    update: ({ project, params, body }) => service.update(project.projectId, params.id, body),
    delete: ({ project, params }) => service.delete(project.projectId, params.id),
    ranking: async ({
      project: { projectId },
      params: { id },
      query: { limit, offset, after, memberType, periodId },
    }) => {
      const definition = await rankings.find(projectId, id);
      const period = await rankings.period(definition, periodId);
      const of = { definition, period, memberType };
      const from = offset + (after === undefined ? 0 : await rankings.countThrough(of, after));
      const { places, total } = await rankings.page(of, from, limit);
      const shown = periodView(period, await rankings.period(definition), definition);
      return {
        leaderboard: definition.board,
        period: shown,
        entries: await entries(projectId, places),
        total,
        limit,
        offset,
      };
    },
    member: async ({ project: { projectId }, params: { id, memberType, memberId }, query }) => {
      const definition = await rankings.find(projectId, id);
      const of = { definition, period: await rankings.period(definition, query.periodId), memberType };
      const { place, around } = await rankings.member(of, memberId, query.around === 0 ? null : query.around);
      const [member, ...neighbours] = await entries(projectId, [place, ...around]);
      return { member: member ?? entryOf(place, new Map()), around: neighbours };
    },
    removeMember: ({ project, params: { id, memberType, memberId } }) =>
      service.removeMember(project.projectId, id, memberType, memberId),
    periods: ({ project, params, query }) => rankings.listPeriods(project.projectId, params.id, query),
    reset: ({ project, params }) => service.reset(project.projectId, params.id),
    topic: async ({ project: { projectId }, params: { id } }) => {
      await rankings.find(projectId, id);
      return { topic: await topics.nameOf({ projectId, userId: everybody, subject: `leaderboard:${id}` }) };
    },
  });
};

export const rebuildRouter = ({ rebuilds }: Pick<BoardServices, 'rebuilds'>): BoundRoute[] =>
  bind(leaderboardRebuildRoutes, {
    make: ({ project, params, body }) => rebuilds.make(project.projectId, params.id, body),
    list: ({ project, params, query }) => rebuilds.list(project.projectId, params.id, query),
    get: ({ project, params }) => rebuilds.get(project.projectId, params.id, params.rebuildId),
    apply: ({ project, params }) => rebuilds.apply(project.projectId, params.id, params.rebuildId),
    undo: ({ project, params }) => rebuilds.undo(project.projectId, params.id, params.rebuildId),
    cancel: ({ project, params }) => rebuilds.cancel(project.projectId, params.id, params.rebuildId),
  });

/** Users who are kept off leaderboards. */
export const exclusionRouter = ({ service, rankings }: BoardServices): BoundRoute[] =>
  bind(leaderboardExclusionRoutes, {
    exclude: async ({ project, body }) => ({ leaderboardIds: await service.exclude(project.projectId, body) }),
    include: async ({ project, body }) => ({ leaderboardIds: await service.include(project.projectId, body) }),
    list: async ({ project, params }) => ({
      userIds: [...(await rankings.find(project.projectId, params.id)).excluded].sort(),
    }),
  });
