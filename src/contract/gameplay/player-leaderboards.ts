/** Leaderboards as players read them: the operations and models of the public JavaScript SDK, to the letter. */
import { z } from 'zod';
import { Id, PageQuery, PathPart } from '../common.js';
import { defineRoute } from '../route.js';
import { NotificationTopic } from './gameplay.js';
import { LeaderboardPeriodList, MemberType } from './leaderboards.js';

const rankingPageMax = 200;

/** `{}` where nothing is stored, and for teams. */
const AdditionalInfo = z.object({
  username: z.string().nullable().optional(),
  avatarImage: z.string().nullable().optional(),
});

export const LeaderboardRanking = z
  .object({
    member_id: z.string(),
    member_type: MemberType,
    score: z.int(),
    rank: z.int().describe('From 1; -1: not on the board'),
    additional_info: AdditionalInfo,
  })
  .meta({ id: 'LeaderboardRanking' });
export type LeaderboardRanking = z.infer<typeof LeaderboardRanking>;

export const PlayerLeaderboard = z
  .object({
    leaderboard_id: z.string(),
    name: z.string(),
    grouped_by_users: z.array(LeaderboardRanking),
    grouped_by_teams: z.array(LeaderboardRanking),
    num_users: z.int().describe('In all'),
    num_teams: z.int().describe('In all'),
  })
  .meta({ id: 'Leaderboard' });
export type PlayerLeaderboard = z.infer<typeof PlayerLeaderboard>;

export const LeaderboardMemberRanking = z
  .object({
    leaderboard_id: z.string(),
    name: z.string(),
    member: LeaderboardRanking,
    around: z.array(LeaderboardRanking).optional().describe('The neighbours, if requested'),
  })
  .meta({ id: 'LeaderboardMemberRanking' });
export type LeaderboardMemberRanking = z.infer<typeof LeaderboardMemberRanking>;

const LeaderboardScore = z.object({ score: z.int(), rank: z.int() });

/** Data of `leaderboard.changed`, and the message on the topics. */
export const LeaderboardUpdatePayload = z
  .object({
    webhook_type: z.literal('leaderboard-ranking-changed'),
    leaderboard_data: z.object({
      app_id: z.string(),
      leaderboard_id: z.string(),
      name: z.string(),
      event_type: z.string(),
      sort_order_ascending: z.boolean(),
    }),
    member_data: LeaderboardRanking,
    old_leaderboard_ranking: LeaderboardScore,
    new_leaderboard_ranking: LeaderboardScore,
  })
  .meta({ id: 'LeaderboardUpdatePayload' });
export type LeaderboardUpdatePayload = z.infer<typeof LeaderboardUpdatePayload>;

const LanguageQuery = z.object({
  language: z.string().max(20).default('en').describe('Language of the texts: en, de, …'),
});
const RankingQuery = LanguageQuery.extend({
  currentPage: z.coerce.number().int().min(1).max(1_000_000_000).default(1).describe('Page, from 1'),
  pageSize: z.coerce.number().int().min(1).max(rankingPageMax).default(25).describe('Elements per page'),
});
const PeriodQuery = RankingQuery.extend({
  period_id: Id.optional().describe('An earlier period; default: the current one'),
});
const BoardPath = z.object({ leaderboardId: Id });
const MemberPath = z.object({ memberType: MemberType, memberId: PathPart(200) });

const player = { group: 'Gameplay', method: 'get', auth: ['playerToken'], projectIn: 'gameplay' } as const;

export const playerLeaderboardRoutes = {
  list: defineRoute({
    ...player,
    operationId: 'getLeaderboards',
    cursor: ['leaderboard_id'],
    summary: 'List the leaderboards, each with its first members.',
    path: '/api/v1/leaderboards',
    query: RankingQuery,
    success: { status: 200, body: z.array(PlayerLeaderboard) },
    errors: ['player_token_invalid'],
  }),
  get: defineRoute({
    ...player,
    operationId: 'getLeaderboard',
    summary: 'Show a page of the ranking of a leaderboard.',
    path: '/api/v1/leaderboards/{leaderboardId}',
    params: BoardPath,
    query: PeriodQuery,
    success: { status: 200, body: PlayerLeaderboard },
    errors: ['player_token_invalid', 'leaderboard_not_found', 'leaderboard_period_not_found'],
    hot: true,
  }),
  periods: defineRoute({
    ...player,
    operationId: 'getLeaderboardPeriods',
    summary: 'List the periods of a leaderboard, newest first; the first one says when the board is reset.',
    description: 'An addition: the public SDK has no such operation. The answer is the same as for operators.',
    path: '/api/v1/leaderboards/{leaderboardId}/periods',
    params: BoardPath,
    query: PageQuery,
    success: { status: 200, body: LeaderboardPeriodList },
    errors: ['player_token_invalid', 'leaderboard_not_found'],
  }),
  rankings: defineRoute({
    ...player,
    operationId: 'getLeaderboardRankings',
    cursor: ['leaderboard_id'],
    summary: 'Show the rank of a user or a team on every leaderboard.',
    path: '/api/v1/leaderboards-members/{memberType}/{memberId}',
    params: MemberPath,
    query: LanguageQuery,
    success: { status: 200, body: z.array(LeaderboardMemberRanking) },
    errors: ['player_token_invalid'],
  }),
  ranking: defineRoute({
    ...player,
    operationId: 'getLeaderboardRanking',
    summary: 'Show the rank of a user or a team on a leaderboard.',
    path: '/api/v1/leaderboards-members/{memberType}/{memberId}/{leaderboardId}',
    params: MemberPath.extend(BoardPath.shape),
    query: LanguageQuery.extend({
      around: z.coerce
        .number()
        .int()
        .min(0)
        .max(100)
        .optional()
        .describe('Number of neighbours to include on each side'),
    }),
    success: { status: 200, body: LeaderboardMemberRanking },
    errors: ['player_token_invalid', 'leaderboard_not_found'],
    hot: true,
  }),
  topic: defineRoute({
    ...player,
    operationId: 'getLeaderboardNotificationTopic',
    summary: 'Get the topic on which changes of a ranking are announced.',
    path: '/api/v1/auth/leaderboard-topic-link',
    query: z.object({ leaderboard_id: Id }),
    success: { status: 200, body: NotificationTopic },
    errors: ['player_token_invalid', 'leaderboard_not_found'],
  }),
};
