/** Who does not count on a board: excluded people who are moved, and rebuilds of several periods beside each other. */
import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { databases } from '../support/database.js';
import { type Game, minute } from '../support/game.js';
import { type boardsOf, type movingOn, useBoards } from './support.js';

describe.each(databases.filter(({ here }) => here))('people who do not count on $name', ({ open }) => {
  let game: Game;
  let boards: ReturnType<typeof boardsOf>;
  let move: ReturnType<typeof movingOn>;
  useBoards(open, (opened) => {
    ({ game, boards, move } = opened);
  });

  const exclude = (userId: string, leaderboardId: string) =>
    game.boards.service.exclude(game.projectId, { userId, leaderboardId });
  const include = (userId: string, leaderboardId: string) =>
    game.boards.service.include(game.projectId, { userId, leaderboardId });
  const play = async (scores: Readonly<Record<string, number>>) => {
    for (const [user, amount] of Object.entries(scores)) {
      game.time.now += minute;
      await game.kill(user, amount);
    }
    game.time.now += minute; // what comes now is later than the events
  };
  const name = (text: string) => `${text} ${uuidv7()}`;

  it('do not rank again under another id, whoever of the two was excluded', async () => {
    const id = await boards.create();
    const [cheat, honest, honest2, cheat2] = ['cheat', 'honest', 'honest2', 'cheat2'].map(name);
    for (const [from, to, excluded] of [
      [cheat, honest, cheat],
      [honest2, cheat2, cheat2],
    ] as [string, string, string][]) {
      await play({ [from]: 50, [to]: 20 });
      await exclude(excluded, id);
      await move(from, to);
      expect(await boards.ranking(id)).toEqual([]);
      expect(await exclude(to, id)).toEqual([]);
      await play({ [to]: 7 });
      expect(await boards.ranking(id)).toEqual([]);
      expect(await include(from, id)).toEqual([]);
      expect(await include(to, id)).toEqual([id]);
    }
  });

  it('are left out of the period that runs by the rebuild of an earlier one', async () => {
    const id = await boards.create();
    const [cheat, ann] = [name('cheat'), name('ann')];
    await play({ [cheat]: 50, [ann]: 5 });
    const { period } = await boards.period(id);
    await game.boards.service.reset(game.projectId, id);
    await play({ [cheat]: 9, [ann]: 1 });
    const rebuild = await boards.rebuild(id, { periodId: period.id, without: [cheat] });
    await boards.apply(id, rebuild.id);
    expect(await boards.ranking(id, 'user', period.id)).toEqual([`1 ${ann} 5`]);
    expect(await boards.ranking(id)).toEqual([`1 ${ann} 1`]);
    const events = await game.log.read({ after: 0n, limit: 10_000 });
    const told = events.filter(({ event }) => event.resourceId === `leaderboard:${id}`).at(-1);
    expect(told?.event.payload.data).toMatchObject({
      old_leaderboard_ranking: { rank: 1, score: 9 },
      new_leaderboard_ranking: { rank: -1 },
    });
    await boards.undo(id, rebuild.id);
    await play({ [cheat]: 3 });
    expect(await boards.ranking(id)).toEqual([`1 ${cheat} 3`, `2 ${ann} 1`]);
  });

  it('stay excluded when a rebuild of another period is undone', async () => {
    const id = await boards.create();
    const [one, two, ann] = [name('one'), name('two'), name('ann')];
    await play({ [one]: 50, [two]: 40, [ann]: 5 });
    const { period } = await boards.period(id);
    await game.boards.service.reset(game.projectId, id);
    await play({ [one]: 50, [two]: 40, [ann]: 5 });
    const first = await boards.rebuild(id, { periodId: period.id, without: [one] });
    await boards.apply(id, first.id);
    const second = await boards.rebuild(id, { without: [two] });
    await boards.apply(id, second.id);
    expect(await boards.undo(id, first.id)).toMatchObject({ status: 'undone' });
    await play({ [one]: 1, [two]: 1 });
    expect(await boards.ranking(id)).toEqual([`1 ${ann} 5`, `2 ${one} 1`]);
    expect(await boards.ranking(id, 'user', period.id)).toEqual([`1 ${one} 50`, `2 ${ann} 5`]);
  });

  it('are in no list any more once they are erased, whatever is applied or undone then', async () => {
    const id = await boards.create();
    const [gone, two, ann] = [name('gone'), name('two'), name('ann')];
    await play({ [gone]: 50, [two]: 40, [ann]: 5 });
    const { period } = await boards.period(id);
    await game.boards.service.reset(game.projectId, id);
    await play({ [gone]: 50, [two]: 40, [ann]: 5 });
    const first = await boards.rebuild(id, { periodId: period.id, without: [gone] });
    await boards.apply(id, first.id);
    const second = await boards.rebuild(id, { without: [two] });
    await game.database.transaction((tx) => game.boards.erasure.erase(tx, game.projectId, gone));
    expect(await boards.apply(id, second.id)).toMatchObject({ failure: 'leaderboard_rebuild_closed', excluded: [two] });
    await boards.undo(id, first.id);
    const rows = await game.database.read.leaderboardExclusion.findMany({ where: { leaderboardId: id } });
    expect(rows).toEqual([]);
    await play({ [two]: 1 });
    expect(await boards.ranking(id)).toEqual([`1 ${two} 41`, `2 ${ann} 5`]);
  });
});
