import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databases, type TestDatabase } from '../support/database.js';
import { type Game, openGame } from '../support/game.js';

describe.each(databases)('intake of game events on $name', ({ open, here }) => {
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
    const storedEvents = () => opened.database.read.gameEvent.findMany({ where: { projectId: game.projectId } });

    it('stores the event with the properties that it defines', async () => {
      const meta_data = { amount: 2, map_name: 'woods', colour: 'red' };
      await game.kill('u1', 2, { meta_data, team_id: 't1', session_id: 'm1' });
      const [row] = await storedEvents();
      expect(row).toMatchObject({
        userId: 'u1',
        teamId: 't1',
        eventName: 'kill-enemy',
        eventType: 'single',
        sessionId: 'm1',
        amount: 2n,
        createdAt: new Date(game.time.now),
      });
      expect(JSON.parse(row?.metaData ?? '')).toEqual({ amount: 2, map_name: 'woods' });
    });

    it('moves a challenge in progress and announces every step: three events, the last one unclaimed', async () => {
      const { id } = await game.create(killThree);
      await game.begin('u1', id);
      for (let kills = 0; kills < 3; kills += 1) await game.kill('u1');
      expect(await game.progress('u1', id)).toEqual({ state: 'unclaimed', counter: 3 });
      expect((await game.announced('u1')).slice(2)).toEqual(['in-progress 1', 'in-progress 2', 'unclaimed 3']);
    });

    it('does the same with events that arrive in the same moment', async () => {
      const { id } = await game.create({ ...killThree, goal: 1000 });
      const users = ['u1', 'u2', 'u3'];
      for (const user of users) await game.begin(user, id);
      await Promise.all(Array.from({ length: 300 }, (_, index) => game.kill(users[index % 3] ?? '')));
      for (const user of users) {
        expect(await game.progress(user, id)).toEqual({ state: 'in-progress', counter: 100 });
        expect((await game.announced(user)).slice(2)).toEqual(
          Array.from({ length: 100 }, (_, index) => `in-progress ${index + 1}`),
        );
      }
      expect(await storedEvents()).toHaveLength(300);
    });

    it('counts beyond what is shown of a counter, and back', async () => {
      const far = -Number.MAX_SAFE_INTEGER;
      const { id } = await game.create({ name: 'Left', eventName: 'defeat-boss', countProperty: 'health', goal: 9 });
      await game.begin('u1', id);
      const send = (health: number) => game.kill('u1', 1, { event_name: 'defeat-boss', meta_data: { health } });
      for (const health of [far, far, -2]) await send(health);
      expect(await game.progress('u1', id)).toEqual({ state: 'in-progress', counter: far });
      for (const health of [-far, -far, 10]) await send(health);
      expect(await game.progress('u1', id)).toEqual({ state: 'in-progress', counter: 8 });
    });

    it('counts only what is in progress, and only for its player', async () => {
      const { id } = await game.create(killThree);
      await game.players.act(game.player('u1'), id, 'unlock', () => {});
      await game.kill('u1');
      await game.kill('u2');
      expect(await game.progress('u1', id)).toEqual({ state: 'unlocked', counter: 0 });
      expect(await game.progress('u2', id)).toEqual({ state: 'unlock', counter: 0 });
    });

    it('restarts per-session counters with another session, and leaves totals alone', async () => {
      const session = await game.create({ ...killThree, goal: 10 });
      const total = await game.create({ ...killThree, goal: 10, counting: 'total', eventName: 'instant-kill' });
      await game.begin('u1', session.id);
      await game.begin('u1', total.id);
      for (const session_id of ['a', 'a', 'b']) {
        await game.kill('u1', 1, { session_id });
        await game.kill('u1', 1, { session_id, event_name: 'instant-kill' });
      }
      expect(await game.progress('u1', session.id)).toEqual({ state: 'in-progress', counter: 1 });
      expect(await game.progress('u1', total.id)).toEqual({ state: 'in-progress', counter: 3 });
    });

    it('counts by condition and by another property', async () => {
      const { id } = await game.create({
        ...killThree,
        eventName: 'perform-jump',
        countProperty: 'score',
        goal: 100,
        metadataConditions: [{ key: 'time_condition', values: ['night'] }],
      });
      await game.begin('u1', id);
      const jump = (meta_data: Record<string, unknown>) =>
        game.kill('u1', 0, { event_name: 'perform-jump', meta_data });
      await jump({ distance: 5, score: 7, time_condition: 'night' });
      await jump({ distance: 5, score: 7, time_condition: 'day' });
      await jump({ distance: 5, time_condition: 'night' });
      expect(await game.progress('u1', id)).toEqual({ state: 'in-progress', counter: 7 });
      expect((await game.announced('u1')).slice(2)).toEqual(['in-progress 7']);
    });

    it('takes a changed challenge at once', async () => {
      const { id } = await game.create(killThree);
      await game.begin('u1', id);
      await game.kill('u1');
      await game.configuration.update(game.projectId, id, { goal: 2 });
      await game.kill('u1');
      expect(await game.progress('u1', id)).toEqual({ state: 'unclaimed', counter: 2 });
    });

    it('finishes a challenge whose goal was lowered with the next event that counts, also a group event of the same value', async () => {
      const { id } = await game.create({ ...killThree, goal: 10 });
      await game.begin('u1', id);
      await game.kill('u1', 4, { event_type: 'group' });
      await game.configuration.update(game.projectId, id, { goal: 4 });
      expect(await game.progress('u1', id)).toEqual({ state: 'in-progress', counter: 4 });
      await game.kill('u1', 4, { event_type: 'group' });
      expect(await game.progress('u1', id)).toEqual({ state: 'unclaimed', counter: 4 });
    });

    it('gives an event with a known idempotency key no second effect, in one batch or later', async () => {
      const { id } = await game.create({ ...killThree, goal: 10 });
      await game.begin('u1', id);
      await Promise.all([game.kill('u1', 1, {}, 'k1'), game.kill('u1', 1, {}, 'k1'), game.kill('u1', 1, {}, 'k2')]);
      await game.kill('u1', 1, {}, 'k1');
      expect(await game.progress('u1', id)).toEqual({ state: 'in-progress', counter: 2 });
      expect(await storedEvents()).toHaveLength(2);
    });

    it('answers for one event of a batch that fails unexpectedly, and for the batch only where all do', async () => {
      const { sqlite, postgresql } = {
        sqlite: [
          `CREATE TRIGGER "fault" BEFORE INSERT ON "GameEvent" WHEN NEW."userId" LIKE 'bad%'
            BEGIN SELECT RAISE(ABORT, 'a fault'); END`,
        ],
        postgresql: [
          `CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'a fault'; END $$`,
          `CREATE TRIGGER "fault" BEFORE INSERT ON "GameEvent" FOR EACH ROW WHEN (NEW."userId" LIKE 'bad%')
            EXECUTE FUNCTION fault()`,
        ],
      };
      await opened.database.transaction(async (tx) => {
        for (const text of opened.database.dialect === 'sqlite' ? sqlite : postgresql) await tx.$executeRawUnsafe(text);
      });
      const batch = (...users: string[]) =>
        game.intake.submitAll(
          game.backEnd,
          users.map((user_id) => ({ user_id, event_name: 'match-start' })),
          null,
        );
      const codes = (await batch('u1', 'bad', 'u2', '')).map(({ refusal }) => refusal?.code ?? null);
      expect(codes).toEqual([null, 'internal', null, 'game_event_invalid']);
      expect((await storedEvents()).map(({ userId }) => userId).sort()).toEqual(['u1', 'u2']);
      await expect(batch('bad', 'bad 2')).rejects.toThrow('a fault');
      await opened.database.transaction((tx) =>
        tx.$executeRawUnsafe(`DROP TRIGGER "fault"${opened.database.dialect === 'sqlite' ? '' : ' ON "GameEvent"'}`),
      );
    });

    it('keeps the keys of one credential apart from those of another', async () => {
      const send = (playerId: string) =>
        game.intake.submit({ ...game.backEnd, keyScope: playerId, playerId }, { event_name: 'match-start' }, 'same');
      await Promise.all([send('u1'), send('u2')]);
      expect((await storedEvents()).map(({ userId }) => userId).sort()).toEqual(['u1', 'u2']);
    });

    it('lets a bad event fail alone', async () => {
      const results = await Promise.allSettled([
        game.kill('u1'),
        game.kill('u1', -1),
        game.kill('u1', 1, { event_name: 'no-such-event' }),
        // a project that is gone by the time of the commit spoils the whole batch once
        game.intake.submit({ ...game.backEnd, projectId: 'gone', playerId: 'u1' }, { event_name: 'match-start' }, null),
        game.kill('u2'),
      ]);
      expect(results.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
        'rejected',
        'fulfilled',
      ]);
      expect(results[1]).toMatchObject({
        reason: { code: 'game_event_invalid', details: [{ path: 'meta_data.amount' }] },
      });
      expect(results[2]).toMatchObject({ reason: { code: 'unknown_event', status: 404 } });
      expect((await storedEvents()).map(({ userId }) => userId).sort()).toEqual(['u1', 'u2']);
    });

    it('answers each event of a batch for itself', async () => {
      const outcomes = await game.intake.submitAll(
        game.backEnd,
        [
          { user_id: 'u1', event_name: 'kill-enemy', meta_data: { amount: 1 } },
          { user_id: 'u1', event_name: 'kill-enemy', meta_data: {} },
          { event_name: 'match-start' },
          'not an event',
          { user_id: 'u1', event_name: 'match-start', metadata: {} },
        ],
        'batch-1',
      );
      expect(outcomes.map(({ refusal }) => refusal?.details?.map(({ path }) => path) ?? null)).toEqual([
        null,
        ['meta_data.amount'],
        ['user_id'],
        [''],
        null,
      ]);
      expect(await storedEvents()).toHaveLength(2);
    });

    it('takes the user from a player token and refuses another one beside it', async () => {
      const by = { ...game.backEnd, keyScope: 'u1', playerId: 'u1' };
      await game.intake.submit(by, { event_name: 'match-start' }, null);
      await game.intake.submit(by, { event_name: 'match-start', user_id: 'u1' }, null);
      await expect(game.intake.submit(by, { event_name: 'match-start', user_id: 'u2' }, null)).rejects.toMatchObject({
        code: 'user_mismatch',
        status: 400,
      });
    });

    it('refuses what passes the limits of a second', async () => {
      const limited = await openGame(opened.database, {
        requestsPerSecond: 2,
        eventsPerSecond: 3,
        eventsPerSecondByPlayer: 0,
      });
      const batch = (size: number) =>
        limited.intake.submitAll(
          limited.backEnd,
          Array.from({ length: size }, () => ({ user_id: 'u1', event_name: 'match-start' })),
          null,
        );
      await batch(2);
      await expect(batch(2)).rejects.toMatchObject({ code: 'rate_limited', status: 429 });
      await sleep(1_000);
      await batch(3);
      await sleep(1_000);
      await limited.kill('u1');
      await limited.kill('u1');
      await expect(limited.kill('u1')).rejects.toMatchObject({ code: 'rate_limited' });
    });

    it('refuses what passes the limit of a player, who uses up nothing of the project', async () => {
      const limited = await openGame(opened.database, {
        requestsPerSecond: 4,
        eventsPerSecond: 4,
        eventsPerSecondByPlayer: 2,
      });
      const send = (playerId: string) =>
        limited.intake.submit(
          { ...limited.backEnd, keyScope: playerId, playerId },
          { event_name: 'match-start' },
          null,
        );
      await Promise.all([send('u1'), send('u1')]);
      for (let refused = 0; refused < 9; refused += 1)
        await expect(send('u1')).rejects.toMatchObject({ code: 'rate_limited' });
      await Promise.all([send('u2'), limited.kill('u1')]);
      await expect(limited.kill('u1')).rejects.toMatchObject({ code: 'rate_limited' });
      await sleep(1_000);
      await send('u1');
    });
  });
});
