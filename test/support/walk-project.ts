/** A project in which anything may happen: what random walks and load do in it, over HTTP as games and studios do. */
import { expect } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { ApiError } from '../../src/client/errors.js';
import { type Aggregate, leaderboardRoutes, type SortOrder } from '../../src/contract/gameplay/leaderboards.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';

/** Calls of operators, who may do everything; after a restart there is a new one. */
export interface Operator {
  readonly admin: EarshotClient;
  /** As `DATABASE_URL` has it. */
  readonly databaseUrl: string;
}

export interface BoardKind {
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

  private constructor(
    readonly operator: Operator,
    readonly projectId: string,
    /** External user ids, which nothing else in the database contains. */
    readonly people: readonly string[],
  ) {}

  static async make(operator: Operator, name: string, kind: ProjectKind): Promise<WalkProject> {
    const { id: projectId } = await operator.admin.call(projectRoutes.create, { body: { name } });
    const people = ['ann', 'CORP\\ben', 'say "cem"', '100%_dia', "o'eve", 'fé'].map((one) => `${one} of ${name}.`);
    const project = new WalkProject(operator, projectId, people);
    const create = async (board: BoardKind) => {
      const body = { name: 'Board', eventName: 'defeat-boss', countProperty: 'health', ...board } as const;
      return (await operator.admin.call(leaderboardRoutes.create, { params: { projectId }, body })).id;
    };
    for (const one of kind.open) project.openBoards.push(await create(one));
    for (const one of kind.judged) project.judgedBoards.push(await create(one));
    return project;
  }

  get client(): EarshotClient {
    return this.operator.admin;
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
