/** Progress of a player in battle passes, as operators read and change it. */
import { z } from 'zod';
import { ExternalUserId, Id, ProjectPath, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';
import { Texts } from './localised-text.js';
import { LevelChallengeType } from './player-battle-passes.js';

const PlayerLevelChallenge = z.object({
  challengeId: z.string(),
  name: Texts,
  state: LevelChallengeType,
  counter: z.int(),
  goal: z.int(),
  endsAt: Timestamp.nullable().describe('When the time runs out; null: no limit'),
});

export const PlayerBattlePassLevel = z
  .object({
    levelId: z.string(),
    battlePassId: z.string(),
    position: z.int(),
    activatedAt: Timestamp.nullable(),
    completedAt: Timestamp.nullable(),
    claimedAt: Timestamp.nullable().describe('When the reward of the free track was claimed'),
    premiumClaimedAt: Timestamp.nullable().describe('When the reward of the premium track was claimed'),
    challenges: z.array(PlayerLevelChallenge),
  })
  .meta({ id: 'PlayerBattlePassLevel' });
export type PlayerBattlePassLevel = z.infer<typeof PlayerBattlePassLevel>;

export const PlayerBattlePass = z
  .object({
    battlePassId: z.string(),
    name: Texts,
    userId: z.string(),
    purchaseId: z.string(),
    purchasePrice: z.number().nullable(),
    purchaseCurrency: z.string().nullable(),
    unlockedAt: Timestamp,
    premiumAt: Timestamp.nullable().describe('Since when the player has premium; null: the free track alone'),
    completed: z.boolean().describe('True once every level is completed'),
    levels: z.array(PlayerBattlePassLevel).describe('In order'),
  })
  .meta({ id: 'PlayerBattlePass' });
export type PlayerBattlePass = z.infer<typeof PlayerBattlePass>;

export const Purchase = z
  .object({
    purchasePrice: z.number().min(0).max(1_000_000_000).nullish().describe('What was paid; more than 0 gives premium'),
    purchaseCurrency: z.string().max(20).nullish().describe('EUR, USD, …'),
  })
  .meta({ id: 'BattlePassPurchase' });
export type Purchase = z.infer<typeof Purchase>;

const write = {
  group: 'Gameplay configuration',
  auth: ['apiKey', 'bearer'],
  method: 'post',
  scope: 'gameplay',
  role: 'admin',
  params: ProjectPath.extend({ userId: ExternalUserId.describe('Player'), id: Id }),
} as const;
const player = '/api/projects/{projectId}/players/{userId}';
const onLevel = { ...write, success: { status: 200, body: PlayerBattlePassLevel } } as const;
const levelErrors = ['battle_pass_level_not_found', 'action_not_possible'] as const;

export const battlePassProgressRoutes = {
  unlock: defineRoute({
    ...write,
    operationId: 'unlockPlayerBattlePass',
    summary: 'Unlock a battle pass for a player.',
    path: `${player}/battle-passes/{id}/unlock`,
    body: Purchase.optional().default({}),
    success: { status: 200, body: PlayerBattlePass },
    errors: ['battle_pass_not_found', 'action_not_possible'],
  }),
  premium: defineRoute({
    ...write,
    operationId: 'grantPlayerBattlePassPremium',
    summary: 'Give a player premium in an unlocked battle pass, including claimed levels.',
    path: `${player}/battle-passes/{id}/premium`,
    body: Purchase.optional().default({}),
    success: { status: 200, body: PlayerBattlePass },
    errors: ['battle_pass_not_found', 'action_not_possible'],
  }),
  reset: defineRoute({
    ...write,
    operationId: 'resetPlayerBattlePass',
    summary: 'Reset a battle pass for a player, including the unlock.',
    path: `${player}/battle-passes/{id}/reset`,
    success: { status: 204 },
    errors: ['battle_pass_not_found', 'action_not_possible'],
  }),
  activateLevel: defineRoute({
    ...onLevel,
    operationId: 'activatePlayerBattlePassLevel',
    summary: 'Activate a level for a player, or restart it when its time has run out.',
    path: `${player}/battle-pass-levels/{id}/activate`,
    errors: [...levelErrors, 'counting_conflict'],
  }),
  claimLevel: defineRoute({
    ...onLevel,
    operationId: 'claimPlayerBattlePassLevel',
    summary: 'Claim the rewards of a completed level for a player, on every track they have.',
    path: `${player}/battle-pass-levels/{id}/claim`,
    errors: levelErrors,
  }),
};
