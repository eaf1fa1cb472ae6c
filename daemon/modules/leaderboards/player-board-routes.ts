/** `/api/v1/leaderboards`: rankings in the shapes of the public SDK. */
import {
  type LeaderboardMemberRanking,
  type LeaderboardRanking,
  type PlayerLeaderboard,
  playerLeaderboardRoutes,
} from '../../../src/contract/gameplay/player-leaderboards.js';
import { type BoundRoute, bind } from '../../platform/http/bind.js';
import { textIn } from '../game-events/model/localised.js';
import type { TopicNames } from '../game-events/model/player.js';
import type { BoardDefinition, BoardPeriod } from './board.js';
import { type MemberRank, rankingOf } from './board-views.js';
import type { Rankings } from './rankings.js';

/** Members that stand beside each board in a list of boards. */
const firstMembers = 25;

/** Rankings as the SDK reads them. */
const viewsOf = (rankings: Rankings) => {
  const shown = async (projectId: string, places: readonly MemberRank[]): Promise<LeaderboardRanking[]> => {
    const infos = await rankings.infosOf(projectId, places);
    return places.map((place) => rankingOf(place, infos));
  };
  return {
    async board(
      definition: BoardDefinition,
      period: BoardPeriod,
      { offset, limit, language }: { offset: number; limit: number; language: string },
    ): Promise<PlayerLeaderboard> {
      const { id, projectId, name } = definition.board;
      const users = await rankings.page({ definition, period, memberType: 'user' }, offset, limit);
      const teams = await rankings.page({ definition, period, memberType: 'team' }, offset, limit);
      return {
        leaderboard_id: id,
        name: textIn(name, language),
        grouped_by_users: await shown(projectId, users.places),
        grouped_by_teams: await shown(projectId, teams.places),
        num_users: users.total,
        num_teams: teams.total,
      };
    },
    async member(
      definition: BoardDefinition,
      { memberType, memberId }: Pick<MemberRank, 'memberType' | 'memberId'>,
      { language, around }: { language: string; around?: number | undefined },
    ): Promise<LeaderboardMemberRanking> {
      const { id, projectId, name } = definition.board;
      const of = { definition, period: await rankings.period(definition), memberType };
      const { place, around: neighbours } = await rankings.member(of, memberId, around ?? null);
      const infos = await rankings.infosOf(projectId, [place, ...neighbours]);
      return {
        leaderboard_id: id,
        name: textIn(name, language),
        member: rankingOf(place, infos),
        ...(around === undefined ? {} : { around: neighbours.map((one) => rankingOf(one, infos)) }),
      };
    },
  };
};

export const playerBoardRouter = (rankings: Rankings, topics: Pick<TopicNames, 'nameOf'>): BoundRoute[] => {
  const views = viewsOf(rankings);
  return bind(playerLeaderboardRoutes, {
    // Choice: the pages of this list are pages of boards; each comes with its first members.
    list: async ({ caller, query: { currentPage, pageSize, language } }) => {
      const boards = await rankings.all(caller.projectId);
      const answer: PlayerLeaderboard[] = [];
      for (const definition of boards.slice((currentPage - 1) * pageSize, currentPage * pageSize)) {
        const period = await rankings.period(definition);
        answer.push(await views.board(definition, period, { offset: 0, limit: firstMembers, language }));
      }
      return answer;
    },
    get: async ({ caller, params, query: { currentPage, pageSize, language, period_id } }) => {
      const definition = await rankings.find(caller.projectId, params.leaderboardId);
      const period = await rankings.period(definition, period_id);
      return views.board(definition, period, { offset: (currentPage - 1) * pageSize, limit: pageSize, language });
    },
    periods: ({ caller, params, query }) => rankings.listPeriods(caller.projectId, params.leaderboardId, query),
    rankings: async ({ caller, params, query }) => {
      const answer: LeaderboardMemberRanking[] = [];
      for (const definition of await rankings.all(caller.projectId))
        answer.push(await views.member(definition, params, query));
      return answer;
    },
    ranking: async ({ caller, params, query }) =>
      views.member(await rankings.find(caller.projectId, params.leaderboardId), params, query),
    topic: async ({ caller, query }) => {
      const { projectId, externalUserId: userId } = caller;
      await rankings.find(projectId, query.leaderboard_id);
      return { topic: await topics.nameOf({ projectId, userId, subject: `leaderboard:${query.leaderboard_id}` }) };
    },
  });
};
