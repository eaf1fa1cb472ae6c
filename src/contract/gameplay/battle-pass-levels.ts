/** Configuration of the levels of a battle pass, and of the challenges in them. */
import { z } from 'zod';
import { Id, ItemPath, PageInfo, PageQuery, ProjectPath, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';
import { Slug } from './challenge-categories.js';
import {
  Counting,
  countedDefaulted,
  countedOptional,
  countedRequired,
  GoalCondition,
  MetadataCondition,
} from './challenges.js';
import { Texts } from './localised-text.js';

export const levelsPerBattlePassMax = 200;
export const challengesPerLevelMax = 10;
export const levelChallengesPerProjectMax = 5000;

export const LevelChallenge = z
  .object({
    id: z.string(),
    levelId: z.string(),
    position: z.int().describe('Position in the level, from 1'),
    name: Texts,
    description: Texts.nullable(),
    eventName: z.string(),
    countProperty: z.string().nullable(),
    metadataConditions: z.array(MetadataCondition),
    goal: z.int(),
    goalCondition: GoalCondition,
    durationMinutes: z.int().nullable(),
    xp: z.int().nullable(),
    icon: z.string().nullable(),
    iconHd: z.string().nullable(),
    counting: Counting,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'LevelChallenge' });
export type LevelChallenge = z.infer<typeof LevelChallenge>;

export const BattlePassLevel = z
  .object({
    id: z.string(),
    projectId: z.string(),
    battlePassId: z.string(),
    position: z.int(),
    rewardAmount: z.string().nullable(),
    rewardType: z.string(),
    premiumRewardAmount: z.string().nullable(),
    premiumRewardType: z.string(),
    challenges: z.array(LevelChallenge).describe('In order'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'BattlePassLevel' });
export type BattlePassLevel = z.infer<typeof BattlePassLevel>;

export const CreateLevelChallengeRequest = z
  .object({
    ...countedRequired,
    ...countedOptional,
    metadataConditions: countedDefaulted.metadataConditions.default([]),
    goalCondition: countedDefaulted.goalCondition.default(0),
    counting: countedDefaulted.counting.default('per-session'),
  })
  .meta({ id: 'CreateLevelChallengeRequest' });
export type CreateLevelChallengeRequest = z.infer<typeof CreateLevelChallengeRequest>;
export const UpdateLevelChallengeRequest = z
  .object({ ...countedRequired, ...countedOptional, ...countedDefaulted })
  .partial()
  .meta({ id: 'UpdateLevelChallengeRequest' });
export type UpdateLevelChallengeRequest = z.infer<typeof UpdateLevelChallengeRequest>;

/** The reward type of a level that gives nothing. */
export const noReward = 'nothing';
const Amount = z.string().max(200).nullish();
const levelFields = {
  position: z.int().min(1).max(1_000_000).describe('Number of the level in the pass, from 1'),
  rewardAmount: Amount.describe('How much, or which item, as the game understands it'),
  rewardType: Slug.describe('Kind of reward: nothing, coin, experience, item, or a word of your own'),
  premiumRewardAmount: Amount.describe('Like rewardAmount, on the premium track'),
  premiumRewardType: Slug.describe('Like rewardType, given in addition to players with premium'),
};
export const CreateBattlePassLevelRequest = z
  .object({
    ...levelFields,
    rewardType: levelFields.rewardType.default(noReward),
    premiumRewardType: levelFields.premiumRewardType.default(noReward),
    challenges: z
      .array(CreateLevelChallengeRequest)
      .max(challengesPerLevelMax)
      .default([])
      .describe('Challenges, in order; a level without any is completed as soon as it is activated'),
  })
  .meta({ id: 'CreateBattlePassLevelRequest' });
export type CreateBattlePassLevelRequest = z.infer<typeof CreateBattlePassLevelRequest>;
export const UpdateBattlePassLevelRequest = z
  .object(levelFields)
  .partial()
  .meta({ id: 'UpdateBattlePassLevelRequest' });
export type UpdateBattlePassLevelRequest = z.infer<typeof UpdateBattlePassLevelRequest>;

export const BattlePassRewards = z
  .object({ ...UpdateBattlePassLevelRequest.shape, position: levelFields.position.describe('Number of the level') })
  .meta({ id: 'BattlePassRewards' });
export type BattlePassRewards = z.infer<typeof BattlePassRewards>;
export const SetBattlePassRewardsRequest = z
  .object({
    levels: z
      .array(BattlePassRewards)
      .min(1)
      .max(levelsPerBattlePassMax)
      .refine(
        (levels) => new Set(levels.map(({ position }) => position)).size === levels.length,
        'Name each level once',
      )
      .describe('Levels by number; fields that are not sent stay as they are'),
  })
  .meta({ id: 'SetBattlePassRewardsRequest' });
export type SetBattlePassRewardsRequest = z.infer<typeof SetBattlePassRewardsRequest>;
const RewardedLevels = z
  .object({ levels: z.array(BattlePassLevel).describe('The named levels, in the order of the request') })
  .meta({ id: 'RewardedLevels' });

export const BattlePassLevelList = PageInfo.extend({ levels: z.array(BattlePassLevel) }).meta({
  id: 'BattlePassLevelList',
});
export type BattlePassLevelList = z.infer<typeof BattlePassLevelList>;
const LevelChallengeList = z.object({ challenges: z.array(LevelChallenge) }).meta({ id: 'LevelChallengeList' });

const shared = { group: 'Gameplay configuration', auth: ['apiKey', 'bearer'] } as const;
const read = { ...shared, method: 'get', scope: 'gameplay:read', role: 'viewer' } as const;
const write = { ...shared, scope: 'gameplay', role: 'admin' } as const;
const levels = '/api/projects/{projectId}/battle-passes/{id}/levels';
const challenges = '/api/projects/{projectId}/battle-pass-levels/{levelId}/challenges';
const LevelPath = ItemPath.extend({ levelId: Id });
const OfLevelPath = ProjectPath.extend({ levelId: Id });
const LevelChallengePath = OfLevelPath.extend({ id: Id });
const levelErrors = ['battle_pass_not_found', 'battle_pass_level_not_found'] as const;

export const battlePassLevelRoutes = {
  list: defineRoute({
    ...read,
    operationId: 'listBattlePassLevels',
    cursor: ['position'],
    summary: 'List the levels of a battle pass with their challenges, in their order.',
    path: levels,
    params: ItemPath,
    query: PageQuery,
    success: { status: 200, body: BattlePassLevelList },
    errors: ['battle_pass_not_found'],
  }),
  create: defineRoute({
    ...write,
    operationId: 'createBattlePassLevel',
    summary: 'Add a level to a battle pass.',
    method: 'post',
    path: levels,
    params: ItemPath,
    body: CreateBattlePassLevelRequest,
    success: { status: 201, body: BattlePassLevel },
    errors: ['battle_pass_not_found', 'counting_conflict', 'battle_pass_limit_reached'],
  }),
  get: defineRoute({
    ...read,
    operationId: 'getBattlePassLevel',
    summary: 'Show a level of a battle pass with its challenges.',
    path: `${levels}/{levelId}`,
    params: LevelPath,
    success: { status: 200, body: BattlePassLevel },
    errors: levelErrors,
  }),
  update: defineRoute({
    ...write,
    operationId: 'updateBattlePassLevel',
    summary: 'Change the position or the rewards of a level.',
    method: 'patch',
    path: `${levels}/{levelId}`,
    params: LevelPath,
    body: UpdateBattlePassLevelRequest,
    success: { status: 200, body: BattlePassLevel },
    errors: levelErrors,
  }),
  setRewards: defineRoute({
    ...write,
    operationId: 'setBattlePassRewards',
    summary: 'Set the rewards of several levels of a battle pass, on both tracks, at once.',
    method: 'patch',
    path: '/api/projects/{projectId}/battle-passes/{id}/rewards',
    params: ItemPath,
    body: SetBattlePassRewardsRequest,
    success: { status: 200, body: RewardedLevels },
    errors: ['battle_pass_not_found'],
  }),
  delete: defineRoute({
    ...write,
    operationId: 'deleteBattlePassLevel',
    summary: 'Delete a level with its challenges and the progress of every player.',
    method: 'delete',
    path: `${levels}/{levelId}`,
    params: LevelPath,
    success: { status: 204 },
    errors: levelErrors,
  }),
};

export const levelChallengeRoutes = {
  list: defineRoute({
    ...read,
    operationId: 'listLevelChallenges',
    summary: 'List the challenges of a level, in their order.',
    path: challenges,
    params: OfLevelPath,
    success: { status: 200, body: LevelChallengeList },
    errors: ['battle_pass_level_not_found'],
  }),
  create: defineRoute({
    ...write,
    operationId: 'createLevelChallenge',
    summary: 'Add a challenge to a level, after the existing ones.',
    method: 'post',
    path: challenges,
    params: OfLevelPath,
    body: CreateLevelChallengeRequest,
    success: { status: 201, body: LevelChallenge },
    errors: ['battle_pass_level_not_found', 'counting_conflict', 'battle_pass_limit_reached'],
  }),
  get: defineRoute({
    ...read,
    operationId: 'getLevelChallenge',
    summary: 'Show a challenge of a level.',
    path: `${challenges}/{id}`,
    params: LevelChallengePath,
    success: { status: 200, body: LevelChallenge },
    errors: ['battle_pass_level_not_found', 'challenge_not_found'],
  }),
  update: defineRoute({
    ...write,
    operationId: 'updateLevelChallenge',
    summary: 'Change a challenge of a level; players in progress continue under the new rules.',
    method: 'patch',
    path: `${challenges}/{id}`,
    params: LevelChallengePath,
    body: UpdateLevelChallengeRequest,
    success: { status: 200, body: LevelChallenge },
    errors: ['battle_pass_level_not_found', 'challenge_not_found', 'counting_conflict'],
  }),
  delete: defineRoute({
    ...write,
    operationId: 'deleteLevelChallenge',
    summary: 'Delete a challenge of a level with the progress of every player.',
    method: 'delete',
    path: `${challenges}/{id}`,
    params: LevelChallengePath,
    success: { status: 204 },
    errors: ['battle_pass_level_not_found', 'challenge_not_found'],
  }),
};
