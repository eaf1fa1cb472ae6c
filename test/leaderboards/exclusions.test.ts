/** Users who are kept off leaderboards until they are let back. */
import { describe, expect, it } from 'vitest';
import { databases } from '../support/database.js';
import type { Game } from '../support/game.js';
import { type boardsOf, useBoards } from './support.js';

describe.each(databases.filter(({ here }) => here))('users kept off leaderboards on $name', ({ open }) => {
  let game: Game;
  let boards: ReturnType<typeof boardsOf>;
  useBoards(open, (opened) => {
    ({ game, boards } = opened);
  });

  const { exclude, include } = {
    exclude: (userId: string, leaderboardId?: string) =>
      game.boards.service.exclude(game.projectId, { userId, ...(leaderboardId && { leaderboardId }) }),
    include: (userId: string, leaderboardId?: string) =>
      game.boards.service.include(game.projectId, { userId, ...(leaderboardId && { leaderboardId }) }),
  };

  it('stay off one board, whatever they do, until they are let back', async () => {
    const [id, other] = [await boards.create(), await boards.create()];
    for (const [user, amount] of [
      ['cheat', 50],
      ['ann', 5],
    ] as const)
      await game.kill(user, amount);
    expect(await exclude('cheat', id)).toEqual([id]);
    expect(await exclude('cheat', id)).toEqual([]);
    await game.kill('cheat', 7);
    expect(await boards.ranking(id)).toEqual(['1 ann 5']);
    expect(await boards.ranking(other)).toEqual(['1 cheat 57', '2 ann 5']);
    const events = await game.log.read({ after: 0n, limit: 10_000 });
    const gone = events.filter(
      ({ event }) => event.type === 'leaderboard.changed' && event.resourceId === `leaderboard:${id}`,
    );
    expect(gone.at(-1)?.event.payload.data).toMatchObject({
      old_leaderboard_ranking: { rank: 1, score: 50 },
      new_leaderboard_ranking: { rank: -1 },
    });
    expect(await include('cheat', id)).toEqual([id]);
    expect(await include('cheat', id)).toEqual([]);
    await game.kill('cheat', 1);
    expect(await boards.ranking(id)).toEqual(['1 ann 5', '2 cheat 1']);
    const { id: rebuildId } = await boards.rebuild(id);
    await boards.apply(id, rebuildId);
    expect(await boards.ranking(id)).toEqual(['1 cheat 58', '2 ann 5']);
  });

  it('stay off through a reset, and through rebuilds that began before', async () => {
    const id = await boards.create();
    for (const [user, amount] of [
      ['cheat', 50],
      ['ann', 5],
    ] as const)
      await game.kill(user, amount);
    const applied = await boards.rebuild(id);
    await boards.apply(id, applied.id);
    const ready = await boards.rebuild(id);
    await exclude('cheat', id);
    expect(await boards.apply(id, ready.id)).toMatchObject({ failure: 'leaderboard_rebuild_closed' });
    expect(await boards.undo(id, applied.id)).toMatchObject({ status: 'undone' });
    await game.kill('cheat', 3);
    expect(await boards.ranking(id)).toEqual(['1 ann 5']);
    const again = await boards.rebuild(id);
    expect(await boards.apply(id, again.id)).toMatchObject({ status: 'applied', excluded: ['cheat'] });
    await game.kill('cheat', 3);
    expect(await boards.ranking(id)).toEqual(['1 ann 5']);
    await game.boards.service.reset(game.projectId, id);
    await game.kill('cheat', 3);
    await game.kill('ann', 1);
    expect(await boards.ranking(id)).toEqual(['1 ann 1']);
  });

  it('go from every board together, and come back to every board', async () => {
    const ids = [await boards.create(), await boards.create({ aggregate: 'best' })];
    await game.kill('rogue', 9);
    const off = await exclude('rogue');
    expect(off).toEqual(expect.arrayContaining(ids));
    await game.kill('rogue', 9);
    for (const id of ids) expect(await boards.ranking(id)).toEqual([]);
    expect(await include('rogue')).toEqual(off);
    await game.kill('rogue', 2);
    for (const id of ids) expect(await boards.ranking(id)).toEqual(['1 rogue 2']);
    await expect(exclude('rogue', 'none')).rejects.toMatchObject({ code: 'leaderboard_not_found' });
  });
});
