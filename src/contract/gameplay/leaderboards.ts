/** Configuration of leaderboards, and what operators read of them and do with them. */
import { z } from 'zod';
import { Id, ItemPath, PageInfo, PageQuery, PathPart, ProjectPath, Timestamp, TimestampInput } from '../common.js';
import { defineRoute } from '../route.js';
import { EventName, MetadataCondition, ResetPeriod } from './challenges.js';
import { lateDaysMax, NotificationTopic, UserInfo } from './gameplay.js';
import { NamedPageQuery, Texts, TextsInput } from './localised-text.js';

export const leaderboardsPerProjectMax = 100;

export const Aggregate = z.enum(['sum', 'best', 'last']);
export type Aggregate = z.infer<typeof Aggregate>;
export const SortOrder = z.enum(['desc', 'asc']);
export type SortOrder = z.infer<typeof SortOrder>;
export const MemberType = z.enum(['user', 'team']);
export type MemberType = z.infer<typeof MemberType>;

export const LateEvents = z.enum(['now', 'ignore']);

const fixed = {
  eventName: EventName.describe('Event that is counted'),
  aggregate: Aggregate.describe('How a score is made: the sum of the events, the best or the last of them'),
  sortOrder: SortOrder.describe('desc: the highest score is first; asc: the lowest'),
};
const changeable = {
  name: TextsInput.describe('Name, or names by language'),
  countProperty: z.string().max(100).nullish().describe('Numeric property to add up instead of the usual one'),
  metadataConditions: z
    .array(MetadataCondition)
    .max(20)
    .describe('Conditions on the properties of an event, for it to count'),
  startDate: TimestampInput.nullish().describe('Counts from this time on; default: at once'),
  endDate: TimestampInput.nullish().describe('Counts until this time; the board stays readable'),
  resetPeriod: ResetPeriod.nullish().describe('Restarts every day, week or month; the previous ranking is archived'),
  lateMinutes: z
    .int()
    .min(0)
    .max(lateDaysMax * 24 * 60)
    .describe('Minutes for which a period that is over still counts events that happened in it, and are sent later'),
  lateEvents: LateEvents.describe(
    'Events that come after that: now: they count in the period that runs; ignore: nowhere',
  ),
};

export const Leaderboard = z
  .object({
    id: z.string(),
    projectId: z.string(),
    name: Texts,
    eventName: z.string(),
    countProperty: z.string().nullable(),
    aggregate: Aggregate,
    sortOrder: SortOrder,
    metadataConditions: z.array(MetadataCondition),
    startDate: Timestamp.nullable(),
    endDate: Timestamp.nullable(),
    resetPeriod: ResetPeriod.nullable(),
    lateMinutes: z.int(),
    lateEvents: LateEvents,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'LeaderboardSettings' });
export type Leaderboard = z.infer<typeof Leaderboard>;

export const CreateLeaderboardRequest = z
  .object({
    ...fixed,
    ...changeable,
    aggregate: fixed.aggregate.default('sum'),
    sortOrder: fixed.sortOrder.default('desc'),
    metadataConditions: changeable.metadataConditions.default([]),
    lateMinutes: changeable.lateMinutes.default(0),
    lateEvents: changeable.lateEvents.default('now'),
  })
  .meta({ id: 'CreateLeaderboardRequest' });
export type CreateLeaderboardRequest = z.infer<typeof CreateLeaderboardRequest>;
/** Choice: what a score means never changes under the players; another event, order or aggregate is another board. */
export const UpdateLeaderboardRequest = z.object(changeable).partial().meta({ id: 'UpdateLeaderboardRequest' });
export type UpdateLeaderboardRequest = z.infer<typeof UpdateLeaderboardRequest>;

export const LeaderboardList = PageInfo.extend({ leaderboards: z.array(Leaderboard) }).meta({ id: 'LeaderboardList' });
export type LeaderboardList = z.infer<typeof LeaderboardList>;

export const LeaderboardPeriod = z
  .object({
    id: z.string(),
    startsAt: Timestamp,
    endsAt: Timestamp.nullable().describe(
      'When the next period begins, or the board ends if that is earlier; null: no reset is due, and no end is set',
    ),
    isCurrent: z.boolean(),
  })
  .meta({ id: 'LeaderboardPeriod' });
export type LeaderboardPeriod = z.infer<typeof LeaderboardPeriod>;
export const LeaderboardPeriodList = PageInfo.extend({ periods: z.array(LeaderboardPeriod) }).meta({
  id: 'LeaderboardPeriodList',
});
export type LeaderboardPeriodList = z.infer<typeof LeaderboardPeriodList>;

export const LeaderboardEntry = z
  .object({
    memberType: MemberType,
    memberId: z.string(),
    rank: z.int().describe('From 1; -1: not on the board'),
    score: z.int(),
    info: UserInfo.nullable().describe('Stored user info; null for teams'),
  })
  .meta({ id: 'LeaderboardEntry' });
export type LeaderboardEntry = z.infer<typeof LeaderboardEntry>;

export const LeaderboardRankingPage = PageInfo.extend({
  leaderboard: Leaderboard,
  period: LeaderboardPeriod,
  entries: z.array(LeaderboardEntry),
}).meta({ id: 'LeaderboardRankingPage' });
export type LeaderboardRankingPage = z.infer<typeof LeaderboardRankingPage>;

const LeaderboardMember = z
  .object({
    member: LeaderboardEntry,
    around: z.array(LeaderboardEntry).describe('The neighbours and the member itself; empty if it is not on the board'),
  })
  .meta({ id: 'LeaderboardMember' });

const group = 'Gameplay configuration';
const auth = ['apiKey', 'bearer'] as const;
const read = { group, auth, method: 'get', scope: 'gameplay:read', role: 'viewer' } as const;
const write = { group, auth, scope: 'gameplay', role: 'admin' } as const;
const path = '/api/projects/{projectId}/leaderboards';
const one = `${path}/{id}` as const;
const MemberPath = ItemPath.extend({ memberType: MemberType, memberId: PathPart(200) });
const ofPeriod = { periodId: Id.optional().describe('Period; default: the current one') };
const missing = ['leaderboard_not_found'] as const;
const noPeriod = [...missing, 'leaderboard_period_not_found'] as const;

export const leaderboardRoutes = {
  list: defineRoute({
    ...read,
    operationId: 'listLeaderboards',
    summary: 'List the leaderboards, newest first.',
    path,
    params: ProjectPath,
    query: NamedPageQuery,
    success: { status: 200, body: LeaderboardList },
    errors: [],
  }),
  create: defineRoute({
    ...write,
    operationId: 'createLeaderboard',
    summary: 'Create a leaderboard; it counts from now on.',
    method: 'post',
    path,
    params: ProjectPath,
    body: CreateLeaderboardRequest,
    success: { status: 201, body: Leaderboard },
    errors: ['leaderboard_limit_reached'],
  }),
  get: defineRoute({
    ...read,
    operationId: 'getLeaderboardSettings',
    summary: 'Show the settings of a leaderboard.',
    path: one,
    params: ItemPath,
    success: { status: 200, body: Leaderboard },
    errors: missing,
  }),
  update: defineRoute({
    ...write,
    operationId: 'updateLeaderboard',
    summary: 'Change a leaderboard; scores stay, later events count by the new rules.',
    method: 'patch',
    path: one,
    params: ItemPath,
    body: UpdateLeaderboardRequest,
    success: { status: 200, body: Leaderboard },
    errors: missing,
  }),
  delete: defineRoute({
    ...write,
    operationId: 'deleteLeaderboard',
    summary: 'Delete a leaderboard with its archive.',
    method: 'delete',
    path: one,
    params: ItemPath,
    success: { status: 204 },
    errors: missing,
  }),
  ranking: defineRoute({
    ...read,
    operationId: 'getLeaderboardPage',
    cursor: ['score', 'memberId'],
    summary: 'Show the ranking of a leaderboard, now or in an earlier period.',
    path: `${one}/ranking`,
    params: ItemPath,
    query: PageQuery.extend({ memberType: MemberType.default('user').describe('Players, or teams'), ...ofPeriod }),
    success: { status: 200, body: LeaderboardRankingPage },
    errors: noPeriod,
    hot: true,
  }),
  member: defineRoute({
    ...read,
    operationId: 'getLeaderboardMember',
    summary: 'Show the rank of a user or a team, with its neighbours.',
    path: `${one}/members/{memberType}/{memberId}`,
    params: MemberPath,
    query: z.object({
      around: z.coerce.number().int().min(0).max(100).default(0).describe('Neighbours on each side'),
      ...ofPeriod,
    }),
    success: { status: 200, body: LeaderboardMember },
    errors: noPeriod,
    hot: true,
  }),
  removeMember: defineRoute({
    ...write,
    operationId: 'removeLeaderboardMember',
    summary: 'Remove a user or a team from the board; their next event starts from nothing.',
    method: 'delete',
    path: `${one}/members/{memberType}/{memberId}`,
    params: MemberPath,
    success: { status: 204 },
    errors: [...missing, 'leaderboard_member_not_found'],
  }),
  periods: defineRoute({
    ...read,
    operationId: 'listLeaderboardPeriods',
    summary: 'List the periods of a leaderboard, newest first.',
    path: `${one}/periods`,
    params: ItemPath,
    query: PageQuery,
    success: { status: 200, body: LeaderboardPeriodList },
    errors: missing,
  }),
  reset: defineRoute({
    ...write,
    operationId: 'resetLeaderboard',
    summary: 'Begin a new period now; the current ranking is archived.',
    method: 'post',
    path: `${one}/reset`,
    params: ItemPath,
    success: { status: 200, body: LeaderboardPeriod },
    errors: missing,
  }),
  topic: defineRoute({
    ...write,
    operationId: 'getLeaderboardTopic',
    summary: 'Get the MQTT topic on which changes of the ranking are announced.',
    method: 'post',
    path: `${one}/topic`,
    params: ItemPath,
    success: { status: 200, body: NotificationTopic },
    errors: missing,
  }),
};
