/**
 * Challenges as a player sees and handles them under `/api/v1/challenges`: exactly the operations and models of the
 * public JavaScript SDK, `@scillgame/scill-js`.
 */
import { z } from 'zod';
import { Id } from '../common.js';
import { defineRoute } from '../route.js';

/** State of a challenge for a player. */
export const ChallengeState = z.enum(['unlock', 'unlocked', 'in-progress', 'unclaimed', 'finished']);
export type ChallengeState = z.infer<typeof ChallengeState>;

/** `lost` is only announced: a challenge that timed out is at `unlock` afterwards. */
export const AnnouncedChallengeState = z.enum([...ChallengeState.options, 'lost']);
export type AnnouncedChallengeState = z.infer<typeof AnnouncedChallengeState>;

const Time = z.iso.datetime().nullable();

const ChallengeFacts = z.object({
  challenge_id: z.string(),
  challenge_duration_time: z.int().nullable().describe('Minutes; null: no limit'),
  live_date: Time,
  challenge_goal: z.int(),
  user_challenge_current_score: z.int().describe('Counter'),
  challenge_icon: z.string().nullable(),
  challenge_icon_hd: z.string().nullable(),
  challenge_price: z.int().nullable(),
  challenge_reward: z.string().nullable(),
  challenge_reward_type: z.string().nullable(),
  challenge_goal_condition: z.union([z.literal(0), z.literal(1)]).describe('0: reach the goal; 1: stay below it'),
  challenge_xp: z.int().nullable(),
  repeatable: z.boolean(),
  type: AnnouncedChallengeState.describe('State'),
  challenge_auto_activated: z.boolean(),
  is_claimed: z.boolean(),
  user_challenge_unlocked_at: Time,
  user_challenge_activated_at: Time,
  user_challenge_is_claimed: z.boolean(),
  user_challenge_status: z.int().describe('The state as a number, in the order of its values'),
});

/** The SDK's Challenge, with texts in the requested language. */
export const PersonalChallenge = ChallengeFacts.extend({
  challenge_name: z.string(),
  challenge_description: z.string().nullable(),
}).meta({ id: 'PersonalChallenge' });
export type PersonalChallenge = z.infer<typeof PersonalChallenge>;

/** A challenge as topics and webhooks show it: with the player, without localised text. */
export const AnnouncedChallenge = ChallengeFacts.extend({ user_id: z.string() }).meta({ id: 'AnnouncedChallenge' });
export type AnnouncedChallenge = z.infer<typeof AnnouncedChallenge>;

/** Data of `challenge.changed`, and the message on the topics. */
export const ChallengeWebhookPayload = z
  .object({
    webhook_type: z.literal('challenge-changed'),
    category_position: z.int().describe("Index of the challenge's category in the list of categories"),
    old_challenge: AnnouncedChallenge,
    new_challenge: AnnouncedChallenge,
    reason: z.string().optional().describe('Why an operator set the progress; absent: the player made it'),
  })
  .meta({ id: 'ChallengeWebhookPayload' });
export type ChallengeWebhookPayload = z.infer<typeof ChallengeWebhookPayload>;

export const PersonalChallengeCategory = z
  .object({
    is_daily_category: z.boolean(),
    category_position: z.int(),
    category_slug: z.string(),
    category_name: z.string(),
    category_id: z.string(),
    challenges: z.array(PersonalChallenge),
  })
  .meta({ id: 'PersonalChallengeCategory' });
export type PersonalChallengeCategory = z.infer<typeof PersonalChallengeCategory>;

export const ActionResponse = z
  .object({ status: z.int(), message: z.literal('OK'), challenge: PersonalChallenge })
  .meta({ id: 'ActionResponse' });
export type ActionResponse = z.infer<typeof ActionResponse>;

const LanguageQuery = z.object({
  language: z.string().max(20).default('en').describe('Language of the texts: en, de, …'),
});
const CategoryList = z
  .string()
  .max(4000)
  .default('')
  .transform((list) =>
    list
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  );
const ListQuery = LanguageQuery.extend({
  include_categories: CategoryList.describe('Ids or slugs, comma-separated; empty: all'),
  exclude_categories: CategoryList.describe('Ids or slugs, comma-separated'),
});

const AppPath = z.object({ appId: Id.describe('Project') });
const ChallengePath = AppPath.extend({ challengeId: Id });

const player = { group: 'Gameplay', auth: ['playerToken'], projectIn: 'gameplay' } as const;
const list = {
  ...player,
  method: 'get',
  params: AppPath,
  query: ListQuery,
  success: { status: 200, body: z.array(PersonalChallengeCategory) },
  errors: ['player_token_invalid', 'unknown_app'],
} as const;
const action = {
  ...player,
  params: ChallengePath,
  query: LanguageQuery,
  errors: ['player_token_invalid', 'unknown_app', 'challenge_not_found', 'action_not_possible'],
} as const;

export const playerChallengeRoutes = {
  open: defineRoute({
    ...list,
    operationId: 'getPersonalChallenges',
    cursor: ['category_id'],
    summary: 'List the challenges that the player has not finished, by category.',
    path: '/api/v1/challenges/personal/get/{appId}',
  }),
  all: defineRoute({
    ...list,
    operationId: 'getAllPersonalChallenges',
    cursor: ['category_id'],
    summary: 'List every challenge, completed ones included, by category.',
    path: '/api/v1/challenges/personal/all/{appId}',
  }),
  unresolved: defineRoute({
    ...list,
    operationId: 'getUnresolvedPersonalChallenges',
    cursor: ['category_id'],
    summary: 'List the challenges that the player has not finished, by category; the same as getPersonalChallenges.',
    path: '/api/v1/challenges/personal/unresolved/{appId}',
  }),
  active: defineRoute({
    ...list,
    operationId: 'getActivePersonalChallenges',
    cursor: ['category_id'],
    summary: 'List the challenges that are counting now, by category.',
    path: '/api/v1/challenges/personal/get-in-progress-challenges/{appId}',
    query: LanguageQuery,
  }),
  get: defineRoute({
    ...player,
    operationId: 'getPersonalChallengeById',
    summary: 'Show a challenge of the player.',
    method: 'get',
    path: '/api/v1/challenges/personal/get/{appId}/{challengeId}',
    params: ChallengePath,
    query: LanguageQuery,
    success: { status: 200, body: PersonalChallenge },
    errors: ['player_token_invalid', 'unknown_app', 'challenge_not_found'],
  }),
  unlock: defineRoute({
    ...action,
    operationId: 'unlockPersonalChallenge',
    summary: 'Unlock a challenge for the player.',
    method: 'post',
    path: '/api/v1/challenges/personal/unlock/{appId}/{challengeId}',
    success: { status: 201, body: ActionResponse },
  }),
  activate: defineRoute({
    ...action,
    operationId: 'activatePersonalChallenge',
    summary: 'Activate an unlocked challenge, so that events count.',
    method: 'put',
    path: '/api/v1/challenges/personal/activate/{appId}/{challengeId}',
    success: { status: 200, body: ActionResponse },
    errors: [...action.errors, 'counting_conflict'],
  }),
  cancel: defineRoute({
    ...action,
    operationId: 'cancelPersonalChallenge',
    summary: 'Give up a challenge; it can be unlocked again.',
    method: 'put',
    path: '/api/v1/challenges/personal/cancel/{appId}/{challengeId}',
    success: { status: 200, body: ActionResponse },
  }),
  claim: defineRoute({
    ...action,
    operationId: 'claimPersonalChallengeReward',
    summary: 'Claim the reward of a completed challenge.',
    method: 'put',
    path: '/api/v1/challenges/personal/claim/{appId}/{challengeId}',
    success: { status: 200, body: ActionResponse },
  }),
};
