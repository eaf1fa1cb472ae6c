/** A project in which anything may happen: what random walks and load do in it, over HTTP as games and studios do. */
import { expect } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { ApiError } from '../../src/client/errors.js';
import { battlePassLevelRoutes } from '../../src/contract/gameplay/battle-pass-levels.js';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { type Aggregate, leaderboardRoutes, type SortOrder } from '../../src/contract/gameplay/leaderboards.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';

/** Calls of an operator, whose key may do everything. */
export interface WalkOperator {
  readonly url: string;
  /** Signed in, for what a key may not do. */
  readonly admin: EarshotClient;
  readonly client: EarshotClient;
  /** As `DATABASE_URL` has it. */
  readonly databaseUrl: string;
  restart(): Promise<void>;
  /** Sets the clock of the daemon forward, or back; a program has that of the machine. */
  readonly jump?: (ms: number) => void;
}

/** The operator of a daemon in this process, whose clock the walk sets. */
export const operatorOf = (daemon: WalkOperator, time: { now: number }): WalkOperator =>
  Object.assign(Object.create(daemon), {
    jump: (ms: number) => {
      time.now += ms;
    },
  });

interface BoardKind {
  readonly aggregate: Aggregate;
  readonly sortOrder: SortOrder;
}

export interface ProjectKind {
  /** Boards from which nobody is excluded: what they show is at any time what a rebuild counts. */
  readonly open: readonly BoardKind[];
  /** Boards with exclusions, which a rebuild applies to what was counted before. */
  readonly judged: readonly BoardKind[];
}

export class WalkProject {
  readonly openBoards: string[] = [];
  readonly judgedBoards: string[] = [];
  readonly challenges: string[] = [];
  readonly passes: string[] = [];
  readonly levels: string[] = [];
  /** What steps have made since. */
  readonly gatherings: { readonly id: string; readonly joinCode: string }[] = [];
  readonly sanctions: string[] = [];
  readonly batches: string[] = [];
  /** Ids of people who have another one since: what they did then may name them. */
  readonly formerIds = new Set<string>();
  /** Other projects in which people have the same ids. */
  siblings: readonly string[] = [];

  private constructor(
    readonly operator: WalkOperator,
    readonly projectId: string,
    private readonly gameKey: string,
    /** External user ids, which nothing else in the database contains but the siblings. */
    readonly people: readonly string[],
  ) {}

  /** Makes two projects with people of the same ids. */
  static async makeTwo(operator: WalkOperator, name: string, kind: ProjectKind): Promise<readonly WalkProject[]> {
    const people = ['ann', 'CORP\\ben', 'say "cem"', '100%_dia', "o'eve", 'fé'].map((one) => `${one} of ${name}.`);
    const made: WalkProject[] = [];
    for (const place of ['here', 'there'])
      made.push(await WalkProject.make(operator, `${name} ${place}`, kind, people));
    for (const one of made) one.siblings = made.filter((other) => other !== one).map(({ projectId }) => projectId);
    return made;
  }

  static async make(
    operator: WalkOperator,
    name: string,
    kind: ProjectKind,
    people: readonly string[],
  ): Promise<WalkProject> {
    const { id: projectId } = await operator.admin.call(projectRoutes.create, { body: { name } });
    const own = { name: 'game', scopes: ['gameplay' as const], projectId };
    const { key } = await operator.admin.call(apiKeyRoutes.create, { body: own });
    const project = new WalkProject(operator, projectId, key, people);
    const create = async (board: BoardKind) => {
      const body = { name: 'Board', eventName: 'defeat-boss', countProperty: 'health', ...board } as const;
      return (await operator.client.call(leaderboardRoutes.create, { params: { projectId }, body })).id;
    };
    for (const one of kind.open) project.openBoards.push(await create(one));
    for (const one of kind.judged) project.judgedBoards.push(await create(one));
    const counted = { name: 'Bosses', eventName: 'defeat-boss', countProperty: 'health', counting: 'total' } as const;
    const params = { projectId };
    for (const goal of [5, 20]) {
      const { id } = await operator.client.call(challengeRoutes.create, { params, body: { ...counted, goal } });
      project.challenges.push(id);
    }
    const { id: passId } = await operator.client.call(battlePassRoutes.create, { params, body: { name: 'Season' } });
    project.passes.push(passId);
    for (const position of [1, 2]) {
      const body = { position, challenges: [{ ...counted, goal: 10 }] };
      const level = { params: { ...params, id: passId }, body };
      project.levels.push((await operator.client.call(battlePassLevelRoutes.create, level)).id);
    }
    return project;
  }

  get client(): EarshotClient {
    return this.operator.client;
  }

  /** Calls of the game's servers. */
  get game(): EarshotClient {
    return new EarshotClient({ baseUrl: this.operator.url, credential: { kind: 'apiKey', key: this.gameKey } });
  }

  get params() {
    return { projectId: this.projectId };
  }

  get boards(): readonly string[] {
    return [...this.openBoards, ...this.judgedBoards];
  }

  board = (id: string) => ({ ...this.params, id });
}

/** Resolves to `ok` or the code of a refusal; fails for whatever is no answer of the contract, and for every 5xx. */
export async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'ok';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.status, `${error.code}: ${error.message}`).toBeLessThan(500);
    return error.code;
  }
}
