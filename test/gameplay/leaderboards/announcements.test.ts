/** What the log says when members leave a board: taken off, by a reset, by a rebuild. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CreateLeaderboardRequest } from '../../../src/contract/gameplay/leaderboards.js';
import { LeaderboardUpdatePayload } from '../../../src/contract/gameplay/player-leaderboards.js';
import type { TestDatabase } from '../../support/database.js';
import { databases, type Game, minute, openGame } from '../support.js';

const day = 24 * 60 * minute;

describe.each(databases.filter(({ here }) => here))('leaderboard.changed on $name', ({ open }) => {
  let opened: TestDatabase;
  let game: Game;
  let after = 0n;
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
  const send = async (user: string, amount: number, team?: string) => {
    game.time.now += 1;
    await game.kill(user, amount, team === undefined ? {} : { team_id: team });
  };
  /** What the board announced since this was called last, as `member old → new`; places as `rank:score`. */
  const announced = async (id: string): Promise<string[]> => {
    const events = await game.log.read({ after, limit: 10_000 });
    after = events.at(-1)?.position ?? after;
    return events
      .filter(({ event }) => event.type === 'leaderboard.changed' && event.resourceId === `leaderboard:${id}`)
      .map(({ event }) => LeaderboardUpdatePayload.parse(event.payload.data))
      .map(({ member_data: { member_id }, old_leaderboard_ranking: old, new_leaderboard_ranking: now }) =>
        [member_id, `${old.rank}:${old.score}`, '→', `${now.rank}:${now.score}`].join(' '),
      );
  };
  const board = async (id: string) => {
    const definition = await game.boards.rankings.find(game.projectId, id);
    return { definition, period: await game.boards.rankings.period(definition) };
  };

  it('tells of a user and of a team that is taken off, once', async () => {
    const id = await create();
    await send('ann', 5, 'red');
    await send('ben', 9, 'blue');
    await announced(id);
    await game.boards.service.removeMember(game.projectId, id, 'user', 'ann');
    await game.boards.service.removeMember(game.projectId, id, 'team', 'blue');
    expect(await announced(id)).toEqual(['ann 2:5 → -1:0', 'blue 1:9 → -1:0']);
    await expect(game.boards.service.removeMember(game.projectId, id, 'user', 'ann')).rejects.toThrow();
    expect(await announced(id)).toEqual([]);
    await game.boards.service.delete(game.projectId, id);
  });

  it('tells of everybody whom a reset takes off, before what comes next', async () => {
    const id = await create();
    await send('ann', 5, 'red');
    await send('ben', 9);
    await announced(id);
    await game.boards.service.reset(game.projectId, id);
    await send('ben', 2);
    expect(await announced(id)).toEqual(['ben 1:9 → -1:0', 'ann 2:5 → -1:0', 'red 1:5 → -1:0', 'ben -1:0 → 1:2']);
    await game.boards.service.delete(game.projectId, id);
  });

  it('tells of a reset by the clock once: whether an event or a reader comes first', async () => {
    const id = await create({ resetPeriod: { range: 'd', atTime: '00:00', timeZone: 'UTC' } });
    await send('ann', 5);
    await announced(id);
    game.time.now += day;
    await Promise.all([board(id), board(id), board(id)]);
    await board(id);
    expect(await announced(id)).toEqual(['ann 1:5 → -1:0']);
    await send('ben', 3);
    await announced(id);
    game.time.now += day;
    await send('cem', 4);
    expect(await announced(id)).toEqual(['ben 1:3 → -1:0', 'cem -1:0 → 1:4']);
    await game.boards.service.delete(game.projectId, id);
  });

  it('tells what a rebuild and its undo change of the period that runs, and nothing of the archive', async () => {
    const id = await create();
    for (const [user, amount] of [
      ['cheat', 50],
      ['ann', 5],
    ] as const)
      await send(user, amount, 'red');
    const make = (periodId?: string) =>
      game.boards.rebuilds.make(game.projectId, id, {
        without: ['cheat'],
        readmit: [],
        ...(periodId === undefined ? {} : { periodId }),
      });
    const made = await make();
    await announced(id);
    await game.boards.rebuilds.apply(game.projectId, id, made.id);
    expect((await announced(id)).sort()).toEqual(['cheat 1:50 → -1:0', 'red 1:55 → 1:5']);
    await game.boards.rebuilds.undo(game.projectId, id, made.id);
    expect((await announced(id)).sort()).toEqual(['cheat -1:0 → 1:50', 'red 1:5 → 1:55']);
    const { period } = await board(id);
    await game.boards.service.reset(game.projectId, id);
    await announced(id);
    const ofOld = await make(period.id);
    await game.boards.rebuilds.apply(game.projectId, id, ofOld.id);
    expect(await announced(id)).toEqual([]);
    await game.boards.service.delete(game.projectId, id);
  });
});
