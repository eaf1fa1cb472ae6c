/** Steps of a random walk. Each picks from what there is by the numbers of its draw, so that a seed repeats the whole walk. */
import fc from 'fast-check';
import { leaderboardExclusionRoutes } from '../../src/contract/gameplay/leaderboard-exclusions.js';
import { leaderboardRebuildRoutes } from '../../src/contract/gameplay/leaderboard-rebuilds.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { rebuilding } from '../leaderboards/support.js';
import type { WalkProject } from './walk-project.js';

interface Draw {
  readonly who: number;
  readonly other: number;
  readonly which: number;
  readonly amount: number;
}

/** Returns the element that a number stands for; undefined: there is none yet. */
const picked = <T>(list: readonly T[], number: number): T | undefined => list[number % list.length];

/** What a step works with: its people and things. */
class Scene {
  constructor(
    readonly project: WalkProject,
    readonly draw: Draw,
  ) {}

  get client() {
    return this.project.client;
  }
  get params() {
    return this.project.params;
  }
  get user() {
    return picked(this.project.people, this.draw.who) ?? '';
  }
  get otherUser() {
    return picked(this.project.people, this.draw.other) ?? '';
  }
  /** A board whose period does not end. */
  get lastingBoard() {
    return this.project.board(picked(this.project.openBoards, this.draw.which) ?? '');
  }
  get judgedBoard() {
    return this.project.board(picked(this.project.judgedBoards, this.draw.which) ?? '');
  }
}

interface Step {
  readonly weight: number;
  run(scene: Scene): Promise<unknown>;
}

const play = {
  send: {
    weight: 12,
    run: ({ client, params, user, draw: { which, amount } }) =>
      client.call(playerRoutes.sendEvent, {
        params: { ...params, userId: user },
        body: {
          event_name: 'defeat-boss',
          event_type: which % 5 === 0 ? 'group' : 'single',
          meta_data: { health: amount },
          ...(which % 3 === 0 ? {} : { team_id: which % 3 === 1 ? 'red' : 'blue' }),
        },
      }),
  },
  exclude: {
    weight: 2,
    run: ({ client, params, user, judgedBoard: { id } }) =>
      client.call(leaderboardExclusionRoutes.exclude, { params, body: { userId: user, leaderboardId: id } }),
  },
  include: {
    weight: 1,
    run: ({ client, params, user, judgedBoard: { id } }) =>
      client.call(leaderboardExclusionRoutes.include, { params, body: { userId: user, leaderboardId: id } }),
  },
  removeMember: {
    weight: 1,
    run: ({ client, user, lastingBoard: board, draw: { amount } }) =>
      client.call(leaderboardRoutes.removeMember, {
        params: {
          ...board,
          ...(amount % 3 === 0 ? { memberType: 'team', memberId: 'red' } : { memberType: 'user', memberId: user }),
        },
      }),
  },
  reset: { weight: 1, run: ({ client, judgedBoard }) => client.call(leaderboardRoutes.reset, { params: judgedBoard }) },
  rebuild: {
    weight: 1,
    run: async ({ client, user, otherUser, judgedBoard, draw: { amount } }) => {
      const rebuild = rebuilding(client, judgedBoard);
      const made = await rebuild.make(amount % 2 === 0 ? { without: [user] } : { readmit: [otherUser] });
      await rebuild.apply(made.id);
      if (amount % 3 === 0) await rebuild.undo(made.id);
    },
  },
  undoRebuild: {
    weight: 1,
    run: async ({ client, judgedBoard }) => {
      const { rebuilds } = await client.call(leaderboardRebuildRoutes.list, { params: judgedBoard, query: {} });
      const applied = rebuilds.find(({ status }) => status === 'applied');
      if (applied !== undefined) await rebuilding(client, judgedBoard).undo(applied.id);
    },
  },
} satisfies Record<string, Step>;

const people = {
  move: {
    weight: 3,
    run: ({ client, params, user, otherUser }) =>
      client.call(personMoveRoutes.move, { params: { ...params, user }, body: { externalUserId: otherUser } }),
  },
  erase: {
    weight: 1,
    run: ({ client, params, user }) => client.call(personRoutes.erase, { params: { ...params, user } }),
  },
} satisfies Record<string, Step>;

const steps = { ...play, ...people } satisfies Record<string, Step>;
export type StepName = keyof typeof steps;
export type WalkStep = Draw & { readonly do: StepName };

const names = Object.keys(steps).filter((name): name is StepName => Object.hasOwn(steps, name));
const number = fc.nat({ max: 29 });
const walkStep: fc.Arbitrary<WalkStep> = fc.record({
  do: fc.oneof(...names.map((name) => ({ weight: steps[name].weight, arbitrary: fc.constant(name) }))),
  who: number,
  other: number,
  which: number,
  amount: fc.integer({ min: -3, max: 12 }),
});

/** Takes one step; rejects with the refusal of the daemon, where it refuses. */
export const take = (project: WalkProject, { do: name, ...draw }: WalkStep): Promise<unknown> =>
  steps[name].run(new Scene(project, draw));

const boardKind = fc.record({
  aggregate: fc.constantFrom('sum' as const, 'best' as const, 'last' as const),
  sortOrder: fc.constantFrom('desc' as const, 'asc' as const),
});
/** A project with some boards, and what is done in it. */
export const walk = (stepsMin: number, stepsMax: number) =>
  fc.record({
    kind: fc.record({
      open: fc.array(boardKind, { minLength: 2, maxLength: 2 }),
      judged: fc.array(boardKind, { minLength: 1, maxLength: 1 }),
    }),
    steps: fc.array(walkStep, { minLength: stepsMin, maxLength: stepsMax, size: 'max' }),
  });
