/** Configuration of challenges. The rules lie in the daemon. */
import { z } from 'zod';
import { Id, ItemPath, isTimeZone, PageInfo, ProjectPath, Timestamp, TimestampInput } from '../common.js';
import { didYouMean, nearest } from '../nearest.js';
import { defineRoute } from '../route.js';
import { type GameEventName, gameEventNames } from './game-events.js';
import { lateDaysMax } from './gameplay.js';
import { NamedPageQuery, Texts, TextsInput } from './localised-text.js';

export const challengesPerProjectMax = 1000;

/**
 * Choice: a condition holds when the property has one of the values; `conjunction` joins it to what stands before it,
 * from left to right, and means nothing on the first.
 */
export const MetadataCondition = z
  .object({
    key: z.string().min(1).max(100).describe('Property of the event'),
    values: z
      .array(z.union([z.string().max(1000), z.int()]).meta({ id: 'MetadataValue' }))
      .min(1)
      .max(100),
    conjunction: z.enum(['AND', 'OR']).default('AND'),
  })
  .meta({ id: 'MetadataCondition' });
export type MetadataCondition = z.infer<typeof MetadataCondition>;

/** Weeks start on Monday, months on the 1st, in the zone. */
export const ResetPeriod = z
  .object({
    range: z.enum(['d', 'w', 'm']).describe('Day, week or month'),
    atTime: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'write a time as 04:30')
      .default('00:00'),
    timeZone: z.string().max(100).refine(isTimeZone, 'name a zone as Europe/Berlin').default('UTC'),
  })
  .meta({ id: 'ResetPeriod' });
export type ResetPeriod = z.infer<typeof ResetPeriod>;

/** `per-session`: another session_id restarts the counter; `total`: it does not. */
export const Counting = z.enum(['per-session', 'total']);
export type Counting = z.infer<typeof Counting>;

export const GoalCondition = z.union([z.literal(0), z.literal(1)]);
const isEventName = (name: string): name is GameEventName => gameEventNames.some((known) => known === name);
/** Message for a name that no game event has, with the closest names. */
export const noSuchEvent = (name: string): string =>
  `is not an event of the catalogue. ${didYouMean(nearest(name, gameEventNames), '`game-events catalogue` lists them.')}`;
export const EventName = z
  .string()
  .refine(isEventName, { error: ({ input }) => noSuchEvent(String(input)) })
  .meta({ enum: [...gameEventNames] });

export const Challenge = z
  .object({
    id: z.string(),
    projectId: z.string(),
    categoryId: z.string(),
    name: Texts,
    description: Texts.nullable(),
    eventName: z.string(),
    countProperty: z.string().nullable(),
    metadataConditions: z.array(MetadataCondition),
    goal: z.int(),
    goalCondition: GoalCondition,
    durationMinutes: z.int().nullable(),
    repeatable: z.boolean(),
    autoActivated: z.boolean(),
    resetPeriod: ResetPeriod.nullable(),
    reward: z.string().nullable(),
    rewardType: z.string().nullable(),
    xp: z.int().nullable(),
    price: z.int().nullable(),
    liveDate: Timestamp.nullable(),
    icon: z.string().nullable(),
    iconHd: z.string().nullable(),
    counting: Counting,
    lateMinutes: z.int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Challenge' });
export type Challenge = z.infer<typeof Challenge>;

const text = z.string().max(1000);
const whole = z.int().min(0).max(2_147_483_647);

/** Fields of whatever counts towards a goal: challenges, and those of battle passes. */
const required = {
  name: TextsInput.describe('Name, or names by language'),
  eventName: EventName.describe('Event that is counted'),
  goal: z.int().min(1).describe('Count that completes the challenge'),
};
const optional = {
  categoryId: Id.optional().describe('Category; default: the category `default`'),
  description: TextsInput.nullish().describe('What the player has to do, or one text for each language'),
  countProperty: z.string().max(100).nullish().describe('Numeric property to add up instead of the usual one'),
  durationMinutes: z
    .int()
    .min(1)
    .max(5_256_000)
    .nullish()
    .describe('Time limit in minutes from activation; default: none'),
  resetPeriod: ResetPeriod.nullish().describe('Restarts every day, week or month'),
  reward: text.nullish().describe('Reward, as the game understands it'),
  rewardType: text.nullish().describe('Kind of reward, as the game understands it'),
  xp: whole.nullish().describe('Experience that the challenge is worth'),
  price: whole.nullish().describe('Price to unlock, charged by the game'),
  liveDate: TimestampInput.nullish().describe('Hidden before this time'),
  icon: text.nullish().describe('Image: a name or an address'),
  iconHd: text.nullish().describe('The icon in high definition'),
};
const defaulted = {
  metadataConditions: z
    .array(MetadataCondition)
    .max(20)
    .describe('Conditions on the properties of an event, for it to count'),
  goalCondition: GoalCondition.describe('0: reach the goal; 1: stay below it until the time is up'),
  repeatable: z.boolean().describe('May be unlocked again after the claim'),
  autoActivated: z.boolean().describe('Unlocked and activated when the player first reads their challenges'),
  counting: Counting.describe('per-session: restarts when the session_id changes; total: never restarts'),
};
const lateMinutes = z
  .int()
  .min(0)
  .max(lateDaysMax * 24 * 60)
  .describe(
    'Minutes for which a challenge whose time is over still counts events that happened before, and are sent later',
  );

/** Fields of a challenge in a level of a battle pass: the pass leads it through its life and gives the reward. */
export const countedRequired = required;
export const countedOptional = {
  description: optional.description,
  countProperty: optional.countProperty,
  durationMinutes: optional.durationMinutes,
  xp: optional.xp,
  icon: optional.icon,
  iconHd: optional.iconHd,
};
export const countedDefaulted = {
  metadataConditions: defaulted.metadataConditions,
  goalCondition: defaulted.goalCondition,
  counting: defaulted.counting,
};

export const CreateChallengeRequest = z
  .object({
    ...required,
    ...optional,
    metadataConditions: defaulted.metadataConditions.default([]),
    goalCondition: defaulted.goalCondition.default(0),
    repeatable: defaulted.repeatable.default(false),
    autoActivated: defaulted.autoActivated.default(false),
    counting: defaulted.counting.default('per-session'),
    lateMinutes: lateMinutes.default(0),
  })
  .meta({ id: 'CreateChallengeRequest' });
export type CreateChallengeRequest = z.infer<typeof CreateChallengeRequest>;
export const UpdateChallengeRequest = z
  .object({ ...required, ...optional, ...defaulted, lateMinutes })
  .partial()
  .meta({ id: 'UpdateChallengeRequest' });
export type UpdateChallengeRequest = z.infer<typeof UpdateChallengeRequest>;

export const ChallengeList = PageInfo.extend({ challenges: z.array(Challenge) }).meta({ id: 'ChallengeList' });
export type ChallengeList = z.infer<typeof ChallengeList>;

/** As many players of a challenge are counted. */
export const completionPlayersMax = 20_000;

const Players = z.int().min(0);

export const ChallengeCompletion = z
  .object({
    challengeId: z.string(),
    players: Players.describe(`Who have the challenge in any state, counted up to ${completionPlayersMax}`),
    unlock: Players.describe('May unlock it, after they have lost it or it began again'),
    unlocked: Players.describe('Have unlocked it'),
    inProgress: Players.describe('Are at it'),
    unclaimed: Players.describe('Have reached the goal, and not taken the reward'),
    finished: Players.describe('Have taken the reward'),
    completedShare: z.number().min(0).max(1).nullable().describe('Unclaimed and finished of all; null: nobody has it'),
    complete: z.boolean().describe('false: there may be more players than were counted'),
  })
  .meta({ id: 'ChallengeCompletion' });
export type ChallengeCompletion = z.infer<typeof ChallengeCompletion>;

const shared = { group: 'Gameplay configuration', auth: ['apiKey', 'bearer'] } as const;
const read = { ...shared, method: 'get', scope: 'gameplay:read', role: 'viewer' } as const;
const write = { ...shared, scope: 'gameplay', role: 'admin' } as const;
const challenges = '/api/projects/{projectId}/challenges';

export const challengeRoutes = {
  list: defineRoute({
    ...read,
    operationId: 'listChallenges',
    summary: 'List the challenges, newest first.',
    path: challenges,
    params: ProjectPath,
    query: NamedPageQuery,
    success: { status: 200, body: ChallengeList },
    errors: [],
  }),
  create: defineRoute({
    ...write,
    operationId: 'createChallenge',
    summary: 'Create a challenge.',
    method: 'post',
    path: challenges,
    params: ProjectPath,
    body: CreateChallengeRequest,
    success: { status: 201, body: Challenge },
    errors: ['challenge_category_not_found', 'counting_conflict', 'challenge_limit_reached'],
  }),
  get: defineRoute({
    ...read,
    operationId: 'getChallenge',
    summary: 'Show a challenge.',
    path: `${challenges}/{id}`,
    params: ItemPath,
    success: { status: 200, body: Challenge },
    errors: ['challenge_not_found'],
  }),
  completion: defineRoute({
    ...read,
    operationId: 'getChallengeCompletion',
    summary: 'Show how many players are at a challenge, and how many have completed it.',
    path: `${challenges}/{id}/completion`,
    params: ItemPath,
    success: { status: 200, body: ChallengeCompletion },
    errors: ['challenge_not_found'],
  }),
  update: defineRoute({
    ...write,
    operationId: 'updateChallenge',
    summary: 'Change a challenge; players in progress continue under the new rules.',
    method: 'patch',
    path: `${challenges}/{id}`,
    params: ItemPath,
    body: UpdateChallengeRequest,
    success: { status: 200, body: Challenge },
    errors: ['challenge_not_found', 'challenge_category_not_found', 'counting_conflict'],
  }),
  delete: defineRoute({
    ...write,
    operationId: 'deleteChallenge',
    summary: 'Delete a challenge with the progress of every player.',
    method: 'delete',
    path: `${challenges}/{id}`,
    params: ItemPath,
    success: { status: 204 },
    errors: ['challenge_not_found'],
  }),
};
