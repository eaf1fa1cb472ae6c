/** Random lives of boards against the plain model: events, members taken off, rebuilds, undos and resets. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DomainError } from '../../src/contract/errors.js';
import { MemberType } from '../../src/contract/gameplay/leaderboards.js';
import { databases, type TestDatabase } from '../support/database.js';
import { type Game, openGame } from '../support/game.js';
import { scale } from '../support/scale.js';
import { BoardModel, type Sent } from './model.js';
import { boardsOf } from './support.js';

const runs = scale(4, 2_000);
const users = ['ann', 'ben', 'cem', 'dia'];
const user = fc.constantFrom(...users);
const sent = fc.record({
  user,
  team: fc.constantFrom(null, 'red', 'blue'),
  // few, so that scores are equal often; two of the largest lie beyond what a score shows
  amount: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: -1, max: 3 }) },
    { weight: 1, arbitrary: fc.constantFrom(Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER) },
  ),
  type: fc.constantFrom('single' as const, 'single' as const, 'group' as const),
});
type Step =
  | { readonly do: 'send'; readonly events: readonly Sent[] }
  | { readonly do: 'remove'; readonly memberType: MemberType; readonly member: string }
  | {
      readonly do: 'rebuild';
      readonly without: readonly string[];
      readonly meanwhile: readonly Sent[];
      readonly undo: boolean;
    }
  | { readonly do: 'reset' };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('send' as const), events: fc.array(sent, { minLength: 1, maxLength: 12 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('remove' as const),
      memberType: fc.constant('user' as const),
      member: user,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('remove' as const),
      memberType: fc.constant('team' as const),
      member: fc.constantFrom('red', 'blue'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('rebuild' as const),
      without: fc.uniqueArray(user, { maxLength: 2 }),
      meanwhile: fc.array(sent, { maxLength: 4 }),
      undo: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reset' as const) }) },
);
const life = fc.record({
  aggregate: fc.constantFrom('sum' as const, 'best' as const, 'last' as const),
  sortOrder: fc.constantFrom('desc' as const, 'asc' as const),
  steps: fc.array(step, { minLength: 3, maxLength: scale(12, 40) }),
});

describe.each(databases.filter(({ here }) => here))('boards on $name', ({ open }) => {
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

  it(
    'say what the plain model says, after every step, from memory and from the table',
    async () => {
      await fc.assert(
        fc.asyncProperty(life, async ({ aggregate, sortOrder, steps }) => {
          const { projectId, intake, backEnd, time } = game;
          const boards = boardsOf(game);
          const id = await boards.create({ eventName: 'defeat-boss', countProperty: 'health', aggregate, sortOrder });
          const model = new BoardModel(aggregate, sortOrder);
          const send = async (events: readonly Sent[]) => {
            for (const event of events) {
              time.now += 1;
              const { user: user_id, team: team_id, amount, type: event_type } = event;
              await intake.submit(
                backEnd,
                { user_id, team_id, event_type, event_name: 'defeat-boss', meta_data: { health: amount } },
                null,
              );
              model.events.push(event);
            }
          };
          const rebuild = async ({ without, meanwhile, undo }: Extract<Step, { do: 'rebuild' }>) => {
            const before = model.excluded;
            const made = await boards.rebuild(id, { without: [...without] });
            expect(await shown()).toEqual(expected());
            await send(meanwhile);
            model.excluded = new Set([...before, ...without]);
            await boards.apply(id, made.id);
            if (!undo) return;
            expect(await shown()).toEqual(expected());
            await boards.undo(id, made.id);
            model.excluded = before;
          };
          const act = async (one: Step) => {
            time.now += 1;
            if (one.do === 'send') await send(one.events);
            if (one.do === 'rebuild') await rebuild(one);
            if (one.do === 'reset') {
              await game.boards.service.reset(projectId, id);
              model.began = model.events.length;
            }
            if (one.do !== 'remove') return;
            const stands = model.ranking(one.memberType).some((line) => line.split(' ')[1] === one.member);
            const code = await game.boards.service.removeMember(projectId, id, one.memberType, one.member).then(
              () => null,
              (error: unknown) => (error instanceof DomainError ? error.code : error),
            );
            expect(code).toBe(stands ? null : 'leaderboard_member_not_found');
            if (stands) model.since.set(`${one.memberType} ${one.member}`, model.events.length);
          };
          const expected = () => MemberType.options.map((memberType) => model.ranking(memberType));
          const shown = async () => {
            const { definition, period } = await boards.period(id);
            const { rankings } = game.boards;
            const kinds: string[][] = [];
            for (const memberType of MemberType.options) {
              const of = { definition, period, memberType };
              const { places, total } = await rankings.page(of, 0, 100);
              expect(total).toBe(places.length);
              for (const place of places)
                expect((await rankings.member(of, place.memberId, null)).place).toEqual(place);
              if (memberType === 'user')
                for (const { memberId, rank, score } of places)
                  expect(await rankings.ranksOf(projectId, memberId)).toEqual([
                    { definition, period, rank, score, members: total },
                  ]);
              kinds.push(places.map(({ rank, memberId, score }) => `${rank} ${memberId} ${score}`));
            }
            return kinds;
          };
          for (const one of steps) {
            await act(one);
            expect(await shown()).toEqual(expected());
          }
          await game.boards.service.delete(projectId, id);
        }),
        { numRuns: runs, endOnFailure: true },
      );
    },
    scale(120_000, 3_600_000),
  );
});
