/** Routes by which operators act on a player's battle passes. */
import { battlePassProgressRoutes, type Purchase } from '../../../../src/contract/gameplay/battle-pass-progress.js';
import { type BoundRoute, bind } from '../../../platform/http/bind.js';
import type { ProjectGrant } from '../../../platform/http/caller.js';
import type { PlayerKey } from '../../game-events/model/player.js';
import type { LevelDefinition } from './definitions.js';
import type { PassesOfPlayer, PlayerBattlePasses } from './player-battle-passes.js';
import { playerLevel, playerPass } from './views.js';

interface OperatorCall {
  readonly project: ProjectGrant;
  readonly params: { readonly userId: string };
}
const playerOf = ({ project: { projectId }, params: { userId } }: OperatorCall): PlayerKey => ({ projectId, userId });
const paymentOf = ({ purchasePrice = null, purchaseCurrency = null }: Purchase) => ({
  purchasePrice,
  purchaseCurrency,
});
const passView = ({ pass, unlocked, progressIn, now }: Awaited<ReturnType<PlayerBattlePasses['unlock']>>) =>
  playerPass(pass, unlocked, progressIn(pass), now);
const levelView = ({ level, progressIn, now }: PassesOfPlayer & { readonly level: LevelDefinition }) =>
  playerLevel(level, progressIn(level.pass), now);

export const battlePassProgressRouter = (passes: PlayerBattlePasses): BoundRoute[] =>
  bind(battlePassProgressRoutes, {
    unlock: async ({ project, params, body }) =>
      passView(await passes.unlock(playerOf({ project, params }), params.id, paymentOf(body))),
    premium: async ({ project, params, body }) =>
      passView(await passes.grantPremium(playerOf({ project, params }), params.id, paymentOf(body))),
    reset: ({ project, params }) => passes.reset(playerOf({ project, params }), params.id),
    activateLevel: async ({ project, params }) =>
      levelView(await passes.activateLevel(playerOf({ project, params }), params.id)),
    claimLevel: async ({ project, params }) =>
      levelView(await passes.claimLevel(playerOf({ project, params }), params.id)),
  });
