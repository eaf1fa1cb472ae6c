/**
 * Battle passes as players see them under `/api/v1`, and as they are announced. Paths, names and models are those of
 * the public JavaScript SDK.
 */
import { z } from 'zod';
import { Id } from '../common.js';
import { defineRoute } from '../route.js';
import { GoalCondition } from './challenges.js';
import { NotificationTopic } from './gameplay.js';

const Time = z.iso.datetime().nullable();

/** `overtime`: its time ran out, or the pass ended before the goal was reached. */
export const LevelChallengeType = z.enum(['unlock', 'in-progress', 'overtime', 'finished']);
export type LevelChallengeType = z.infer<typeof LevelChallengeType>;

/** The data of the event about the end of a pass. */
const PassFacts = {
  battle_pass_id: z.string(),
  app_id: z.string(),
  battle_pass_priority: z.int(),
  start_date: Time,
  end_date: Time,
  is_active: z.boolean().describe('True while it is running, by its dates'),
};

/** The SDK's BattlePass, its texts in the language asked for. */
export const PersonalBattlePass = z
  .object({
    ...PassFacts,
    battle_pass_name: z.string(),
    battle_pass_description: z.string().nullable(),
    battle_pass_short_description: z.string().nullable(),
    battle_pass_disclaimer: z.string().nullable(),
    package_sku_ios: z.string().nullable(),
    package_sku_android: z.string().nullable(),
    image_xs: z.string().nullable(),
    image_s: z.string().nullable(),
    image_m: z.string().nullable(),
    image_l: z.string().nullable(),
    image_xl: z.string().nullable(),
    read_more_link: z.string().nullable(),
    is_unlocked_incrementally: z.boolean(),
    unlocked_at: Time.describe('When the player unlocked it; null: not yet'),
    can_purchase_with_money: z.boolean(),
    can_purchase_with_coins: z.boolean(),
  })
  .meta({ id: 'PersonalBattlePass' });
export type PersonalBattlePass = z.infer<typeof PersonalBattlePass>;

/** The SDK's BattlePassLevelChallenge. */
const PersonalLevelChallenge = z
  .object({
    challenge_id: z.string(),
    challenge_name: z.string(),
    challenge_description: z.string().nullable(),
    challenge_goal: z.int(),
    challenge_goal_condition: GoalCondition.describe('0: reach the goal; 1: stay below it'),
    challenge_duration_time: z.int().nullable().describe('Minutes; null: no limit'),
    user_challenge_current_score: z.int().describe('Counter'),
    user_challenge_activated_at: Time,
    challenge_xp: z.int().nullable(),
    challenge_icon: z.string().nullable(),
    challenge_icon_hd: z.string().nullable(),
    type: LevelChallengeType.describe('State'),
  })
  .meta({ id: 'PersonalLevelChallenge' });

/** The SDK's BattlePassLevel. */
export const PersonalBattlePassLevel = z
  .object({
    level_id: z.string(),
    app_id: z.string(),
    battle_pass_id: z.string(),
    reward_amount: z.string().nullable(),
    reward_type_name: z.string().describe('Kind of reward, for people'),
    level_reward_type: z.string().describe('Kind of reward'),
    level_completed: z.boolean(),
    level_priority: z.int().describe('Place in the pass, from 1'),
    reward_claimed: z.boolean().describe("True if nothing is left to claim on the player's tracks"),
    activated_at: Time.describe('null: not activated'),
    challenges: z.array(PersonalLevelChallenge),
  })
  .meta({ id: 'PersonalBattlePassLevel' });
export type PersonalBattlePassLevel = z.infer<typeof PersonalBattlePassLevel>;

const BattlePassUnlockPayload = z
  .object({
    purchase_price: z
      .number()
      .min(0)
      .max(1_000_000_000)
      .nullish()
      .describe('What was paid, as stated by the client; only servers can give premium'),
    purchase_currency: z.string().max(20).nullish().describe('EUR, USD, …'),
  })
  .meta({ id: 'BattlePassUnlockPayload' });

export const BattlePassUnlockInfo = z
  .object({
    purchase_id: z.string(),
    battle_pass_id: z.string(),
    user_id: z.string(),
    purchase_price: z.number().nullable(),
    purchase_currency: z.string().nullable(),
    purchased_at: z.iso.datetime(),
    battle_pass_completed: z.boolean(),
  })
  .meta({ id: 'BattlePassUnlockInfo' });
export type BattlePassUnlockInfo = z.infer<typeof BattlePassUnlockInfo>;

/** The SDK's ActionResponse, which holds a challenge only where one was acted on. */
const LevelActionResponse = z.object({ status: z.int(), message: z.literal('OK') }).meta({ id: 'LevelActionResponse' });

/** The SDK's BattlePassChallengeState. */
export const AnnouncedLevelChallenge = z
  .object({
    app_id: z.string(),
    battle_pass_id: z.string(),
    level_id: z.string(),
    user_id: z.string(),
    level_position_index: z.int().describe('Index of the level among those of the pass'),
    challenge_id: z.string(),
    challenge_position_index: z.int().describe('Index of the challenge among those of the level'),
    challenge_goal: z.int(),
    user_challenge_current_score: z.int(),
    type: LevelChallengeType,
  })
  .meta({ id: 'AnnouncedLevelChallenge' });
export type AnnouncedLevelChallenge = z.infer<typeof AnnouncedLevelChallenge>;

/** Data of `battlepass.challenge.changed`, and the message on the topic. */
export const BattlePassChallengeChangedPayload = z
  .object({
    webhook_type: z.literal('battlepass-challenge-changed'),
    old_battle_pass_challenge: AnnouncedLevelChallenge,
    new_battle_pass_challenge: AnnouncedLevelChallenge,
    reason: z.string().optional().describe('Why an operator set the progress; absent: the player made it'),
  })
  .meta({ id: 'BattlePassChallengeChangedPayload' });
export type BattlePassChallengeChangedPayload = z.infer<typeof BattlePassChallengeChangedPayload>;

/** `premium`: for players with premium, in addition to the reward of the free track. */
export const RewardTrack = z.enum(['free', 'premium']);
export type RewardTrack = z.infer<typeof RewardTrack>;

/** Data of `battlepass.level.claimed`, and the message on the topic. */
export const BattlePassLevelClaimedPayload = z
  .object({
    webhook_type: z.literal('battlepass-level-reward-claimed'),
    battle_pass_level_reward_claimed: z.object({
      app_id: z.string(),
      battle_pass_id: z.string(),
      level_id: z.string(),
      user_id: z.string(),
      level_position_index: z.int(),
      reward_amount: z.string().nullable(),
      reward_type_name: z.string(),
    }),
    track: RewardTrack.optional().describe('Track of this reward; absent, as in the model of the SDK: free'),
  })
  .meta({ id: 'BattlePassLevelClaimedPayload' });
export type BattlePassLevelClaimedPayload = z.infer<typeof BattlePassLevelClaimedPayload>;

const BattlePassState = z.object(PassFacts).meta({ id: 'BattlePassState' });
/** Data of `battlepass.expired`, and the message on the topic of every player: once for each pass that ends. */
export const BattlePassExpiredPayload = z
  .object({
    webhook_type: z.literal('battlepass-expired'),
    old_battle_pass: BattlePassState,
    new_battle_pass: BattlePassState,
  })
  .meta({ id: 'BattlePassExpiredPayload' });
export type BattlePassExpiredPayload = z.infer<typeof BattlePassExpiredPayload>;

const LanguageQuery = z.object({
  language: z.string().max(20).default('en').describe('Language of the texts: en, de, …'),
});
const AppPath = z.object({ appId: Id.describe('Project') });
const BattlePassPath = AppPath.extend({ battlePassId: Id });
const LevelPath = AppPath.extend({ levelId: Id });

const player = { group: 'Gameplay', auth: ['playerToken'], projectIn: 'gameplay' } as const;
const errors = ['player_token_invalid', 'unknown_app'] as const;
const read = { ...player, method: 'get', query: LanguageQuery } as const;
const passes = {
  ...read,
  params: AppPath,
  success: { status: 200, body: z.array(PersonalBattlePass) },
  errors,
} as const;
const levels = { ...read, success: { status: 200, body: z.array(PersonalBattlePassLevel) } } as const;
const action = {
  ...player,
  method: 'post',
  params: LevelPath,
  query: LanguageQuery,
  success: { status: 200, body: LevelActionResponse },
} as const;

export const playerBattlePassRoutes = {
  all: defineRoute({
    ...passes,
    operationId: 'getBattlePasses',
    cursor: ['battle_pass_id'],
    summary: 'List the battle passes of the app, by priority.',
    path: '/api/v1/battle-passes/{appId}',
  }),
  active: defineRoute({
    ...passes,
    operationId: 'getActiveBattlePasses',
    cursor: ['battle_pass_id'],
    summary: 'List the battle passes that are running now.',
    path: '/api/v1/battle-passes/{appId}/active',
  }),
  unlocked: defineRoute({
    ...passes,
    operationId: 'getUnlockedBattlePasses',
    cursor: ['battle_pass_id'],
    summary: 'List the battle passes that the player has unlocked.',
    path: '/api/v1/battle-passes/{appId}/unlocked',
  }),
  get: defineRoute({
    ...read,
    operationId: 'getBattlePass',
    summary: 'Show a battle pass to the player.',
    path: '/api/v1/battle-passes/{appId}/single/{battlePassId}',
    params: BattlePassPath,
    success: { status: 200, body: PersonalBattlePass },
    errors: [...errors, 'battle_pass_not_found'],
  }),
  unlock: defineRoute({
    ...player,
    operationId: 'unlockBattlePass',
    summary: 'Unlock a battle pass for the player, even before it starts.',
    description:
      'Gives no premium, whatever price the client states. A server gives it with grantPlayerBattlePassPremium once it has the money.',
    method: 'post',
    path: '/api/v1/battle-passes/{appId}/unlock/{battlePassId}',
    params: BattlePassPath,
    query: LanguageQuery,
    body: BattlePassUnlockPayload.optional().default({}),
    success: { status: 200, body: BattlePassUnlockInfo },
    errors: [...errors, 'battle_pass_not_found', 'action_not_possible'],
  }),
  allLevels: defineRoute({
    ...levels,
    operationId: 'getAllBattlePassLevels',
    cursor: ['level_id'],
    summary: "List the levels of every battle pass, with the player's progress.",
    path: '/api/v1/battle-pass-levels/{appId}',
    params: AppPath,
    errors,
  }),
  levels: defineRoute({
    ...levels,
    operationId: 'getBattlePassLevels',
    cursor: ['level_id'],
    summary: "List the levels of a battle pass, with the player's progress.",
    path: '/api/v1/battle-pass-levels/{appId}/{battlePassId}',
    params: BattlePassPath,
    errors: [...errors, 'battle_pass_not_found'],
  }),
  activateLevel: defineRoute({
    ...action,
    operationId: 'activateBattlePassLevel',
    summary: 'Activate a level, or restart those of its challenges whose time has run out.',
    path: '/api/v1/battle-pass-levels/{appId}/activate/{levelId}',
    errors: [...errors, 'battle_pass_level_not_found', 'action_not_possible', 'counting_conflict'],
  }),
  claimLevel: defineRoute({
    ...action,
    operationId: 'claimBattlePassLevelReward',
    summary: 'Claim the reward of a completed level, even after the pass has ended.',
    path: '/api/v1/battle-pass-levels/{appId}/claim/{levelId}',
    errors: [...errors, 'battle_pass_level_not_found', 'action_not_possible'],
  }),
  topic: defineRoute({
    ...player,
    operationId: 'getUserBattlePassNotificationTopic',
    summary: 'Get the topic on which a battle pass of the player is announced.',
    method: 'get',
    path: '/api/v1/auth/user-battle-pass-topic-link',
    query: z.object({ battle_pass_id: Id }),
    success: { status: 200, body: NotificationTopic },
    errors: ['player_token_invalid', 'battle_pass_not_found'],
  }),
};
