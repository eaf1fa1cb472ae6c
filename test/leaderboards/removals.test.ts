/** Members who are taken off, and boards that are reset, beside events: what is shown is what a rebuild counts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chanceOf } from '../../daemon/commands/simulator/chance.js';
import { databases, type TestDatabase } from '../support/database.js';
import { type Game, openGame } from '../support/game.js';
import { scale } from '../support/scale.js';
import { boardsOf } from './support.js';

const rounds = scale(25, 500);

describe.each(databases.filter(({ here }) => here))('removals on $name', ({ open }) => {
  let opened: TestDatabase;
  let game: Game;
  let boards: ReturnType<typeof boardsOf>;
  beforeAll(async () => {
    opened = await open();
    game = await openGame(opened.database);
    boards = boardsOf(game);
  }, 60_000);
  afterAll(async () => {
    await game.intake.stop();
    await opened.close();
  });

  const remove = (id: string, member = 'ann') => game.boards.service.removeMember(game.projectId, id, 'user', member);

  it('part the events of one millisecond into those before and those after', async () => {
    const id = await boards.create();
    await game.kill('ann', 5);
    await game.kill('ben', 2);
    await remove(id);
    await boards.rebuild(id);
    await boards.apply(id, (await boards.rebuild(id)).id);
    expect(await boards.ranking(id)).toEqual(['1 ben 2']);
    await game.kill('ann', 3);
    await boards.apply(id, (await boards.rebuild(id)).id);
    expect(await boards.ranking(id)).toEqual(['1 ann 3', '2 ben 2']);
  });

  it('are about the period in which they were made: each one is counted again as it was shown', async () => {
    const id = await boards.create({ aggregate: 'sum' });
    const shown = new Map<string, string[]>();
    const members = ['ann', 'ben', 'cem'];
    const chance = chanceOf(50);
    const below = (end: number) => Math.floor(chance() * end);
    for (let period = 0; period < 5; period += 1) {
      for (let step = 0; step < 12; step += 1) {
        game.time.now += below(2);
        const member = members[below(members.length)] ?? 'ann';
        const isOnBoard = (await boards.ranking(id)).some((line) => line.includes(` ${member} `));
        if (isOnBoard && below(3) === 0) await remove(id, member);
        else await game.kill(member, 1 + below(5));
      }
      const { period: running } = await boards.period(id);
      shown.set(running.id, await boards.ranking(id));
      await game.boards.service.reset(game.projectId, id);
    }
    for (const [periodId, ranking] of shown) {
      const { id: rebuildId, status, changes } = await boards.rebuild(id, { periodId });
      expect({ periodId, status, changes }).toEqual({ periodId, status: 'ready', changes: [] });
      await boards.apply(id, rebuildId);
      expect(await boards.ranking(id, 'user', periodId)).toEqual(ranking);
    }
  });

  it.each(['removal', 'reset'])(
    'beside events: a %s leaves nothing that a rebuild would change',
    { timeout: 10 * 60_000 },
    async (change) => {
      const id = await boards.create();
      const kill = () => {
        game.time.now += 1;
        return game.kill('ann', 1, { team_id: 'red' });
      };
      const play = async () => {
        for (let count = 0; count < 6; count += 1) await kill();
      };
      for (let round = 0; round < rounds; round += 1) {
        await kill();
        const changing = change === 'removal' ? remove(id) : game.boards.service.reset(game.projectId, id);
        await Promise.all([play(), play(), changing]);
        const page = { limit: change === 'removal' ? 1 : 2, offset: 0 };
        const { periods } = await game.boards.store.periods(opened.database.read, id, page);
        for (const { id: periodId } of periods) {
          const { changes, status } = await boards.rebuild(id, { periodId });
          expect({ round, status, changes }).toEqual({ round, status: 'ready', changes: [] });
        }
      }
    },
  );
});
