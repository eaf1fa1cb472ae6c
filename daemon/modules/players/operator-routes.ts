/** Routes by which operators see a player and act for one. */
import { type PlayerChallenge, playerRoutes } from '../../../src/contract/gameplay/players.js';
import { mayActAs } from '../../platform/http/authorisation.js';
import { type BoundRoute, bind } from '../../platform/http/bind.js';
import type { ProjectGrant } from '../../platform/http/caller.js';
import type { PlayerBattlePasses } from '../challenges/battle-passes/player-battle-passes.js';
import type { ChallengeAction } from '../challenges/not-possible.js';
import type { PlayerChallenges } from '../challenges/player-challenges.js';
import { playerChallenge } from '../challenges/views.js';
import { type EventIntake, projectKeys } from '../game-events/intake.js';
import type { TopicNames } from '../game-events/model/player.js';
import { acknowledgement } from '../game-events/result.js';
import type { PlayerOverview } from './player-overview.js';
import type { PlayerTokens } from './player-tokens.js';

interface OperatorServices {
  readonly intake: Pick<EventIntake, 'submit'>;
  readonly challenges: PlayerChallenges;
  readonly battlePasses: Pick<PlayerBattlePasses, 'requirePass'>;
  readonly tokens: PlayerTokens;
  readonly topics: TopicNames;
  readonly overview: PlayerOverview;
}

interface OperatorActionCall {
  readonly project: ProjectGrant;
  readonly params: { readonly userId: string; readonly id: string };
}

export const playerRouter = ({
  intake,
  challenges,
  battlePasses,
  tokens,
  topics,
  overview,
}: OperatorServices): BoundRoute[] => {
  const act =
    (action: ChallengeAction) =>
    ({ project: { projectId }, params: { userId, id } }: OperatorActionCall): Promise<PlayerChallenge> =>
      challenges.act({ projectId, userId }, id, action, ({ definition, progress }) =>
        playerChallenge(definition, progress, userId),
      );
  return bind(playerRoutes, {
    get: ({ project, caller, params }) =>
      overview.read(project.projectId, params.userId, {
        moderator: mayActAs('moderator', caller, project, 'sanctions'),
      }),
    createToken: async ({ project, params }) => ({
      token: await tokens.sign({ tenantId: project.tenantId, projectId: project.projectId, userId: params.userId }),
    }),
    topic: async ({ project: { projectId }, params: { userId }, body: { challengeId, battlePassId } }) => {
      if (battlePassId !== undefined) {
        await battlePasses.requirePass(projectId, battlePassId);
        return { topic: await topics.nameOf({ projectId, userId, subject: `battle-pass:${battlePassId}` }) };
      }
      if (challengeId !== undefined) await challenges.requireChallenge(projectId, challengeId);
      const subject = challengeId === undefined ? 'challenges' : `challenge:${challengeId}`;
      return { topic: await topics.nameOf({ projectId, userId, subject }) };
    },
    sendEvent: async ({ project: { tenantId, projectId }, params: { userId }, headers, body }) => {
      await intake.submit(
        { tenantId, projectId, keyScope: projectKeys, playerId: userId },
        body,
        headers['idempotency-key'] ?? null,
      );
      return acknowledgement;
    },
    unlock: act('unlock'),
    activate: act('activate'),
    cancel: act('cancel'),
    claim: act('claim'),
    reset: act('reset'),
    setProgress: ({ project: { projectId }, params: { userId, id }, body }) =>
      challenges.setProgress({ projectId, userId }, id, body, (definition, progress) =>
        playerChallenge(definition, progress, userId),
      ),
  });
};
