import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { personalLevel } from '../../daemon/modules/challenges/battle-passes/views.js';
import { personErasure } from '../../daemon/platform/database/person-rows.js';
import {
  CreateBattlePassLevelRequest,
  CreateLevelChallengeRequest,
} from '../../src/contract/gameplay/battle-pass-levels.js';
import { CreateBattlePassRequest } from '../../src/contract/gameplay/battle-passes.js';
import { databases, type TestDatabase } from '../support/database.js';
import { type Game, minute, openGame, start } from '../support/game.js';

const killThree = { name: 'Kill three', eventName: 'kill-enemy', goal: 3 };
const free = { purchasePrice: null, purchaseCurrency: null };

describe.each(databases)('battle passes on $name', ({ open, here }) => {
  describe.skipIf(!here)('', () => {
    let opened: TestDatabase;
    let game: Game;
    beforeAll(async () => {
      opened = await open();
    });
    beforeEach(async () => {
      game = await openGame(opened.database);
    });
    afterAll(() => opened.close());

    const later = (minutes: number) => {
      game.time.now += minutes * minute;
    };
    const at = (minutes: number) => new Date(start + minutes * minute).toISOString();
    const pass = (more: object = {}) =>
      game.passes.configuration.create(game.projectId, CreateBattlePassRequest.parse({ name: 'Season', ...more }));
    const level = (passId: string, position: number, challenges: object[] = [killThree], rewardType = 'coin') =>
      game.passes.levels.create(
        game.projectId,
        passId,
        CreateBattlePassLevelRequest.parse({ position, challenges, rewardType }),
      );
    const unlock = (passId: string, userId = 'u1') => game.passes.players.unlock(game.player(userId), passId, free);
    const activate = (levelId: string, userId = 'u1') =>
      game.passes.players.activateLevel(game.player(userId), levelId);
    const claim = (levelId: string, userId = 'u1') => game.passes.players.claimLevel(game.player(userId), levelId);
    /** Returns the levels as the player sees them: `state counter/goal …`. */
    const levels = async (passId: string, userId = 'u1') => {
      const found = await game.passes.players.read(game.player(userId));
      const definition = found.all.passes.get(passId);
      if (definition === undefined) throw new Error('The pass is missing.');
      const progress = found.progressIn(definition);
      return definition.levels.map((one) => {
        const current = progress.levelOf(one.level.id);
        const state = current?.completedAt ? 'completed' : current ? 'activated' : 'locked';
        const counters = one.challenges.map(({ challenge }) => progress.progressOf(challenge.id).counter);
        return [state, ...counters].join(' ');
      });
    };
    const eventsOf = async (type: string) =>
      (await game.log.read({ after: 0n, limit: 10_000 })).filter(
        ({ event }) => event.type === type && event.projectId === game.projectId,
      );

    it('name a kind of reward by its own word where the hosted service has none, whatever the word', async () => {
      const { id: passId } = await pass();
      await level(passId, 1, [killThree], 'constructor');
      const { all, progressIn } = await game.passes.players.read(game.player('u1'));
      const definition = all.passes.get(passId);
      const [first] = definition?.levels ?? [];
      if (definition === undefined || first === undefined) throw new Error('The level is missing.');
      const shown = personalLevel(first, progressIn(definition), false, 'en', new Date(game.time.now));
      expect(shown).toMatchObject({ reward_type_name: 'constructor', level_reward_type: 'constructor' });
    });

    it('count from their start to just before their end', async () => {
      const { id } = await pass({ startDate: at(10), endDate: at(20) });
      const { id: first } = await level(id, 1);
      await unlock(id);
      await expect(activate(first)).rejects.toMatchObject({
        ...{ code: 'action_not_possible', status: 402 },
        message: `The battle pass starts at ${at(10)}.`,
      });
      game.time.now = start + 10 * minute;
      await activate(first);
      await game.kill('u1');
      game.time.now = start + 20 * minute - 1;
      await game.kill('u1');
      expect(await levels(id)).toEqual(['activated 2']);
      game.time.now = start + 20 * minute;
      await game.kill('u1');
      expect(await levels(id)).toEqual(['activated 2']);
      const ended = { code: 'action_not_possible', message: `The battle pass ended at ${at(20)}.` };
      await expect(activate(first)).rejects.toMatchObject(ended);
      await expect(unlock(id, 'u2')).rejects.toMatchObject(ended);
    });

    it('count what comes late as if it had come at once, until their late minutes are over', async () => {
      const timed = { ...killThree, durationMinutes: 15 };
      const ids: string[] = [];
      for (const lateMinutes of [0, 30]) {
        const { id } = await pass({ endDate: at(60), lateMinutes });
        ids.push(id);
        const { id: first } = await level(id, 1);
        await level(id, 2, [timed]);
        await level(id, 3);
        for (const user of ['u1', 'u2', 'u3']) {
          await unlock(id, user);
          await activate(first, user);
        }
      }
      const shown = async (user: string) => Promise.all(ids.map((id) => levels(id, user)));
      const send = async (user: string, until: number) => {
        const kills = [
          [3, 20],
          [2, 25],
          [1, 34],
          [1, 35],
          [8, 60],
        ] as const;
        for (const [amount, minutes] of kills)
          if (minutes <= until) await game.kill(user, amount, { occurred_at: at(minutes) });
      };
      later(45);
      await send('u1', 40);
      // The limit of the second level, which began when the first was done, is over in the pass without late minutes.
      expect(await shown('u1')).toEqual([
        ['completed 3', 'activated 0', 'locked 0'],
        ['completed 3', 'completed 3', 'activated 1'],
      ]);
      later(44);
      await send('u2', 60);
      expect(await shown('u2')).toEqual([
        ['activated 0', 'locked 0', 'locked 0'],
        ['completed 3', 'activated 0', 'locked 0'], // the time limit of the second ended earlier
      ]);
      later(1);
      await send('u3', 60);
      expect(await shown('u3')).toEqual([
        ['activated 0', 'locked 0', 'locked 0'],
        ['activated 0', 'locked 0', 'locked 0'],
      ]);
    });

    it('give a reward that was earned in time also after the end', async () => {
      const { id } = await pass({ endDate: at(10) });
      const { id: first } = await level(id, 1);
      await unlock(id);
      await activate(first);
      await game.kill('u1', 3);
      later(10);
      await claim(first);
      const claimed = { code: 'action_not_possible', message: 'The reward was already claimed.' };
      await expect(claim(first)).rejects.toMatchObject(claimed);
    });

    it('say why something is not possible, and what to do first', async () => {
      const { id } = await pass();
      const [{ id: first }, { id: second }] = [await level(id, 1), await level(id, 2)];
      const messageOf = (refused: Promise<unknown>) =>
        refused.then(
          () => null,
          (error: unknown) => (error instanceof Error ? error.message : error),
        );
      expect(await messageOf(activate(first))).toMatch(/locked for this player. Unlock the battle pass first/);
      await unlock(id);
      expect(await messageOf(unlock(id))).toMatch(/already unlocked for this player/);
      expect(await messageOf(claim(first))).toMatch(/has not begun. Activate it/);
      expect(await messageOf(activate(second))).toMatch(/levels before this one are not completed/);
      await activate(first);
      expect(await messageOf(activate(first))).toMatch(/already activated/);
      expect(await messageOf(claim(first))).toMatch(/not all of its challenges are finished/);
    });

    it('give one of 200 parallel claims the reward', async () => {
      const { id } = await pass();
      const { id: first } = await level(id, 1);
      await unlock(id);
      await activate(first);
      await game.kill('u1', 3);
      const results = await Promise.allSettled(Array.from({ length: 200 }, () => claim(first)));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await eventsOf('battlepass.level.claimed')).toHaveLength(1);
      const refused = results.find((result) => result.status === 'rejected');
      expect(refused).toMatchObject({ reason: { code: 'action_not_possible' } });
    });

    it('are unlocked once by simultaneous calls', async () => {
      const { id } = await pass();
      const results = await Promise.allSettled(Array.from({ length: 10 }, () => unlock(id)));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('complete a level whose challenges are finished in the same moment, and count on in the next', async () => {
      const { id } = await pass();
      const points = { name: 'Points', eventName: 'earn-points', goal: 3 };
      const { id: first } = await level(id, 1, [killThree, points]);
      await level(id, 2, [{ ...killThree, goal: 5 }]);
      await unlock(id);
      await activate(first);
      const event = (event_name: string, amount: number) =>
        game.intake.submit(game.backEnd, { user_id: 'u1', event_name, meta_data: { amount } }, null);
      await Promise.all([event('kill-enemy', 3), event('earn-points', 3)]);
      expect(await levels(id)).toEqual(['completed 3 3', 'activated 0']);
      await event('kill-enemy', 2);
      expect(await levels(id)).toEqual(['completed 3 3', 'activated 2']);
    });

    it('do not count an event twice that completes a level and is listened to in the next', async () => {
      const { id } = await pass();
      const { id: first } = await level(id, 1);
      await level(id, 2);
      await level(id, 3);
      await unlock(id);
      await activate(first);
      const kill = { user_id: 'u1', event_name: 'kill-enemy', meta_data: { amount: 3 } };
      await game.intake.submitAll(game.backEnd, [kill, kill], null);
      expect(await levels(id)).toEqual(['completed 3', 'completed 3', 'activated 0']);
    });

    it('let players choose where levels are free', async () => {
      const { id } = await pass({ isUnlockedIncrementally: false });
      const { id: first } = await level(id, 1);
      const { id: second } = await level(id, 2);
      await unlock(id);
      await activate(second);
      await game.kill('u1', 3);
      expect(await levels(id)).toEqual(['locked 0', 'completed 3']);
      await activate(first);
      expect(await levels(id)).toEqual(['activated 0', 'completed 3']);
    });

    it('begin a challenge anew whose time ran out when the level is activated again', async () => {
      const { id } = await pass();
      const { id: first } = await level(id, 1, [{ ...killThree, durationMinutes: 10 }]);
      await unlock(id);
      await activate(first);
      await game.kill('u1', 2);
      later(10);
      await game.kill('u1', 3);
      expect(await levels(id)).toEqual(['activated 2']);
      await activate(first);
      await game.kill('u1', 3);
      expect(await levels(id)).toEqual(['completed 3']);
    });

    it('win by staying below a goal until the time is up, and not by the end of the pass', async () => {
      const careful = { ...killThree, goalCondition: 1, durationMinutes: 10 };
      const { id: won } = await pass({ endDate: at(10) });
      const { id: lost } = await pass({ endDate: at(9) });
      for (const one of [won, lost]) {
        const { id } = await level(one, 1, [careful]);
        await unlock(one);
        await activate(id);
      }
      later(10);
      while ((await game.players.applyTime(100)) > 0);
      expect(await levels(won)).toEqual(['completed 0']);
      expect(await levels(lost)).toEqual(['activated 0']);
    });

    it('announce their end once, and again when they were opened again', async () => {
      const { id } = await pass({ endDate: at(10) });
      expect(await eventsOf('battlepass.expired')).toEqual([]);
      later(10);
      await Promise.all([game.passes.expiry.announce(100), game.passes.expiry.announce(100)]);
      await game.passes.expiry.announce(100);
      expect(await eventsOf('battlepass.expired')).toHaveLength(1);
      await game.passes.configuration.update(game.projectId, id, { endDate: at(20) });
      later(10);
      await game.passes.expiry.announce(100);
      expect(await eventsOf('battlepass.expired')).toHaveLength(2);
    });

    describe('two challenges on one event whose counting differs are not active together', () => {
      const total = { ...killThree, counting: 'total' as const };

      it('within a pass: refused when configured', async () => {
        const { id } = await pass();
        const { id: first } = await level(id, 1);
        await expect(level(id, 2, [total])).rejects.toMatchObject({ code: 'counting_conflict', status: 409 });
        const add = game.passes.levels.addChallenge(game.projectId, first, CreateLevelChallengeRequest.parse(total));
        await expect(add).rejects.toMatchObject({ code: 'counting_conflict' });
        expect(await game.passes.levels.challenges(game.projectId, first)).toHaveLength(1);
      });

      it('beside a challenge: the second activation is refused, whichever it is', async () => {
        const { id } = await pass();
        const { id: first } = await level(id, 1);
        const alone = await game.create({ ...killThree, counting: 'total' });
        await unlock(id);
        await game.begin('u1', alone.id);
        await expect(activate(first)).rejects.toMatchObject({ code: 'counting_conflict' });
        expect(await levels(id)).toEqual(['locked 0']);
        await game.players.act(game.player('u1'), alone.id, 'cancel', () => {});
        await activate(first);
        const again = game.begin('u1', alone.id);
        await expect(again).rejects.toMatchObject({ code: 'counting_conflict' });
      });

      it('a level that would conflict is not activated by itself until nothing stands against it', async () => {
        const { id } = await pass();
        const { id: first } = await level(id, 1, [{ ...killThree, eventName: 'earn-points' }]);
        await level(id, 2);
        const alone = await game.create({ ...killThree, goal: 100, counting: 'total' });
        await unlock(id);
        await activate(first);
        await game.begin('u1', alone.id);
        await game.intake.submit(
          game.backEnd,
          { user_id: 'u1', event_name: 'earn-points', meta_data: { amount: 3 } },
          null,
        );
        expect(await levels(id)).toEqual(['completed 3', 'locked 0']);
        await game.players.act(game.player('u1'), alone.id, 'cancel', () => {});
        expect(await levels(id)).toEqual(['completed 3', 'activated 0']);
      });
    });

    describe('configuration', () => {
      it.each([['an end before the start', { startDate: at(10), endDate: at(10) }, 'body.endDate']])(
        'refuses %s',
        async (_, more, path) => {
          await expect(pass(more)).rejects.toMatchObject({ code: 'validation_failed', details: [{ path }] });
          const { id } = await pass({ startDate: at(10) });
          const change = game.passes.configuration.update(game.projectId, id, { endDate: at(5) });
          await expect(change).rejects.toMatchObject({ code: 'validation_failed', details: [{ path }] });
          expect((await game.passes.configuration.get(game.projectId, id)).endDate).toBeNull();
        },
      );

      it('refuses two levels in one place, also at the same time', async () => {
        const { id } = await pass();
        const refusal = { code: 'validation_failed', details: [{ path: 'body.position' }] };
        const results = await Promise.allSettled([level(id, 1), level(id, 1)]);
        expect(results.find((result) => result.status === 'rejected')).toMatchObject({ reason: refusal });
        const second = await level(id, 2);
        const key = { projectId: game.projectId, id, levelId: second.id };
        await expect(game.passes.levels.update(key, { position: 1 })).rejects.toMatchObject(refusal);
      });

      it('names the challenge of a level that is wrong, and stores nothing of the level', async () => {
        const { id } = await pass();
        const wrong = level(id, 1, [killThree, { ...killThree, countProperty: 'map_name' }]);
        const details = [{ path: 'body.challenges.1.countProperty' }];
        await expect(wrong).rejects.toMatchObject({ code: 'validation_failed', details });
        const page = { limit: 10, offset: 0 };
        expect(await game.passes.levels.list(game.projectId, id, page)).toMatchObject({ levels: [], total: 0 });
      });

      it('keeps passes of other projects out of reach', async () => {
        const { id } = await pass();
        const { id: levelId } = await level(id, 1);
        const other = await openGame(opened.database);
        const { configuration, levels: ofOther } = other.passes;
        const key = { projectId: other.projectId, id, levelId };
        await expect(configuration.get(other.projectId, id)).rejects.toMatchObject({ code: 'battle_pass_not_found' });
        await expect(ofOther.get(key)).rejects.toMatchObject({ code: 'battle_pass_not_found' });
        await expect(ofOther.challenges(other.projectId, levelId)).rejects.toMatchObject({ status: 404 });
        await expect(other.passes.players.unlock(other.player('u1'), id, free)).rejects.toMatchObject({ status: 404 });
      });

      it('moves players on under the new rules: an added challenge begins, a deleted one completes', async () => {
        const { id } = await pass();
        const first = await level(id, 1);
        await level(id, 2);
        await unlock(id);
        await activate(first.id);
        const points = CreateLevelChallengeRequest.parse({ name: 'Points', eventName: 'earn-points', goal: 3 });
        const added = await game.passes.levels.addChallenge(game.projectId, first.id, points);
        expect(await levels(id)).toEqual(['activated 0 0', 'locked 0']);
        await game.kill('u1', 3);
        expect(await levels(id)).toEqual(['activated 3 0', 'locked 0']);
        await game.passes.levels.deleteChallenge(game.projectId, first.id, added.id);
        expect(await levels(id)).toEqual(['completed 3', 'activated 0']);
      });

      it('keeps challenges of levels apart from challenges that stand alone', async () => {
        const { id } = await pass();
        const { challenges } = await level(id, 1);
        const challengeId = challenges[0]?.id ?? '';
        await expect(game.configuration.get(game.projectId, challengeId)).rejects.toMatchObject({ status: 404 });
        const page = { limit: 10, offset: 0 };
        expect(await game.configuration.list(game.projectId, page)).toMatchObject({ challenges: [], total: 0 });
        await expect(game.begin('u1', challengeId)).rejects.toMatchObject({ code: 'challenge_not_found' });
        await expect(game.configuration.delete(game.projectId, challengeId)).rejects.toMatchObject({ status: 404 });
      });
    });

    it('take the progress of a player with an erased person, also in a deleted pass', async () => {
      const rows = async () => {
        const where = { projectId: game.projectId };
        const { playerBattlePass, playerBattlePassLevel, playerChallenge } = opened.database.read;
        return Promise.all([
          playerBattlePass.count({ where }),
          playerBattlePassLevel.count({ where }),
          playerChallenge.count({ where }),
        ]);
      };
      const { id } = await pass();
      const { id: first } = await level(id, 1);
      for (const user of ['u1', 'u2']) {
        await unlock(id, user);
        await activate(first, user);
      }
      await game.passes.configuration.delete(game.projectId, id);
      expect(await rows()).toEqual([2, 2, 2]);
      const u1 = { id: uuidv7(), externalUserId: 'u1', displayName: 'u1', heldIds: [], aheadTo: 0n };
      await opened.database.transaction(async (tx) =>
        personErasure(opened.database).beforeLog?.(tx, game.projectId, u1),
      );
      expect(await rows()).toEqual([1, 1, 1]);
    });

    it('start from the beginning after a reset, with a message for what is undone', async () => {
      const { id } = await pass();
      const { id: first } = await level(id, 1);
      await unlock(id);
      await activate(first);
      await game.kill('u1', 3);
      await game.passes.players.reset(game.player('u1'), id);
      expect(await levels(id)).toEqual(['locked 0']);
      expect(await eventsOf('battlepass.challenge.changed')).toHaveLength(3);
      await expect(claim(first)).rejects.toMatchObject({ code: 'action_not_possible' });
      await unlock(id);
      await activate(first);
      expect(await levels(id)).toEqual(['activated 0']);
    });
  });
});
