/** Operations of operators on a player. */
import { z } from 'zod';
import { cutParts, ExternalUserId, Id, ProjectPath, Timestamp } from '../common.js';
import { Sanction } from '../moderation/sanction-record.js';
import { defineRoute } from '../route.js';
import { PlayerBattlePass } from './battle-pass-progress.js';
import {
  AccessToken,
  EventAcknowledgement,
  EventHeaders,
  EventPayload,
  NotificationTopic,
  UserInfo,
} from './gameplay.js';
import { Texts } from './localised-text.js';
import { ChallengeState } from './player-challenges.js';

export const PlayerChallenge = z
  .object({
    challengeId: z.string(),
    name: Texts,
    userId: z.string(),
    state: ChallengeState,
    counter: z.int(),
    goal: z.int(),
    goalCondition: z.union([z.literal(0), z.literal(1)]),
    unlockedAt: Timestamp.nullable(),
    activatedAt: Timestamp.nullable(),
    endsAt: Timestamp.nullable().describe('When the time runs out; null: no limit'),
    claimedAt: Timestamp.nullable(),
  })
  .meta({ id: 'PlayerChallenge' });
export type PlayerChallenge = z.infer<typeof PlayerChallenge>;

const PlayerRank = z
  .object({
    leaderboardId: z.string(),
    name: Texts,
    rank: z.int().describe('From 1'),
    score: z.int(),
    members: z.int().describe('Users on the board'),
    endsAt: Timestamp.nullable().describe('Next reset, or the end of the board if that is earlier; null: none'),
  })
  .meta({ id: 'PlayerRank' });
export type PlayerRank = z.infer<typeof PlayerRank>;

export const Player = z
  .object({
    userId: z.string(),
    info: UserInfo,
    challenges: z.array(PlayerChallenge),
    battlePasses: z.array(PlayerBattlePass).describe('The challenges that the player has unlocked'),
    leaderboards: z.array(PlayerRank).describe('The leaderboards that the player is on now'),
    sanctions: z.array(Sanction).describe('In force now'),
    cut: cutParts(
      ['sanctions', 'leaderboards', 'battlePasses', 'challenges'],
      'Read the remaining sanctions with listActiveUserSanctions, and the other parts with a player token of the player',
    ),
  })
  .meta({ id: 'Player' });
export type Player = z.infer<typeof Player>;

const SetPlayerProgressRequest = z
  .object({
    counter: z.int().min(0).optional().describe('The new count'),
    add: z.int().min(1).optional().describe('Amount to add to the count'),
    reason: z.string().trim().min(1).max(500).describe('Reason, announced with the change'),
  })
  .refine(({ counter, add }) => (counter === undefined) !== (add === undefined), {
    path: ['counter'],
    message: 'send either counter or add',
  })
  .meta({ id: 'SetPlayerProgressRequest' });
export type SetPlayerProgressRequest = z.infer<typeof SetPlayerProgressRequest>;

const group = 'Gameplay configuration';
const PlayerPath = ProjectPath.extend({ userId: ExternalUserId.describe('Player') });
const PlayerChallengePath = PlayerPath.extend({ id: Id.describe('Challenge') });
const write = { group, auth: ['apiKey', 'bearer'], method: 'post', scope: 'gameplay', role: 'admin' } as const;
const player = '/api/projects/{projectId}/players/{userId}';

const action = {
  ...write,
  params: PlayerChallengePath,
  success: { status: 200, body: PlayerChallenge },
  errors: ['challenge_not_found', 'action_not_possible'],
} as const;

export const playerRoutes = {
  get: defineRoute({
    operationId: 'getPlayer',
    summary: 'Show the challenges, battle passes, leaderboards and sanctions of a player.',
    group,
    method: 'get',
    path: player,
    auth: ['apiKey', 'bearer'],
    scope: 'gameplay:read',
    role: 'viewer',
    params: PlayerPath,
    success: { status: 200, body: Player },
    errors: [],
  }),
  createToken: defineRoute({
    ...write,
    operationId: 'createPlayerToken',
    summary: 'Create a player token.',
    path: `${player}/token`,
    scope: 'tokens',
    params: PlayerPath,
    success: { status: 201, body: AccessToken },
    errors: [],
    idempotencyKey: false,
  }),
  topic: defineRoute({
    ...write,
    operationId: 'getPlayerTopic',
    summary: 'Get the MQTT topic of a challenge, of a battle pass, or of all challenges.',
    path: `${player}/topic`,
    params: PlayerPath,
    body: z
      .object({
        challengeId: Id.optional().describe('Default: every challenge'),
        battlePassId: Id.optional().describe('A battle pass instead of challenges'),
      })
      .refine(({ challengeId, battlePassId }) => challengeId === undefined || battlePassId === undefined, {
        path: ['battlePassId'],
        message: 'name a challenge or a battle pass, not both',
      })
      .optional()
      .default({}),
    success: { status: 200, body: NotificationTopic },
    errors: ['challenge_not_found', 'battle_pass_not_found'],
  }),
  sendEvent: defineRoute({
    ...write,
    operationId: 'sendPlayerEvent',
    summary: 'Send a game event of a player.',
    path: `${player}/events`,
    params: PlayerPath,
    headers: EventHeaders,
    body: EventPayload.omit({ user_id: true }).meta({ id: 'PlayerEventPayload' }),
    success: { status: 200, body: EventAcknowledgement },
    errors: ['unknown_event', 'game_event_invalid', 'rate_limited', 'overloaded', 'idempotency_mismatch'],
    idempotencyKey: 'each',
  }),
  unlock: defineRoute({
    ...action,
    operationId: 'unlockPlayerChallenge',
    summary: 'Unlock a challenge for a player.',
    path: `${player}/challenges/{id}/unlock`,
  }),
  activate: defineRoute({
    ...action,
    operationId: 'activatePlayerChallenge',
    summary: 'Activate an unlocked challenge for a player, so that events count.',
    path: `${player}/challenges/{id}/activate`,
    errors: [...action.errors, 'counting_conflict'],
  }),
  cancel: defineRoute({
    ...action,
    operationId: 'cancelPlayerChallenge',
    summary: 'Cancel a challenge of a player; it can be unlocked again.',
    path: `${player}/challenges/{id}/cancel`,
  }),
  claim: defineRoute({
    ...action,
    operationId: 'claimPlayerChallenge',
    summary: 'Claim the reward of a completed challenge for a player.',
    path: `${player}/challenges/{id}/claim`,
  }),
  setProgress: defineRoute({
    ...action,
    operationId: 'setPlayerChallengeProgress',
    summary: 'Set or add to the progress of a player in a challenge, with a reason.',
    description:
      'For progress that was lost. A challenge that has not begun is unlocked and activated first; a challenge of a battle pass must be in progress. A challenge that reaches its goal waits to be claimed; in a battle pass, it is finished. The change is announced with the reason. No event is counted, so leaderboards stay as they are.',
    path: `${player}/challenges/{id}/progress`,
    body: SetPlayerProgressRequest,
    errors: [...action.errors, 'counting_conflict'],
  }),
  reset: defineRoute({
    ...action,
    operationId: 'resetPlayerChallenge',
    summary: 'Reset a challenge for a player, whatever its state.',
    path: `${player}/challenges/{id}/reset`,
  }),
};
