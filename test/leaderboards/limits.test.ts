/** Boards of a project: as many as it may have, however many requests come at once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CreateLeaderboardRequest, leaderboardsPerProjectMax } from '../../src/contract/gameplay/leaderboards.js';
import { databases, type TestDatabase } from '../support/database.js';
import { type Game, openGame } from '../support/game.js';

describe.each(databases.filter(({ here }) => here))('the boards of a project on $name', ({ open }) => {
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

  it('one of many simultaneous creations takes the last place', async () => {
    const request = CreateLeaderboardRequest.parse({ name: 'Kills', eventName: 'kill-enemy' });
    const create = () => game.boards.service.create(game.projectId, request);
    for (let made = 1; made < leaderboardsPerProjectMax; made += 1) await create();
    const results = await Promise.allSettled(Array.from({ length: 6 }, create));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refusals = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refusals.map(({ code }) => code)).toEqual(Array(5).fill('leaderboard_limit_reached'));
  });
});
