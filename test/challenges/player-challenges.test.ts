import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/database.js';
import { type Game, minute, openGame, start } from '../support/game.js';

describe.each(databases)('challenges of players on $name', ({ open, here }) => {
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

    const killThree = { name: 'Kill three', eventName: 'kill-enemy', goal: 3 };
    const act = (challengeId: string, action: 'unlock' | 'activate' | 'cancel' | 'claim' | 'reset', userId = 'u1') =>
      game.players.act(game.player(userId), challengeId, action, (found) => found);
    const later = (minutes: number) => {
      game.time.now += minutes * minute;
    };

    it('go their way and announce every step to their player alone', async () => {
      const { id } = await game.create(killThree);
      await game.begin('u1', id);
      await game.kill('u1', 3);
      expect((await act(id, 'claim')).announced.state).toBe('finished');
      expect(await game.announced('u1')).toEqual(['unlocked 0', 'in-progress 0', 'unclaimed 3', 'finished 3']);
      expect(await game.announced('u2')).toEqual([]);
      await expect(act(id, 'unlock')).rejects.toMatchObject({ code: 'action_not_possible', status: 402 });
      await expect(act(id, 'claim')).rejects.toMatchObject({ message: 'The reward was already claimed.' });
    });

    it('tell who is concerned, so that an erasure finds the events', async () => {
      const { id } = await game.create(killThree);
      await act(id, 'unlock');
      const where = { projectId: game.projectId, subjectUserId: 'u1' };
      expect(await opened.database.read.domainEvent.count({ where })).toBe(1);
    });

    it('give one of two simultaneous claims the reward', async () => {
      const { id } = await game.create(killThree);
      await game.begin('u1', id);
      await game.kill('u1', 3);
      const results = await Promise.allSettled([act(id, 'claim'), act(id, 'claim')]);
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect((await game.announced('u1')).filter((line) => line.startsWith('finished'))).toHaveLength(1);
    });

    it('count in a round that is over what happened in it, although reading began the next one', async () => {
      const daily = { range: 'd', atTime: '00:30', timeZone: 'UTC' } as const;
      const { id } = await game.create({
        ...{ name: 'Kill seven', eventName: 'kill-enemy', goal: 7 },
        ...{ autoActivated: true, resetPeriod: daily, lateMinutes: 60 },
      });
      const shown = () => game.progress('u1', id);
      const killAt = async (amount: number, minutes: number) => {
        const occurred_at = new Date(start + minutes * minute).toISOString();
        await game.kill('u1', amount, { occurred_at });
      };
      expect(await shown()).toEqual({ state: 'in-progress', counter: 0 });
      await game.kill('u1', 3);
      later(40);
      expect(await shown()).toEqual({ state: 'in-progress', counter: 0 });
      later(5);
      await killAt(2, 42);
      await killAt(3, 10);
      expect(await shown()).toEqual({ state: 'in-progress', counter: 2 });
      await game.kill('u1', 4);
      await killAt(1, 20);
      expect(await shown()).toEqual({ state: 'unclaimed', counter: 7 });
      await act(id, 'claim');
      expect(await shown()).toEqual({ state: 'in-progress', counter: 6 });
      await game.kill('u1');
      expect(await shown()).toEqual({ state: 'unclaimed', counter: 7 });
      await act(id, 'claim');
      later(60);
      await killAt(7, 25);
      expect(await shown()).toEqual({ state: 'finished', counter: 7 });
      expect(await game.announced('u1')).toEqual(
        'unlocked 0|in-progress 0|in-progress 3|unlock 0|unlocked 0|in-progress 0|in-progress 2|in-progress 6|unclaimed 7|finished 7|unclaimed 7|finished 7'.split(
          '|',
        ),
      );
    });

    it('start from zero after a cancel and after a reset', async () => {
      const { id } = await game.create(killThree);
      await game.begin('u1', id);
      await game.kill('u1', 2);
      await act(id, 'cancel');
      await game.begin('u1', id);
      expect(await game.progress('u1', id)).toEqual({ state: 'in-progress', counter: 0 });
      await expect(act(id, 'claim')).rejects.toMatchObject({ message: 'The goal is not reached yet.' });
      await game.kill('u1', 3);
      await expect(act(id, 'cancel')).rejects.toMatchObject({ code: 'action_not_possible' });
      await act(id, 'reset');
      expect(await game.progress('u1', id)).toEqual({ state: 'unlock', counter: 0 });
    });

    it('are lost when their time is up, announced as lost and listed as unlock', async () => {
      const { id } = await game.create({ ...killThree, durationMinutes: 10 });
      await game.begin('u1', id);
      await game.kill('u1', 2);
      later(10);
      expect(await game.progress('u1', id)).toEqual({ state: 'unlock', counter: 0 });
      expect(await game.players.applyTime(100)).toBe(1);
      expect((await game.announced('u1')).slice(2)).toEqual(['in-progress 2', 'lost 2']);
      expect(await game.players.applyTime(100)).toBe(0);
    });

    it('do not count an event that comes after the end, whether anybody noticed the end or not', async () => {
      const { id } = await game.create({ ...killThree, durationMinutes: 10 });
      await game.begin('u1', id);
      later(10);
      await game.kill('u1', 3);
      expect((await game.announced('u1')).slice(2)).toEqual(['lost 0']);
      expect(await game.players.applyTime(100)).toBe(0);
    });

    it('are won by staying below the goal, with goal condition 1', async () => {
      const { id } = await game.create({ ...killThree, goalCondition: 1, durationMinutes: 10 });
      for (const user of ['careful', 'careless']) await game.begin(user, id);
      await game.kill('careful', 2);
      await game.kill('careless', 3);
      later(10);
      await game.players.applyTime(100);
      expect((await game.announced('careful')).at(-1)).toBe('unclaimed 2');
      expect((await game.announced('careless')).at(-1)).toBe('lost 3');
    });

    it('begin anew with each reset period', async () => {
      const resetPeriod = { range: 'd', atTime: '00:30' } as const;
      const { id } = await game.create({ ...killThree, resetPeriod });
      await game.begin('u1', id);
      await game.kill('u1', 3);
      await act(id, 'claim');
      later(29);
      expect(await game.progress('u1', id)).toEqual({ state: 'finished', counter: 3 });
      later(1);
      expect(await game.progress('u1', id)).toEqual({ state: 'unlock', counter: 0 });
      await game.players.applyTime(100);
      expect((await game.announced('u1')).at(-1)).toBe('unlock 0');
    });

    it('activate themselves at the first read when they are configured so, and only then', async () => {
      const { id } = await game.create({ ...killThree, autoActivated: true });
      await game.kill('u1');
      expect(await game.players.ofPlayer(game.player('u1'))).toMatchObject([{ progress: { state: 'unlock' } }]);
      await Promise.all([game.players.list(game.player('u1')), game.players.list(game.player('u1'))]);
      await game.kill('u1');
      expect(await game.progress('u1', id)).toEqual({ state: 'in-progress', counter: 1 });
      expect(await game.announced('u1')).toEqual(['unlocked 0', 'in-progress 0', 'in-progress 1']);
    });

    it('stay hidden and locked before their live date', async () => {
      const { id } = await game.create({ ...killThree, liveDate: '2026-01-01T01:00:00+00:30' });
      await expect(game.players.find(game.player('u1'), id)).rejects.toMatchObject({ code: 'challenge_not_found' });
      await expect(act(id, 'unlock')).rejects.toMatchObject({ code: 'action_not_possible' });
      later(30);
      await act(id, 'unlock');
    });

    describe('rule 4: two challenges on one event whose counting differs cannot both be active for one user', () => {
      it('refuses the second activation while the first is in progress', async () => {
        const session = await game.create(killThree);
        const total = await game.create({ ...killThree, counting: 'total' });
        await game.begin('u1', session.id);
        await act(total.id, 'unlock');
        await expect(act(total.id, 'activate')).rejects.toMatchObject({ code: 'counting_conflict', status: 409 });
        await game.begin('u2', total.id);
        await act(session.id, 'cancel');
        await act(total.id, 'activate');
      });

      it('refuses to configure two auto-activated ones, also by a change', async () => {
        await game.create({ ...killThree, autoActivated: true });
        const other = { ...killThree, counting: 'total', autoActivated: true } as const;
        await expect(game.create(other)).rejects.toMatchObject({ code: 'counting_conflict' });
        const { id } = await game.create({ ...other, autoActivated: false });
        const change = game.configuration.update(game.projectId, id, { autoActivated: true });
        await expect(change).rejects.toMatchObject({ code: 'counting_conflict' });
      });

      it('leaves an auto-activated one locked while a player has the other one in progress', async () => {
        const manual = await game.create(killThree);
        await game.begin('u1', manual.id);
        const auto = await game.create({ ...killThree, counting: 'total', autoActivated: true });
        expect(await game.progress('u1', auto.id)).toEqual({ state: 'unlock', counter: 0 });
        await act(manual.id, 'cancel');
        expect(await game.progress('u1', auto.id)).toEqual({ state: 'in-progress', counter: 0 });
      });
    });

    describe('configuration', () => {
      it.each([
        [
          'a condition on a property that the event does not have',
          { metadataConditions: [{ key: 'score', values: [1] }] },
          'body.metadataConditions.0.key',
        ],
        ['a count of a text', { countProperty: 'map_name' }, 'body.countProperty'],
        ['staying below a goal for ever', { goalCondition: 1 as const }, 'body.durationMinutes'],
      ])('refuses %s', async (_, more, path) => {
        const refusal = { code: 'validation_failed', details: [{ path }] };
        await expect(game.create({ ...killThree, ...more })).rejects.toMatchObject(refusal);
      });

      it('puts a challenge without a category into one made for it, and keeps a category that is in use', async () => {
        const first = await game.create(killThree);
        const second = await game.create(killThree);
        expect(second.categoryId).toBe(first.categoryId);
        const remove = () => game.configuration.deleteCategory(game.projectId, first.categoryId);
        await expect(remove()).rejects.toMatchObject({ code: 'challenge_category_in_use', status: 409 });
        for (const { id } of [first, second]) await game.configuration.delete(game.projectId, id);
        await remove();
        await expect(remove()).rejects.toMatchObject({ code: 'challenge_category_not_found' });
      });

      it('keeps slugs apart, within a project', async () => {
        const category = { name: { en: 'Daily' }, slug: 'daily', position: 0, isDaily: true };
        await game.configuration.createCategory(game.projectId, category);
        const again = game.configuration.createCategory(game.projectId, category);
        await expect(again).rejects.toMatchObject({ code: 'challenge_category_slug_taken', status: 409 });
        const other = await openGame(opened.database);
        await other.configuration.createCategory(other.projectId, category);
      });

      it('changes what is sent, clears what is null, and leaves the rest', async () => {
        const before = await game.create({
          ...killThree,
          reward: 'sword',
          xp: 5,
          liveDate: '2026-01-01T02:00:00+02:00',
        });
        expect(before.liveDate).toBe('2026-01-01T00:00:00.000Z');
        later(1);
        const after = await game.configuration.update(game.projectId, before.id, { reward: null, goal: 9 });
        expect(after).toEqual({ ...before, reward: null, goal: 9, updatedAt: '2026-01-01T00:01:00.000Z' });
        expect(await game.configuration.get(game.projectId, before.id)).toEqual(after);
      });

      it('counts nothing more in a deleted challenge', async () => {
        const { id } = await game.create(killThree);
        await game.begin('u1', id);
        await game.configuration.delete(game.projectId, id);
        await game.kill('u1');
        const kept = await opened.database.read.playerChallenge.findMany({ where: { challengeId: id } });
        expect(kept).toMatchObject([{ counter: 0n }]);
      });

      it('goes with its project', async () => {
        const { id } = await game.create(killThree);
        await game.begin('u1', id);
        await game.kill('u1');
        await opened.database.transaction((tx) => tx.project.delete({ where: { id: game.projectId } }));
        expect(await opened.database.read.gameEvent.count({ where: { projectId: game.projectId } })).toBe(0);
      });
    });
  });
});
