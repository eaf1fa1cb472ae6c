/** Everything that locks boards at the same moment, on PostgreSQL: there is one order of locks, so nobody waits in a circle. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DomainError } from '../../src/contract/errors.js';
import { openPostgresql, type TestDatabase } from '../support/database.js';
import { type Game, minute, openGame } from '../support/game.js';
import { hasPostgresql } from '../support/postgresql.js';
import { scale } from '../support/scale.js';
import { boardsOf, movingOn } from './support.js';

const rounds = scale(15, 200);

describe.skipIf(!hasPostgresql)('locks of boards', () => {
  let opened: TestDatabase;
  let game: Game;
  beforeAll(async () => {
    opened = await openPostgresql();
    game = await openGame(opened.database);
  }, 60_000);
  afterAll(async () => {
    await game.intake.stop();
    await opened.close();
  });

  it(`are taken in one order, in ${rounds} rounds of play, resets, exclusions, rebuilds, moves and erasures`, {
    timeout: scale(180_000, 1_800_000),
  }, async () => {
    const { projectId, database, time } = game;
    const { service, rebuilds, rebuildJobs, erasure } = game.boards;
    const boards = boardsOf(game);
    const ids: string[] = [];
    const daily = { range: 'd', atTime: '00:00', timeZone: 'UTC' } as const;
    for (let count = 0; count < 6; count += 1) ids.push(await boards.create(count < 3 ? {} : { resetPeriod: daily }));
    const at = (index: number): string => ids[index % ids.length] ?? '';
    const users = ['ann', 'ben', 'cem', 'dia'];
    const user = (index: number): string => users[index % users.length] ?? '';
    for (const one of users) await game.kill(one, 3);
    for (let round = 0; round < rounds; round += 1) {
      time.now += 25 * 60 * minute; // other periods begin
      const rebuild = async () => {
        const made = await boards.ask(at(round), { without: [user(round)] });
        await rebuildJobs.work();
        await rebuilds.apply(projectId, at(round), made.id);
        await rebuildJobs.work();
      };
      const calls = [
        ...users.map((one) => game.kill(one, 1, { team_id: 'red' })),
        rebuild(),
        service.reset(projectId, at(round + 1)),
        service.exclude(projectId, { userId: user(round + 1) }),
        service.exclude(projectId, { userId: user(round + 2), leaderboardId: at(round) }),
        service.removeMember(projectId, at(round), 'user', user(round + 3)),
        ...users.map((one) => game.kill(one, 1)),
        service.include(projectId, { userId: user(round + 1) }),
        movingOn(game)(user(round), user(round + 2)),
        database.transaction((tx) => erasure.erase(tx, projectId, user(round + 3))),
        ...users.map((one) => game.kill(one, 1)),
      ];
      for (const end of await Promise.allSettled(calls))
        if (end.status === 'rejected' && !(end.reason instanceof DomainError)) throw end.reason;
      for (const userId of users) await service.include(projectId, { userId });
    }
    const [row] = await database.read.$queryRawUnsafe<{ deadlocks: bigint }[]>(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(Number(row?.deadlocks)).toBe(0);
  });
});
