/** `/api/v1/battle-passes` and `/api/v1/battle-pass-levels`: a player's battle passes, in the shapes of the public SDK. */
import { DomainError } from '../../../../src/contract/errors.js';
import {
  type PersonalBattlePass,
  type PersonalBattlePassLevel,
  playerBattlePassRoutes,
} from '../../../../src/contract/gameplay/player-battle-passes.js';
import { type BoundRoute, bind } from '../../../platform/http/bind.js';
import type { PlayerCaller } from '../../../platform/http/caller.js';
import { playerIn, type TopicNames } from '../../game-events/model/player.js';
import type { LevelDefinition, PassDefinition } from './definitions.js';
import type { PassesOfPlayer, PlayerBattlePasses } from './player-battle-passes.js';
import { isRunning } from './rules.js';
import { isCompleted, personalLevel, personalPass, unlockInfo } from './views.js';

interface PlayerCall {
  readonly caller: PlayerCaller;
  readonly params: { readonly appId: string };
  readonly query: { readonly language: string };
}

const done = { status: 200, message: 'OK' } as const;

export const playerBattlePassRouter = (
  passes: PlayerBattlePasses,
  topics: Pick<TopicNames, 'nameOf'>,
): BoundRoute[] => {
  const list =
    (wanted: (pass: PassDefinition, found: PassesOfPlayer) => boolean) =>
    async ({ caller, params, query }: PlayerCall): Promise<PersonalBattlePass[]> => {
      const found = await passes.read(playerIn(caller, params.appId));
      return [...found.all.passes.values()]
        .filter((pass) => wanted(pass, found))
        .map((pass) => personalPass(pass, found.unlockedPass(pass), query.language, found.now));
    };
  const levelsOf = async (
    { caller, params, query }: PlayerCall,
    wanted: (found: PassesOfPlayer) => readonly LevelDefinition[],
  ): Promise<PersonalBattlePassLevel[]> => {
    const found = await passes.read(playerIn(caller, params.appId));
    const { progressIn, hasPremium, now } = found;
    return wanted(found).map((level) =>
      personalLevel(level, progressIn(level.pass), hasPremium(level.pass), query.language, now),
    );
  };
  return bind(playerBattlePassRoutes, {
    all: list(() => true),
    active: list((pass, { now }) => isRunning(pass, now)),
    unlocked: list((pass, { unlockedPass }) => unlockedPass(pass) !== null),
    get: async ({ caller, params, query }) => {
      const found = await passes.read(playerIn(caller, params.appId));
      const pass = passIn(found, params.battlePassId);
      return personalPass(pass, found.unlockedPass(pass), query.language, found.now);
    },
    unlock: async ({ caller, params, body }) => {
      const { purchase_price: purchasePrice, purchase_currency: purchaseCurrency } = body;
      const player = playerIn(caller, params.appId);
      const payment = { purchasePrice: purchasePrice ?? null, purchaseCurrency: purchaseCurrency ?? null };
      const { pass, unlocked, progressIn } = await passes.unlock(player, params.battlePassId, payment, 'player');
      return unlockInfo(unlocked, isCompleted(pass, progressIn(pass)));
    },
    allLevels: (call) => levelsOf(call, ({ all }) => [...all.levels.values()]),
    levels: (call) => levelsOf(call, (found) => passIn(found, call.params.battlePassId).levels),
    activateLevel: async ({ caller, params }) => {
      await passes.activateLevel(playerIn(caller, params.appId), params.levelId);
      return done;
    },
    claimLevel: async ({ caller, params }) => {
      await passes.claimLevel(playerIn(caller, params.appId), params.levelId);
      return done;
    },
    topic: async ({ caller: { projectId, externalUserId: userId }, query: { battle_pass_id: id } }) => {
      await passes.requirePass(projectId, id);
      return { topic: await topics.nameOf({ projectId, userId, subject: `battle-pass:${id}` }) };
    },
  });
};

function passIn({ all }: PassesOfPlayer, id: string): PassDefinition {
  const pass = all.passes.get(id);
  if (pass === undefined) throw new DomainError('battle_pass_not_found');
  return pass;
}
