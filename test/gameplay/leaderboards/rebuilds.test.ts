/** Rebuilding at the edges: events that are gone, the snapshot that stands for them, events that come meanwhile. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptGameplay } from '../../../daemon/modules/gameplay/retention.js';
import { CreateLeaderboardRequest, type MemberType } from '../../../src/contract/gameplay/leaderboards.js';
import type { TestDatabase } from '../../support/database.js';
import { databases, type Game, openGame } from '../support.js';

const dayMs = 86_400_000;
const keptDays = 30;
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof Object && 'code' in error ? error.code : error),
  );

describe.each(databases.filter(({ here }) => here))('a rebuild on $name', ({ open }) => {
  let opened: TestDatabase;
  let game: Game;
  beforeAll(async () => {
    opened = await open();
    game = await openGame(opened.database);
  }, 60_000);
  afterAll(async () => {
    await game.intake.stop();
    await opened.close();
  });

  const create = async (more: Partial<CreateLeaderboardRequest> = {}) => {
    game.time.now += 1;
    const request = CreateLeaderboardRequest.parse({ name: 'Kills', eventName: 'kill-enemy', ...more });
    return (await game.boards.service.create(game.projectId, request)).id;
  };
  const ranking = async (id: string, memberType: MemberType = 'user') => {
    const definition = await game.boards.rankings.find(game.projectId, id);
    const period = await game.boards.rankings.period(definition);
    const { places } = await game.boards.rankings.page({ definition, period, memberType }, 0, 100);
    return places.map(({ rank, memberId, score }) => `${rank} ${memberId} ${score}`);
  };
  const prune = async () => {
    const { database, boards, time } = game;
    const keep = boards.snapshots.take.bind(boards.snapshots);
    const days = {
      EARSHOT_GAMEPLAY_RETENTION_DAYS: keptDays,
      EARSHOT_EVENT_RETENTION_DAYS: keptDays,
      EARSHOT_DELIVERY_RETENTION_DAYS: keptDays,
    };
    const needs = { forget: async () => {}, keepForBoards: keep };
    for (const { prune: some } of keptGameplay(database, days, needs, () => new Date(time.now)))
      while ((await some(3)) > 0);
  };
  const make = (id: string, ...without: string[]) =>
    game.boards.rebuilds.make(game.projectId, id, { without, readmit: [] });

  it('goes on from the snapshot where events are not kept any more, and leaves a cheater out of it', async () => {
    const id = await create();
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
    expect(await ranking(id)).toEqual(['1 cheat 50', '2 ben 7', '3 ann 6']);
    await game.boards.rebuilds.apply(game.projectId, id, made.id);
    expect(await ranking(id)).toEqual(['1 ben 7', '2 ann 6']);
    expect(await ranking(id, 'team')).toEqual(['1 blue 7', '2 red 6']);
    await game.kill('cheat', 100);
    await game.kill('ann', 2);
    expect(await ranking(id)).toEqual(['1 ann 8', '2 ben 7']);
    await game.boards.rebuilds.undo(game.projectId, id, made.id);
    expect(await ranking(id)).toEqual(['1 cheat 150', '2 ann 8', '3 ben 7']);
  });

  it('refuses where events are gone: of an archived period, and of one whose rules have changed', async () => {
    const id = await create();
    await game.kill('ann', 5);
    const definition = await game.boards.rankings.find(game.projectId, id);
    game.time.now += 1;
    await game.boards.service.reset(game.projectId, id);
    game.time.now += 1;
    await game.kill('ann', 1);
    game.time.now += (keptDays + 1) * dayMs;
    await prune();
    const ofOld = { without: [], readmit: [], periodId: definition.period.id };
    expect(await codeOf(game.boards.rebuilds.make(game.projectId, id, ofOld))).toBe('leaderboard_events_gone');
    expect(await codeOf(make(id))).toBe(null);
    await game.boards.service.update(game.projectId, id, { countProperty: 'required_time' });
    expect(await codeOf(make(id))).toBe('leaderboard_events_gone');
  });

  it('refuses a second one while one is counted', async () => {
    const id = await create();
    for (let sent = 0; sent < 20; sent += 1) await game.kill(`u${sent}`, 1);
    const codes = await Promise.all([codeOf(make(id)), codeOf(make(id))]);
    expect(codes.sort()).toEqual(['leaderboard_rebuild_running', null].sort());
  });

  it('equals a board counted from scratch, however much comes meanwhile', async () => {
    const id = await create({ aggregate: 'best' });
    const send = (from: number) =>
      Promise.all(Array.from({ length: 300 }, (_, n) => game.kill(`p${(from + n) % 40}`, (n * 37 + from) % 101)));
    await send(0);
    const load = send(1);
    const made = await make(id, 'p3');
    await Promise.all([load, send(2), game.boards.rebuilds.apply(game.projectId, id, made.id)]);
    const live = await ranking(id);
    expect(live.some((line) => line.includes(' p3 '))).toBe(false);
    const again = await make(id);
    expect([again.changed, again.changes]).toEqual([0, []]);
  });
});
