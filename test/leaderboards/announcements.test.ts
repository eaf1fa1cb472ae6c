/** Events of members that leave a board: taken off, by a reset, by a rebuild. */
import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { ScoreStore } from '../../daemon/modules/leaderboards/score-store.js';
import { LeaderboardUpdatePayload } from '../../src/contract/gameplay/player-leaderboards.js';
import { databases } from '../support/database.js';
import { type Game, minute } from '../support/game.js';
import { type boardsOf, useBoards } from './support.js';

const day = 24 * 60 * minute;

describe.each(databases.filter(({ here }) => here))('leaderboard.changed on $name', ({ open }) => {
  let game: Game;
  let boards: ReturnType<typeof boardsOf>;
  let after = 0n;
  useBoards(open, (opened) => {
    ({ game, boards } = opened);
  });

  const send = async (user: string, amount: number, team?: string) => {
    game.time.now += 1;
    await game.kill(user, amount, team === undefined ? {} : { team_id: team });
  };
  /** Returns the board's announcements since the last call, as `member old → new`; places as `rank:score`. */
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
  it('tells of a user and of a team that is taken off, once', async () => {
    const id = await boards.create();
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
    const id = await boards.create();
    await send('ann', 5, 'red');
    await send('ben', 9);
    await announced(id);
    await game.boards.service.reset(game.projectId, id);
    await send('ben', 2);
    expect(await announced(id)).toEqual(['ben 1:9 → -1:0', 'ann 2:5 → -1:0', 'red 1:5 → -1:0', 'ben -1:0 → 1:2']);
    await game.boards.service.delete(game.projectId, id);
  });

  it('tells of the best 1,000 users alone where a reset takes off more', async () => {
    const id = await boards.create();
    await send('last', 1);
    await announced(id);
    const scores = new ScoreStore(game.database.dialect);
    await game.database.transaction(async (tx) => {
      const { id: tallyId, version } = await tx.leaderboardTally.findFirstOrThrow({ where: { leaderboardId: id } });
      const rows = Array.from({ length: 1_000 }, (_, index) => ({
        ...{ tallyId, memberType: 'user' as const, memberId: `u${index}`, sortOrder: 'desc' as const },
        ...{ score: 10, exact: null, reachedId: uuidv7() },
      }));
      await scores.save(tx, rows, () => Number(version));
    });
    await game.boards.service.reset(game.projectId, id);
    const told = await announced(id);
    expect([told.length, told.filter((line) => line.startsWith('last'))]).toEqual([1_000, []]);
    await game.boards.service.delete(game.projectId, id);
  });

  it('tells of a reset by the clock once: whether an event or a reader comes first', async () => {
    const id = await boards.create({ resetPeriod: { range: 'd', atTime: '00:00', timeZone: 'UTC' } });
    await send('ann', 5);
    await announced(id);
    game.time.now += day;
    await Promise.all([boards.period(id), boards.period(id), boards.period(id)]);
    await boards.period(id);
    expect(await announced(id)).toEqual(['ann 1:5 → -1:0']);
    await send('ben', 3);
    await announced(id);
    game.time.now += day;
    await send('cem', 4);
    expect(await announced(id)).toEqual(['ben 1:3 → -1:0', 'cem -1:0 → 1:4']);
    await game.boards.service.delete(game.projectId, id);
  });

  it('tells what a rebuild and its undo change of the period that runs, and nothing of the archive', async () => {
    const id = await boards.create();
    for (const [user, amount] of [
      ['cheat', 50],
      ['ann', 5],
    ] as const)
      await send(user, amount, 'red');
    const made = await boards.rebuild(id, { without: ['cheat'] });
    await announced(id);
    await boards.apply(id, made.id);
    expect((await announced(id)).sort()).toEqual(['cheat 1:50 → -1:0', 'red 1:55 → 1:5']);
    await boards.undo(id, made.id);
    expect((await announced(id)).sort()).toEqual(['cheat -1:0 → 1:50', 'red 1:5 → 1:55']);
    const { period } = await boards.period(id);
    await game.boards.service.reset(game.projectId, id);
    await announced(id);
    const ofOld = await boards.rebuild(id, { without: ['cheat'], periodId: period.id });
    expect((await boards.apply(id, ofOld.id)).status).toBe('applied');
    expect(await announced(id)).toEqual([]);
    await game.boards.service.delete(game.projectId, id);
  });
});
