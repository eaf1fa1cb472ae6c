/** Players who become one: their scores are counted together, so that a rebuild with nobody left out changes nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keptGameEvents } from '../../daemon/modules/game-events/retention.js';
import { dayMs } from '../../daemon/platform/time/spans.js';
import { DomainError } from '../../src/contract/errors.js';
import { MemberType } from '../../src/contract/gameplay/leaderboards.js';
import { databases } from '../support/database.js';
import { type Game, minute } from '../support/game.js';
import { scale } from '../support/scale.js';
import { type boardsOf, type movingOn, useBoards } from './support.js';

const runs = scale(12, 2_000);
const users = ['ann', 'ben', 'cem', 'dia', 'eva'];
const user = fc.constantFrom(...users);
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      user,
      team: fc.constantFrom(null, null, 'red', 'blue'),
      amount: fc.oneof(
        { weight: 12, arbitrary: fc.integer({ min: -2, max: 4 }) },
        { weight: 1, arbitrary: fc.constantFrom(Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER) },
      ),
      type: fc.constantFrom('single' as const, 'single' as const, 'group' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), user }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('removeTeam' as const), team: fc.constantFrom('red', 'blue') }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move' as const), from: user, to: user }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reset' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rebuild' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), keptMinutes: fc.nat({ max: 12 }) }) },
);
const life = fc.record({
  aggregate: fc.constantFrom('sum' as const, 'best' as const, 'last' as const),
  sortOrder: fc.constantFrom('desc' as const, 'asc' as const),
  steps: fc.array(step, { minLength: 5, maxLength: scale(30, 80) }),
});

describe.each(databases.filter(({ here }) => here))('players who become one on $name', ({ open }) => {
  let game: Game;
  let boards: ReturnType<typeof boardsOf>;
  let move: ReturnType<typeof movingOn>;
  useBoards(open, (opened) => {
    ({ game, boards, move } = opened);
  });

  const defeat = async (user_id: string, health: number, more: object = {}) => {
    game.time.now += minute;
    const event = { user_id, event_name: 'defeat-boss', meta_data: { health }, ...more };
    await game.intake.submit(game.backEnd, event, null);
  };
  const bossBoard = (aggregate: 'sum' | 'best' | 'last', sortOrder: 'desc' | 'asc' = 'desc') =>
    boards.create({ eventName: 'defeat-boss', countProperty: 'health', aggregate, sortOrder });
  const remove = (id: string, memberType: MemberType, member: string) => {
    game.time.now += minute;
    return game.boards.service.removeMember(game.projectId, id, memberType, member);
  };
  /** Deletes older events, of which boards keep what they counted. */
  const forget = async (keptMinutes: number) => {
    const days = { EARSHOT_GAMEPLAY_RETENTION_DAYS: 1, EARSHOT_EVENT_RETENTION_DAYS: 1 };
    const settings = { ...days, EARSHOT_DELIVERY_RETENTION_DAYS: 1 };
    const needs = { redactEvents: async () => {}, counters: [game.boards.counter] };
    const then = () => new Date(game.time.now + dayMs - keptMinutes * minute);
    for (const { prune } of keptGameEvents(game.database, settings, needs, then)) while ((await prune(5)) > 0);
  };
  /** Asks for a rebuild with nobody left out; returns how many scores it would change. */
  const rebuilt = async (id: string) => {
    const { changed, changes, status } = await boards.rebuild(id);
    return { changed, changes, status };
  };
  const nothing = { changed: 0, changes: [], status: 'ready' };

  it('keep what the one scored from whom nothing was taken', async () => {
    const id = await bossBoard('sum');
    await defeat('cheat', 50);
    await defeat('honest', 50);
    await remove(id, 'user', 'cheat');
    await defeat('cheat', 3);
    await move('cheat', 'honest');
    expect(await boards.ranking(id)).toEqual(['1 honest 53']);
    expect(await rebuilt(id)).toEqual(nothing);
    await defeat('other', 7);
    await move('honest', 'other'); // with a removal that is about some of the events
    expect(await boards.ranking(id)).toEqual(['1 other 60']);
    expect(await rebuilt(id)).toEqual(nothing);
    await remove(id, 'user', 'other');
    await defeat('other', 1);
    expect(await rebuilt(id)).toEqual(nothing);
    expect(await boards.ranking(id)).toEqual(['1 other 1']);
  });

  it('count group events in the order in which both sent them', async () => {
    const id = await bossBoard('sum');
    for (const [one, amount, event_type] of [
      ['left', 3, 'single'],
      ['right', 5, 'group'],
      ['left', 2, 'single'],
    ] as const)
      await defeat(one, amount, { event_type, team_id: 'green' });
    await move('left', 'right');
    expect(await boards.ranking(id)).toEqual(['1 right 7']);
    expect(await boards.ranking(id, 'team')).toEqual(['1 green 7']);
    expect(await rebuilt(id)).toEqual(nothing);
  });

  it('have, on a board of the last event, the last event of both', async () => {
    const id = await bossBoard('last');
    await defeat('early', 3);
    await defeat('late', 9);
    await defeat('early', 3); // reached before the other one, and sent after it
    await move('late', 'early');
    expect(await boards.ranking(id)).toEqual(['1 early 3']);
    expect(await rebuilt(id)).toEqual(nothing);
  });

  it(
    'have what a rebuild counts, whatever they did before and do then',
    async () => {
      await fc.assert(
        fc.asyncProperty(life, async ({ aggregate, sortOrder, steps }) => {
          const id = await bossBoard(aggregate, sortOrder);
          for (const one of steps) {
            game.time.now += minute;
            if (one.do === 'send') await defeat(one.user, one.amount, { team_id: one.team, event_type: one.type });
            if (one.do === 'move' && one.from !== one.to) await move(one.from, one.to);
            if (one.do === 'reset') await game.boards.service.reset(game.projectId, id);
            if (one.do === 'forget') await forget(one.keptMinutes);
            if (one.do === 'rebuild') await boards.apply(id, (await boards.rebuild(id)).id);
            const gone = (error: unknown) => {
              if (!(error instanceof DomainError)) throw error;
            };
            if (one.do === 'remove') await remove(id, 'user', one.user).catch(gone);
            if (one.do === 'removeTeam') await remove(id, 'team', one.team).catch(gone);
            if (one.do === 'move') expect(await rebuilt(id)).toEqual(nothing);
          }
          const shown = async () => Promise.all(MemberType.options.map((memberType) => boards.ranking(id, memberType)));
          const before = await shown();
          const { id: rebuildId, ...made } = await boards.rebuild(id);
          expect(made).toMatchObject(nothing);
          await boards.apply(id, rebuildId);
          expect((await shown())[0]).toEqual(before[0]); // who came first of equals too
          await game.boards.service.delete(game.projectId, id);
        }),
        { numRuns: runs, endOnFailure: true },
      );
    },
    scale(240_000, 3_600_000),
  );
});
