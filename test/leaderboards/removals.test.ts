/** Members who are taken off, and boards that are reset, beside events: what is shown is what a rebuild counts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
