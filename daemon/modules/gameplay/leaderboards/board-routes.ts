/** Leaderboards of operators. */
import { leaderboardRebuildRoutes } from '../../../../src/contract/gameplay/leaderboard-rebuilds.js';
import { type LeaderboardEntry, leaderboardRoutes } from '../../../../src/contract/gameplay/leaderboards.js';
import { type BoundRoute, bind } from '../../../platform/http/bind.js';
import { everybody, type Topics } from '../player-store.js';
import type { BoardService } from './board-service.js';
import { entryOf, type Place, periodView } from './board-views.js';
import type { Rankings } from './rankings.js';
import type { Rebuilds } from './rebuilds.js';

export interface BoardServices {
  readonly service: BoardService;
  readonly rankings: Rankings;
  readonly rebuilds: Rebuilds;
}

export const boardRouter = ({ service, rankings }: BoardServices, topics: Topics): BoundRoute[] => {
  const entries = async (projectId: string, places: readonly Place[]): Promise<LeaderboardEntry[]> => {
    const infos = await rankings.infosOf(projectId, places);
    return places.map((place) => entryOf(place, infos));
  };
  return bind(leaderboardRoutes, {
    list: ({ params, query }) => service.list(params.projectId, query),
    create: ({ params, body }) => service.create(params.projectId, body),
    get: async ({ params }) => (await rankings.find(params.projectId, params.id)).board,
    update: ({ params, body }) => service.update(params.projectId, params.id, body),
    delete: ({ params }) => service.delete(params.projectId, params.id),
    ranking: async ({ params: { projectId, id }, query: { limit, offset, memberType, periodId } }) => {
      const definition = await rankings.find(projectId, id);
      const period = await rankings.period(definition, periodId);
      const { places, total } = await rankings.page({ definition, period, memberType }, offset, limit);
      const shown = periodView(period, await rankings.period(definition));
      return {
        ...{ leaderboard: definition.board, period: shown },
        entries: await entries(projectId, places),
        total,
        limit,
        offset,
      };
    },
    member: async ({ params: { projectId, id, memberType, memberId }, query }) => {
      const definition = await rankings.find(projectId, id);
      const of = { definition, period: await rankings.period(definition, query.periodId), memberType };
      const place = await rankings.member(of, memberId);
      const around = query.around === 0 ? [] : await rankings.around(of, place, query.around);
      const [member, ...neighbours] = await entries(projectId, [place, ...around]);
      return { member: member ?? entryOf(place, new Map()), around: neighbours };
    },
    removeMember: ({ params: { projectId, id, memberType, memberId } }) =>
      service.removeMember(projectId, id, memberType, memberId),
    periods: ({ params, query }) => service.listPeriods(params.projectId, params.id, query),
    reset: ({ params }) => service.reset(params.projectId, params.id),
    topic: async ({ params: { projectId, id } }) => {
      await rankings.find(projectId, id);
      return { topic: await topics.nameOf({ projectId, userId: everybody, subject: `leaderboard:${id}` }) };
    },
  });
};

export const rebuildRouter = ({ rebuilds }: Pick<BoardServices, 'rebuilds'>): BoundRoute[] =>
  bind(leaderboardRebuildRoutes, {
    make: ({ params, body }) => rebuilds.make(params.projectId, params.id, body),
    list: ({ params, query }) => rebuilds.list(params.projectId, params.id, query),
    get: ({ params }) => rebuilds.get(params.projectId, params.id, params.rebuildId),
    apply: ({ params }) => rebuilds.apply(params.projectId, params.id, params.rebuildId),
    undo: ({ params }) => rebuilds.undo(params.projectId, params.id, params.rebuildId),
    cancel: ({ params }) => rebuilds.cancel(params.projectId, params.id, params.rebuildId),
  });
