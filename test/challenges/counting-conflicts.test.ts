/** One event is counted in one way for a player, whatever is changed, restored or moved while challenges are in progress. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { battlePassLevelRoutes, levelChallengeRoutes } from '../../src/contract/gameplay/battle-pass-levels.js';
import { battlePassProgressRoutes } from '../../src/contract/gameplay/battle-pass-progress.js';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { deletionRoutes } from '../../src/contract/gameplay/deletions.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { seasonRoutes } from '../../src/contract/gameplay/season-routes.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { eventually } from '../support/eventually.js';
import { scale } from '../support/scale.js';

const rounds = scale(40, 400);

type Counting = 'total' | 'per-session';

describeDaemonsOnEachDatabase('two ways of counting one event', (start, database) => {
  let daemon: TestDaemon;
  let now = Date.parse('2026-03-01T10:00:00.000Z');
  beforeAll(async () => {
    daemon = await start({ now: () => new Date(now) });
  });
  afterAll(() => daemon.stop());

  const project = () => ({ projectId: daemon.projectId });
  const create = async (eventName: string, counting: Counting) => {
    const body = { name: `${eventName} ${counting}`, eventName, goal: 10, counting };
    return (await daemon.client.call(challengeRoutes.create, { params: project(), body })).id;
  };
  const begin = async (userId: string, id: string) => {
    for (const step of ['unlock', 'activate'] as const)
      await daemon.client.call(playerRoutes[step], { params: { ...project(), userId, id } });
  };
  const change = (id: string, counting: Counting) =>
    daemon.client.call(challengeRoutes.update, { params: { ...project(), id }, body: { counting } });
  const conflict = { status: 409, code: 'counting_conflict' };

  it('is refused in a change of a challenge and of a season while a player has both in progress', async () => {
    const [one, other] = [await create('kill-enemy', 'total'), await create('kill-enemy', 'total')];
    for (const id of [one, other]) await begin('ann', id);
    await expect(change(one, 'per-session')).rejects.toMatchObject(conflict);
    const { season } = await daemon.client.call(seasonRoutes.get, { params: project() });
    const [first, ...rest] = season.challenges;
    if (first === undefined) throw new Error('The season has no challenge.');
    const changed = { ...season, challenges: [{ ...first, counting: 'per-session' as const }, ...rest] };
    const apply = { params: project(), body: { season: changed, force: true } };
    await expect(daemon.client.call(seasonRoutes.apply, apply)).rejects.toMatchObject(conflict);
    await daemon.client.call(playerRoutes.cancel, { params: { ...project(), userId: 'ann', id: other } });
    expect(await change(one, 'per-session')).toMatchObject({ counting: 'per-session' });
  });

  it('is refused where a deleted challenge would come back beside another one', async () => {
    const deleted = await create('earn-points', 'total');
    await begin('ben', deleted);
    await daemon.client.call(challengeRoutes.delete, { params: { ...project(), id: deleted } });
    const other = await create('earn-points', 'per-session');
    await begin('ben', other);
    const undo = () => daemon.client.call(deletionRoutes.undo, { params: { ...project(), id: deleted } });
    await expect(undo()).rejects.toMatchObject({ status: 409, code: 'deletion_conflict' });
    await daemon.client.call(playerRoutes.cancel, { params: { ...project(), userId: 'ben', id: other } });
    expect(await undo()).toMatchObject({ count: 1 });
  });

  it('is refused in a challenge of a level, and where a pass that has ended would go on', async () => {
    const endDate = new Date(now + 60_000).toISOString();
    const pass = await daemon.client.call(battlePassRoutes.create, {
      params: project(),
      body: { name: 'Winter', endDate },
    });
    const challenge = { name: 'Traps', eventName: 'craft-item', goal: 5, counting: 'total' as const };
    const level = await daemon.client.call(battlePassLevelRoutes.create, {
      params: { ...project(), id: pass.id },
      body: { position: 1, challenges: [challenge] },
    });
    const [inLevel] = level.challenges;
    const player = { ...project(), userId: 'cem' };
    await daemon.client.call(battlePassProgressRoutes.unlock, { params: { ...player, id: pass.id } });
    await daemon.client.call(battlePassProgressRoutes.activateLevel, { params: { ...player, id: level.id } });
    const alone = await create('craft-item', 'total');
    await begin('cem', alone);
    const { update } = levelChallengeRoutes;
    const path = { ...project(), levelId: level.id, id: inLevel?.id ?? '' };
    const perSession = { counting: 'per-session' } as const;
    await expect(daemon.client.call(update, { params: path, body: perSession })).rejects.toMatchObject(conflict);
    now += 120_000;
    expect(await change(alone, 'per-session')).toMatchObject(perSession);
    const goOn = { params: { ...project(), id: pass.id }, body: { endDate: null } };
    await expect(daemon.client.call(battlePassRoutes.update, goOn)).rejects.toMatchObject(conflict);
  });

  it('stays refused while players begin challenges beside the change', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const [one, other] = [await create('defeat-boss', 'total'), await create('defeat-boss', 'total')];
      const player = `dia-${round}`;
      await begin(player, one);
      await daemon.client.call(playerRoutes.unlock, { params: { ...project(), userId: player, id: other } });
      const activation = daemon.client.call(playerRoutes.activate, {
        params: { ...project(), userId: player, id: other },
      });
      const done = await Promise.allSettled([activation, change(one, 'per-session')]);
      expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const id of [one, other]) await daemon.client.call(challengeRoutes.delete, { params: { ...project(), id } });
    }
  });

  it('stays refused while events begin the next level of a pass beside the change', async () => {
    const pass = await daemon.client.call(battlePassRoutes.create, { params: project(), body: { name: 'Summer' } });
    const inLevels = [
      { name: 'First', eventName: 'match-start' },
      { name: 'Second', eventName: 'match-finish' },
    ];
    const levels = [];
    for (const [index, challenge] of inLevels.entries()) {
      const challenges = [{ ...challenge, goal: 1 + index * 9, counting: 'total' as const }];
      const body = { position: index + 1, challenges };
      levels.push(
        await daemon.client.call(battlePassLevelRoutes.create, { params: { ...project(), id: pass.id }, body }),
      );
    }
    for (let round = 0; round < rounds; round += 1) {
      const alone = await create('match-finish', 'total');
      const player = { ...project(), userId: `fay-${round}` };
      await begin(player.userId, alone);
      await daemon.client.call(battlePassProgressRoutes.unlock, { params: { ...player, id: pass.id } });
      await daemon.client.call(battlePassProgressRoutes.activateLevel, {
        params: { ...player, id: levels[0]?.id ?? '' },
      });
      const body = { event_name: 'match-start', event_type: 'single' as const };
      const [event, changing] = await Promise.allSettled([
        daemon.client.call(playerRoutes.sendEvent, { params: player, body }),
        change(alone, 'per-session'),
      ]);
      const { battlePasses } = await daemon.client.call(playerRoutes.get, { params: player });
      const second = battlePasses[0]?.levels.find(({ position }) => position === 2)?.challenges[0]?.state;
      const isBegun = second === 'in-progress';
      const refused = changing.status === 'rejected';
      expect({ round, event: event.status, isBegun }).toEqual({ round, event: 'fulfilled', isBegun: refused });
      await daemon.client.call(challengeRoutes.delete, { params: { ...project(), id: alone } });
    }
  });

  it('waits for a change before rows of players are locked, whoever waits', async () => {
    if (database === 'SQLite') return; // it has no locks of rows
    const pass = await daemon.client.call(battlePassRoutes.create, { params: project(), body: { name: 'Autumn' } });
    const inLevel = { name: 'Fish', eventName: 'match-start', goal: 1 };
    const timed = { name: 'Still', eventName: 'match-finish', goal: 5, goalCondition: 1 as const, durationMinutes: 1 };
    const body = { position: 1, challenges: [inLevel, timed] };
    const level = { params: { ...project(), id: pass.id }, body };
    const { id: levelId } = await daemon.client.call(battlePassLevelRoutes.create, level);
    const player = { ...project(), userId: 'gil' };
    await daemon.client.call(battlePassProgressRoutes.unlock, { params: { ...player, id: pass.id } });
    await daemon.client.call(battlePassProgressRoutes.activateLevel, { params: { ...player, id: levelId } });
    const event = { event_name: 'match-start', event_type: 'single' as const };
    const send = () => daemon.client.call(playerRoutes.sendEvent, { params: player, body: event });
    const endTime = async () => {
      now += 120_000;
    };
    for (const act of [send, endTime]) {
      const beside = new pg.Client({ connectionString: daemon.databaseUrl });
      await beside.connect();
      await beside.query('BEGIN');
      await beside.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`definitions:${daemon.projectId}`]);
      const acting = act();
      await eventually(async () => {
        const { rows } = await beside.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`);
        expect(rows).toHaveLength(1);
      });
      const own = 'SELECT 1 FROM "PlayerChallenge" WHERE "userId" = $1 FOR UPDATE NOWAIT';
      expect((await beside.query(own, [player.userId])).rows).toHaveLength(2);
      await beside.query('COMMIT');
      await beside.end();
      await acting;
    }
    await eventually(async () => {
      const { battlePasses } = await daemon.client.call(playerRoutes.get, { params: player });
      const states = battlePasses
        .find(({ battlePassId }) => battlePassId === pass.id)
        ?.levels[0]?.challenges.map(({ state }) => state);
      expect(states).toEqual(['finished', 'finished']);
    });
  });

  it('keeps two people from becoming one', async () => {
    await begin('dia', await create('solve-puzzle', 'total'));
    await begin('eve', await create('solve-puzzle', 'per-session'));
    const move = { params: { ...project(), user: 'dia' }, body: { externalUserId: 'eve' } };
    await expect(daemon.admin.call(personMoveRoutes.move, move)).rejects.toMatchObject({
      code: 'person_move_conflict',
      status: 409,
    });
  });
});
