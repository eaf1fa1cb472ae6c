/** What operators do with battle passes for a player. */
import { battlePassProgressRoutes } from '../../../../src/contract/gameplay/battle-pass-progress.js';
import { type BoundRoute, bind } from '../../../platform/http/bind.js';
import type { PlayerKey } from '../player-challenges.js';
import type { LevelDefinition } from './definitions.js';
import type { PassesOfPlayer, PlayerBattlePasses } from './player-battle-passes.js';
import { playerLevel, playerPass } from './views.js';

interface Call {
  readonly params: { readonly projectId: string; readonly userId: string; readonly id: string };
}
const playerOf = ({ params: { projectId, userId } }: Call): PlayerKey => ({ projectId, userId });
const levelView = ({ level, progressIn, now }: PassesOfPlayer & { readonly level: LevelDefinition }) =>
  playerLevel(level, progressIn(level.pass), now);

export const battlePassProgressRouter = (passes: PlayerBattlePasses): BoundRoute[] =>
  bind(battlePassProgressRoutes, {
    unlock: async ({ params, body: { purchasePrice = null, purchaseCurrency = null } }) => {
      const { pass, unlocked, progressIn, now } = await passes.unlock(playerOf({ params }), params.id, {
        purchasePrice,
        purchaseCurrency,
      });
      return playerPass(pass, unlocked, progressIn(pass), now);
    },
    reset: ({ params }) => passes.reset(playerOf({ params }), params.id),
    activateLevel: async ({ params }) => levelView(await passes.activateLevel(playerOf({ params }), params.id)),
    claimLevel: async ({ params }) => levelView(await passes.claimLevel(playerOf({ params }), params.id)),
  });
