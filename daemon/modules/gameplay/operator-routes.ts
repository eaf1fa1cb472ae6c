/** What operators see of a player and do for one. */
import type { PlayerBattlePass } from '../../../src/contract/gameplay/battle-pass-progress.js';
import { type PlayerChallenge, type PlayerRank, playerRoutes } from '../../../src/contract/gameplay/players.js';
import type { Sanction } from '../../../src/contract/moderation/sanctions.js';
import { timeOrNull } from '../../platform/database/column-values.js';
import { mayActAs } from '../../platform/http/authorisation.js';
import { type BoundRoute, bind } from '../../platform/http/bind.js';
import type { PassesOfPlayer } from './battle-passes/player-battle-passes.js';
import { playerPass } from './battle-passes/views.js';
import type { Rankings } from './leaderboards/rankings.js';
import type { ChallengeAction } from './player-challenges.js';
import { acknowledgement, type GameplayServices } from './routes.js';
import { playerChallenge } from './views.js';

export interface SanctionLookup {
  /** The sanctions in force against the user now. */
  activeOfUser(projectId: string, externalUserId: string, reader: { moderator: boolean }): Promise<Sanction[]>;
}

const unlockedPasses = ({ all, unlockedPass, progressIn, now }: PassesOfPlayer): PlayerBattlePass[] =>
  [...all.passes.values()].flatMap((pass) => {
    const unlocked = unlockedPass(pass);
    return unlocked === null ? [] : [playerPass(pass, unlocked, progressIn(pass), now)];
  });

/** What the player has done, without what is in force against them. */
export const progressOf = async (
  { challenges, battlePasses, info }: GameplayServices,
  projectId: string,
  userId: string,
) => ({
  userId,
  info: await info.get({ projectId, userId }),
  challenges: (await challenges.ofPlayer({ projectId, userId })).map(({ definition, progress }) =>
    playerChallenge(definition, progress, userId),
  ),
  battlePasses: unlockedPasses(await battlePasses.ofPlayer({ projectId, userId })),
});

async function ranksOf(rankings: Rankings, projectId: string, userId: string): Promise<PlayerRank[]> {
  const ranks: PlayerRank[] = [];
  for (const definition of await rankings.all(projectId)) {
    const period = await rankings.period(definition);
    const of = { definition, period, memberType: 'user' } as const;
    const { rank, score } = await rankings.member(of, userId);
    if (rank === -1) continue;
    const { total: members } = await rankings.page(of, 0, 1);
    const { id: leaderboardId, name } = definition.board;
    ranks.push({ leaderboardId, name, rank, score, members, endsAt: timeOrNull(period.endsAt) });
  }
  return ranks;
}

interface ActionCall {
  readonly params: { readonly projectId: string; readonly userId: string; readonly id: string };
}

export const playerRouter = (
  services: GameplayServices,
  sanctions: SanctionLookup,
  rankings: Rankings,
): BoundRoute[] => {
  const { intake, challenges, battlePasses, tokens, topics } = services;
  const act =
    (action: ChallengeAction) =>
    ({ params: { projectId, userId, id } }: ActionCall): Promise<PlayerChallenge> =>
      challenges.act({ projectId, userId }, id, action, ({ definition, progress }) =>
        playerChallenge(definition, progress, userId),
      );
  return bind(playerRoutes, {
    get: async ({ project, caller, params: { projectId, userId } }) => ({
      ...(await progressOf(services, projectId, userId)),
      leaderboards: await ranksOf(rankings, projectId, userId),
      sanctions: await sanctions.activeOfUser(projectId, userId, {
        moderator: mayActAs('moderator', caller, project, 'sanctions'),
      }),
    }),
    createToken: async ({ project, params }) => ({
      token: await tokens.sign({ tenantId: project.tenantId, projectId: project.projectId, userId: params.userId }),
    }),
    topic: async ({ params: { projectId, userId }, body: { challengeId, battlePassId } }) => {
      if (battlePassId !== undefined) {
        await battlePasses.requirePass(projectId, battlePassId);
        return { topic: await topics.nameOf({ projectId, userId, subject: `battle-pass:${battlePassId}` }) };
      }
      if (challengeId !== undefined) await challenges.requireChallenge(projectId, challengeId);
      const subject = challengeId === undefined ? 'challenges' : `challenge:${challengeId}`;
      return { topic: await topics.nameOf({ projectId, userId, subject }) };
    },
    sendEvent: async ({ caller, params: { projectId, userId }, headers, body }) => {
      await intake.submit(
        { projectId, credential: caller.id, playerId: userId },
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
  });
};
