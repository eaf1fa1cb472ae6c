/** Rewards of battle passes on the free and the premium track. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { personalLevel } from '../../daemon/modules/challenges/battle-passes/views.js';
import { CreateBattlePassLevelRequest } from '../../src/contract/gameplay/battle-pass-levels.js';
import { CreateBattlePassRequest } from '../../src/contract/gameplay/battle-passes.js';
import { BattlePassLevelClaimedPayload } from '../../src/contract/gameplay/player-battle-passes.js';
import { databases, type TestDatabase } from '../support/database.js';
import { type Game, minute, openGame } from '../support/game.js';

const unpaid = { purchasePrice: null, purchaseCurrency: null };
const paid = { purchasePrice: 9.99, purchaseCurrency: 'EUR' };
const both = {
  ...{ rewardType: 'coin', rewardAmount: '100' },
  ...{ premiumRewardType: 'item', premiumRewardAmount: 'cape' },
};
const already = { code: 'action_not_possible', message: 'The reward was already claimed.' };

describe.each(databases)('tracks of battle passes on $name', ({ open, here }) => {
  describe.skipIf(!here)('', () => {
    let opened: TestDatabase;
    let game: Game;
    let passId: string;
    beforeAll(async () => {
      opened = await open();
    });
    beforeEach(async () => {
      game = await openGame(opened.database);
      const request = CreateBattlePassRequest.parse({ name: 'Season', isUnlockedIncrementally: false });
      passId = (await game.passes.configuration.create(game.projectId, request)).id;
    });
    afterAll(() => opened.close());

    const u1 = () => game.player('u1');
    const level = async (rewards: object = both, position = 1) => {
      const request = CreateBattlePassLevelRequest.parse({ position, ...rewards });
      return (await game.passes.levels.create(game.projectId, passId, request)).id;
    };
    const unlock = (payment: typeof paid | typeof unpaid) => game.passes.players.unlock(u1(), passId, payment);
    const premium = (payment: typeof paid | typeof unpaid = unpaid) =>
      game.passes.players.grantPremium(u1(), passId, payment);
    const activate = (id: string) => game.passes.players.activateLevel(u1(), id);
    const claim = (id: string) => game.passes.players.claimLevel(u1(), id);
    const told = async () =>
      (await game.log.read({ after: 0n, limit: 10_000 }))
        .filter(({ event }) => event.type === 'battlepass.level.claimed' && event.projectId === game.projectId)
        .map(({ event }) => {
          const { track, battle_pass_level_reward_claimed: reward } = BattlePassLevelClaimedPayload.parse(
            event.payload.data,
          );
          return [track ?? 'free', reward.reward_type_name, reward.reward_amount];
        });
    /** Returns the first level as the SDK shows it. */
    const shown = async () => {
      const { all, progressIn, hasPremium, now } = await game.passes.players.read(u1());
      const pass = all.passes.get(passId);
      const [first] = pass?.levels ?? [];
      if (pass === undefined || first === undefined) throw new Error('The level is missing.');
      return personalLevel(first, progressIn(pass), hasPremium(pass), 'en', now);
    };

    it('give a player without premium the free reward alone', async () => {
      const id = await level();
      expect((await unlock(unpaid)).unlocked.premiumAt).toBeNull();
      await activate(id);
      await claim(id);
      expect(await told()).toEqual([['free', 'Coins', '100']]);
      expect(await shown()).toMatchObject({ reward_claimed: true, reward_amount: '100', level_reward_type: 'coin' });
      await expect(claim(id)).rejects.toMatchObject({
        ...{ code: 'action_not_possible', status: 402 },
        message: 'The free reward was already claimed. Give the player premium before claiming the premium one.',
      });
    });

    it('give whoever paid both rewards, each once and in an event of its own', async () => {
      const id = await level();
      expect((await unlock(paid)).unlocked.premiumAt).toEqual(new Date(game.time.now));
      await activate(id);
      const { progressIn, level: claimed } = await claim(id);
      const now = new Date(game.time.now);
      expect(progressIn(claimed.pass).levelOf(id)).toMatchObject({ claimedAt: now, premiumClaimedAt: now });
      expect(await told()).toEqual([
        ['free', 'Coins', '100'],
        ['premium', 'Item', 'cape'],
      ]);
      await expect(claim(id)).rejects.toMatchObject(already);
      expect(await told()).toHaveLength(2);
    });

    it('give no premium for a price of 0', async () => {
      expect((await unlock({ purchasePrice: 0, purchaseCurrency: 'EUR' })).unlocked.premiumAt).toBeNull();
    });

    it('give the premium reward of a claimed level to whoever gets premium later, and that alone', async () => {
      const id = await level();
      await expect(premium()).rejects.toMatchObject({
        code: 'action_not_possible',
        message: expect.stringMatching(/Unlock the battle pass/),
      });
      const { unlocked } = await unlock(unpaid);
      await activate(id);
      await claim(id);
      const claimedAt = new Date(game.time.now);
      game.time.now += minute;
      const granted = await premium(paid);
      expect(granted.unlocked).toEqual({ ...unlocked, ...paid, premiumAt: new Date(game.time.now) });
      expect((await game.passes.players.read(u1())).unlockedPass(granted.pass)).toEqual(granted.unlocked);
      expect(await shown()).toMatchObject({ reward_claimed: false });
      const { progressIn, level: claimed } = await claim(id);
      const premiumClaimedAt = new Date(game.time.now);
      expect(progressIn(claimed.pass).levelOf(id)).toMatchObject({ claimedAt, premiumClaimedAt });
      expect(await told()).toEqual([
        ['free', 'Coins', '100'],
        ['premium', 'Item', 'cape'],
      ]);
      expect(await shown()).toMatchObject({ reward_claimed: true });
      await expect(claim(id)).rejects.toMatchObject(already);
      await expect(premium()).rejects.toMatchObject({
        message: 'The player already has premium in this battle pass.',
      });
    });

    it('keep what was paid where premium is given for nothing, and give it after the end of the pass', async () => {
      const id = await level();
      await unlock({ purchasePrice: 0, purchaseCurrency: 'EUR' });
      await activate(id);
      await game.passes.configuration.update(game.projectId, passId, {
        endDate: new Date(game.time.now).toISOString(),
      });
      game.time.now += minute;
      expect((await premium()).unlocked).toMatchObject({ purchasePrice: 0, purchaseCurrency: 'EUR' });
      await claim(id);
      expect((await told()).map(([track]) => track)).toEqual(['free', 'premium']);
    });

    it('tell nothing of a premium reward that a level does not have, and give one that it gets later', async () => {
      const id = await level({ rewardType: 'coin', rewardAmount: '100' });
      await unlock(paid);
      await activate(id);
      await claim(id);
      expect(await told()).toEqual([['free', 'Coins', '100']]);
      await expect(claim(id)).rejects.toMatchObject(already);
      await game.passes.levels.setRewards(game.projectId, passId, {
        levels: [{ position: 1, premiumRewardType: 'item', premiumRewardAmount: 'cape' }],
      });
      await claim(id);
      expect((await told()).at(-1)).toEqual(['premium', 'Item', 'cape']);
    });

    it('give each reward once to simultaneous claims', async () => {
      const id = await level();
      await unlock(paid);
      await activate(id);
      const claims = await Promise.allSettled([claim(id), claim(id), claim(id)]);
      expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect((await told()).map(([track]) => track)).toEqual(['free', 'premium']);
    });

    it('forget premium with the pass', async () => {
      const id = await level();
      await unlock(paid);
      await activate(id);
      await game.passes.players.reset(u1(), passId);
      expect((await unlock(unpaid)).unlocked.premiumAt).toBeNull();
      await activate(id);
      await claim(id);
      expect((await told()).map(([track]) => track)).toEqual(['free']);
    });

    it('set the rewards of several levels, all of them or none', async () => {
      await level(both, 1);
      await level(both, 2);
      const set = (levels: Parameters<typeof game.passes.levels.setRewards>[2]['levels']) =>
        game.passes.levels.setRewards(game.projectId, passId, { levels });
      const rewards = async () =>
        (await game.passes.levels.list(game.projectId, passId, { limit: 10, offset: 0 })).levels.map((one) => [
          ...[one.rewardType, one.rewardAmount, one.premiumRewardType, one.premiumRewardAmount],
        ]);
      await expect(
        set([
          { position: 1, rewardType: 'gem' },
          { position: 3, rewardType: 'gem' },
        ]),
      ).rejects.toMatchObject({
        code: 'validation_failed',
        details: [{ path: 'body.levels.1.position', message: 'the pass has no level 3' }],
      });
      const before = ['coin', '100', 'item', 'cape'];
      expect(await rewards()).toEqual([before, before]);
      const { levels } = await set([
        { position: 2, rewardType: 'gem', rewardAmount: '5' },
        { position: 1, premiumRewardType: 'nothing', premiumRewardAmount: null },
      ]);
      expect(levels.map(({ position }) => position)).toEqual([2, 1]);
      expect(await rewards()).toEqual([
        ['coin', '100', 'nothing', null],
        ['gem', '5', 'item', 'cape'],
      ]);
    });
  });
});
