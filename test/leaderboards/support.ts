/** Shared parts of the suites of leaderboards: a game with boards, and rebuilds that are waited for. */
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll } from 'vitest';
import type { z } from 'zod';
import { personRename } from '../../daemon/platform/database/person-rows.js';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import {
  type LeaderboardRebuild,
  RebuildLeaderboardRequest,
  leaderboardRebuildRoutes as routes,
} from '../../src/contract/gameplay/leaderboard-rebuilds.js';
import { CreateLeaderboardRequest, type MemberType } from '../../src/contract/gameplay/leaderboards.js';
import type { TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type Game, openGame } from '../support/game.js';
import { scale } from '../support/scale.js';

/** At full scale a board has tens of thousands of events, and the machine much to do. */
const patienceMs = scale(30_000, 600_000);

type Asked = Partial<z.input<typeof RebuildLeaderboardRequest>>;

/** Rebuilds over HTTP; each call resolves when the daemon has done it. */
export const rebuilding = (client: EarshotClient, board: { readonly projectId: string; readonly id: string }) => {
  const ended = (begun: LeaderboardRebuild, status: LeaderboardRebuild['status']) =>
    eventually(async () => {
      const rebuild = await client.call(routes.get, { params: { ...board, rebuildId: begun.id } });
      if (rebuild.status !== status) throw new Error(`The rebuild is ${rebuild.status}.`);
      return rebuild;
    }, patienceMs);
  const params = (rebuildId: string) => ({ ...board, rebuildId });
  return {
    make: async (body: Asked) => ended(await client.call(routes.make, { params: board, body }), 'ready'),
    apply: async (id: string) => ended(await client.call(routes.apply, { params: params(id) }), 'applied'),
    undo: async (id: string) => ended(await client.call(routes.undo, { params: params(id) }), 'undone'),
  };
};

/** Boards of a game whose services are called directly, on a clock that the test moves. */
export const boardsOf = (game: Game) => {
  const { service, rankings, rebuilds, rebuildJobs } = game.boards;
  const done = async (id: string, begun: LeaderboardRebuild): Promise<LeaderboardRebuild> => {
    await rebuildJobs.work();
    return rebuilds.get(game.projectId, id, begun.id);
  };
  return {
    async create(more: Partial<CreateLeaderboardRequest> = {}): Promise<string> {
      game.time.now += 1; // events of boards before do not count on this one
      const request = CreateLeaderboardRequest.parse({ name: 'Kills', eventName: 'kill-enemy', ...more });
      return (await service.create(game.projectId, request)).id;
    },

    /** The period that runs, or an earlier one. */
    async period(id: string, periodId?: string) {
      const definition = await rankings.find(game.projectId, id);
      return { definition, period: await rankings.period(definition, periodId) };
    },

    /** One line a member: rank, id, score. */
    async ranking(id: string, memberType: MemberType = 'user', periodId?: string): Promise<string[]> {
      const { places } = await rankings.page({ ...(await this.period(id, periodId)), memberType }, 0, 100);
      return places.map(({ rank, memberId, score }) => `${rank} ${memberId} ${score}`);
    },

    ask: (id: string, asked: Asked = {}) => rebuilds.make(game.projectId, id, RebuildLeaderboardRequest.parse(asked)),
    async rebuild(id: string, asked: Asked = {}) {
      return done(id, await this.ask(id, asked));
    },
    apply: async (id: string, rebuildId: string) => done(id, await rebuilds.apply(game.projectId, id, rebuildId)),
    undo: async (id: string, rebuildId: string) => done(id, await rebuilds.undo(game.projectId, id, rebuildId)),
  };
};

/** Moves a player of a game whose services are called directly, as a person is moved: boards first, then the events. */
export const movingOn = (game: Game) => async (from: string, to: string) => {
  const person = { projectId: game.projectId, id: uuidv7(), from, to, joinedId: null };
  await game.database.transaction(async (tx) => {
    for (const steps of [game.boards.move, personRename(game.database)]) await steps.obstacles?.(tx, person);
    for (const steps of [game.boards.move, personRename(game.database)]) await steps.merge?.(tx, person);
  });
};

interface OpenedBoards {
  readonly game: Game;
  readonly boards: ReturnType<typeof boardsOf>;
  readonly move: ReturnType<typeof movingOn>;
}

/** Opens a game with boards before the suite, and closes it after. */
export const useBoards = (open: () => Promise<TestDatabase>, begin: (opened: OpenedBoards) => void): void => {
  let opened: TestDatabase;
  let game: Game;
  beforeAll(async () => {
    opened = await open();
    game = await openGame(opened.database);
    begin({ game, boards: boardsOf(game), move: movingOn(game) });
  }, 60_000);
  afterAll(async () => {
    await game.intake.stop();
    await opened.close();
  });
};
