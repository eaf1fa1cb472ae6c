/** Rebuilding at the edges: events that are gone, the snapshot that stands for them, events that come meanwhile. */
import { describe, expect, it } from 'vitest';
import { keptGameEvents } from '../../daemon/modules/game-events/retention.js';
import { rebuildsPerTenantMax } from '../../src/contract/gameplay/leaderboard-rebuilds.js';
import { databases } from '../support/database.js';
import type { Game } from '../support/game.js';
import { type boardsOf, useBoards } from './support.js';

const dayMs = 86_400_000;
const keptDays = 30;
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof Object && 'code' in error ? error.code : error),
  );

describe.each(databases.filter(({ here }) => here))('a rebuild on $name', ({ open }) => {
  let game: Game;
  let boards: ReturnType<typeof boardsOf>;
  useBoards(open, (opened) => {
    ({ game, boards } = opened);
  });

  const prune = async () => {
    const { database, time } = game;
    const days = {
      EARSHOT_GAMEPLAY_RETENTION_DAYS: keptDays,
      EARSHOT_EVENT_RETENTION_DAYS: keptDays,
      EARSHOT_DELIVERY_RETENTION_DAYS: keptDays,
    };
    const needs = { redactEvents: async () => {}, counters: [game.boards.counter] };
    for (const { prune: some } of keptGameEvents(database, days, needs, () => new Date(time.now)))
      while ((await some(3)) > 0);
  };
  const make = (id: string, ...without: string[]) => boards.rebuild(id, { without });

  it('goes on from the snapshot where events are not kept any more, and leaves a cheater out of it', async () => {
    const id = await boards.create();
    for (const [user, team, amount] of [
      ['cheat', 'red', 50],
      ['ann', 'red', 5],
      ['ben', 'blue', 7],
    ] as const)
      await game.kill(user, amount, { team_id: team });
    game.time.now += (keptDays + 1) * dayMs;
    await game.kill('ann', 1, { team_id: 'red' });
    await prune();
    expect(await game.database.read.gameEvent.count()).toBe(1);
    const { changes, changed } = await make(id);
    expect([changed, changes]).toEqual([0, []]);
    const made = await make(id, 'cheat');
    expect(made.changes).toContainEqual({
      ...{ memberType: 'user', memberId: 'cheat' },
      ...{ before: { rank: 1, score: 50 }, after: { rank: -1, score: 0 } },
    });
    expect(await boards.ranking(id)).toEqual(['1 cheat 50', '2 ben 7', '3 ann 6']);
    await boards.apply(id, made.id);
    expect(await boards.ranking(id)).toEqual(['1 ben 7', '2 ann 6']);
    expect(await boards.ranking(id, 'team')).toEqual(['1 blue 7', '2 red 6']);
    await game.kill('cheat', 100);
    await game.kill('ann', 2);
    expect(await boards.ranking(id)).toEqual(['1 ann 8', '2 ben 7']);
    await boards.undo(id, made.id);
    expect(await boards.ranking(id)).toEqual(['1 cheat 150', '2 ann 8', '3 ben 7']);
  });

  it('keeps a team with `last` ahead of those that reached its score later, with and without the events', async () => {
    const id = await boards.create({ aggregate: 'last' });
    for (const [user, team, amount] of [
      ['ann', 'red', 5],
      ['ben', 'blue', 5],
      ['cem', 'red', 5],
      ['ann', 'red', 5],
    ] as const)
      await game.kill(user, amount, { team_id: team });
    const [redFirst, blueFirst] = [
      ['1 red 5', '2 blue 5'],
      ['1 blue 5', '2 red 5'],
    ];
    expect(await boards.ranking(id, 'team')).toEqual(redFirst);
    expect(await make(id)).toMatchObject({ changed: 0 });
    await game.kill('cem', 4, { team_id: 'red' });
    await game.kill('cem', 5, { team_id: 'red' });
    expect(await boards.ranking(id, 'team')).toEqual(blueFirst);
    await game.kill('ben', 5, { team_id: 'blue' });
    await game.kill('dia', 5, { team_id: 'blue' });
    game.time.now += (keptDays + 1) * dayMs;
    await prune();
    const made = await make(id);
    expect(made.changed).toBe(0);
    await boards.apply(id, made.id);
    expect(await boards.ranking(id, 'team')).toEqual(blueFirst);
  });

  it('refuses where events are gone: of an archived period, and of one whose rules have changed', async () => {
    const id = await boards.create();
    await game.kill('ann', 5);
    const definition = await game.boards.rankings.find(game.projectId, id);
    game.time.now += 1;
    await game.boards.service.reset(game.projectId, id);
    game.time.now += 1;
    await game.kill('ann', 1);
    game.time.now += (keptDays + 1) * dayMs;
    await prune();
    const ofOld = { without: [], readmit: [], periodId: definition.period.id };
    expect(await codeOf(boards.ask(id, ofOld))).toBe('leaderboard_events_gone');
    expect(await codeOf(make(id))).toBe(null);
    await game.boards.service.update(game.projectId, id, { countProperty: 'required_time' });
    expect(await codeOf(make(id))).toBe('leaderboard_events_gone');
  });

  it('refuses a second one while one is counted', async () => {
    const id = await boards.create();
    const codes = await Promise.all([codeOf(boards.ask(id)), codeOf(boards.ask(id))]);
    expect(codes.sort()).toEqual(['leaderboard_rebuild_running', null].sort());
    await game.boards.rebuildJobs.work();
    expect((await make(id)).status).toBe('ready');
  });

  it('refuses one more than a tenant may have under way', async () => {
    const ids = await Promise.all(Array.from({ length: rebuildsPerTenantMax + 1 }, () => boards.create()));
    for (const id of ids.slice(1)) await boards.ask(id);
    expect(await codeOf(boards.ask(ids[0] ?? ''))).toBe('rate_limited');
    await game.boards.rebuildJobs.work();
    expect(await codeOf(boards.ask(ids[0] ?? ''))).toBe(null);
    await game.boards.rebuildJobs.work();
    for (const id of ids) await game.boards.service.delete(game.projectId, id);
  });

  it('stops what is under way, and leaves the scores as they are', async () => {
    const id = await boards.create();
    await game.kill('cheat', 50);
    await game.kill('ann', 5);
    const { rebuilds, rebuildJobs } = game.boards;
    const cancel = (rebuildId: string) => rebuilds.cancel(game.projectId, id, rebuildId);
    const begun = await boards.ask(id, { without: ['cheat'] });
    expect(begun).toMatchObject({ status: 'counting', progress: 0 });
    expect(await cancel(begun.id)).toMatchObject({ status: 'cancelled' });
    await rebuildJobs.work();
    expect(await rebuilds.get(game.projectId, id, begun.id)).toMatchObject({ status: 'cancelled' });
    const made = await make(id, 'cheat');
    await rebuilds.apply(game.projectId, id, made.id);
    expect(await cancel(made.id)).toMatchObject({ status: 'ready' });
    await rebuildJobs.work();
    expect(await boards.ranking(id)).toEqual(['1 cheat 50', '2 ann 5']);
    await boards.apply(id, made.id);
    await rebuilds.undo(game.projectId, id, made.id);
    expect(await cancel(made.id)).toMatchObject({ status: 'applied' });
    await rebuildJobs.work();
    expect(await boards.ranking(id)).toEqual(['1 ann 5']);
    expect(await boards.undo(id, made.id)).toMatchObject({ status: 'undone' });
    expect(await boards.ranking(id)).toEqual(['1 cheat 50', '2 ann 5']);
    expect(await codeOf(cancel(made.id))).toBe('leaderboard_rebuild_closed');
  });

  it('says why an undo failed until it is asked for again', async () => {
    const id = await boards.create();
    await game.kill('cheat', 50);
    await game.kill('ann', 5);
    game.time.now += (keptDays + 1) * dayMs;
    await game.kill('ann', 1);
    await prune();
    const { rebuilds, rebuildJobs, service } = game.boards;
    const made = await make(id, 'cheat');
    await boards.apply(id, made.id);
    expect(await rebuilds.undo(game.projectId, id, made.id)).toMatchObject({ status: 'undoing', failure: null });
    await service.update(game.projectId, id, { countProperty: 'required_time' });
    await rebuildJobs.work();
    const failed = { status: 'applied', failure: 'leaderboard_events_gone' };
    expect(await rebuilds.get(game.projectId, id, made.id)).toMatchObject(failed);
    await service.update(game.projectId, id, { countProperty: null });
    expect(await rebuilds.undo(game.projectId, id, made.id)).toMatchObject({ status: 'undoing', failure: null });
    await rebuildJobs.work();
    expect(await rebuilds.get(game.projectId, id, made.id)).toMatchObject({ status: 'undone', failure: null });
    expect(await boards.ranking(id)).toEqual(['1 cheat 50', '2 ann 6']);
  });

  it('belongs to the period that it was made of, also when that has ended before it is applied', async () => {
    const resetPeriod = { range: 'd', atTime: '00:00', timeZone: 'UTC' } as const;
    const id = await boards.create({ resetPeriod });
    await game.kill('cheat', 50);
    await game.kill('ann', 5);
    const { period } = await boards.period(id);
    const made = await make(id, 'cheat');
    game.time.now += dayMs;
    expect(await boards.apply(id, made.id)).toMatchObject({ status: 'applied', periodId: period.id });
    expect(await boards.ranking(id)).toEqual([]);
    expect(await boards.ranking(id, 'user', period.id)).toEqual(['1 ann 5']);
  });

  it('is refused, not applied half, where what it still has to count is gone meanwhile', async () => {
    const id = await boards.create();
    await game.kill('ann', 5);
    const made = await make(id);
    await game.kill('ben', 7);
    const { period } = await boards.period(id);
    game.time.now += 1;
    await game.boards.service.reset(game.projectId, id);
    game.time.now += (keptDays + 1) * dayMs;
    const asked = await game.boards.rebuilds.apply(game.projectId, id, made.id);
    expect(asked.status).toBe('applying');
    await prune();
    await game.boards.rebuildJobs.work();
    const failed = { status: 'failed', failure: 'leaderboard_events_gone' };
    expect(await game.boards.rebuilds.get(game.projectId, id, made.id)).toMatchObject(failed);
    expect(await boards.ranking(id, 'user', period.id)).toEqual(['1 ben 7', '2 ann 5']);
  });

  it('begins anew from the snapshot where events were removed while it waited', async () => {
    const id = await boards.create();
    await game.kill('cheat', 50);
    await game.kill('ann', 5);
    const begun = await boards.ask(id, { without: ['cheat'] });
    game.time.now += (keptDays + 1) * dayMs;
    await game.kill('ann', 1);
    await prune();
    await game.boards.rebuildJobs.work();
    const made = await game.boards.rebuilds.get(game.projectId, id, begun.id);
    expect(made).toMatchObject({ status: 'ready', changed: 1 });
    await boards.apply(id, made.id);
    expect(await boards.ranking(id)).toEqual(['1 ann 6']);
  });

  it('equals a board counted from scratch, however much comes meanwhile', async () => {
    const id = await boards.create({ aggregate: 'best' });
    const send = (from: number) =>
      Promise.all(Array.from({ length: 300 }, (_, n) => game.kill(`p${(from + n) % 40}`, (n * 37 + from) % 101)));
    await send(0);
    const load = send(1);
    const made = await make(id, 'p3');
    await Promise.all([load, send(2), boards.apply(id, made.id)]);
    const live = await boards.ranking(id);
    expect(live.some((line) => line.includes(' p3 '))).toBe(false);
    const again = await make(id);
    expect([again.changed, again.changes]).toEqual([0, []]);
  });
});
