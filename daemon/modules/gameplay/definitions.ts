/**
 * The challenges, battle passes and leaderboards of a project as intake and players need them, kept in memory and read
 * again when their revision has changed. The revision is read in the caller's transaction, so a change takes effect
 * with its commit, on every daemon.
 */
import { LRUCache } from 'lru-cache';
import type { ChallengeCategory } from '../../../src/contract/gameplay/challenge-categories.js';
import type { Challenge } from '../../../src/contract/gameplay/challenges.js';
import type { GameEventDefinition } from '../../../src/contract/gameplay/game-events.js';
import type { Reader, Transaction } from '../../platform/database/database.js';
import {
  definePasses,
  type LevelChallengeDefinition,
  type LevelDefinition,
  type PassDefinition,
} from './battle-passes/definitions.js';
import type { BattlePassStore } from './battle-passes/store.js';
import type { ChallengeStore } from './challenge-store.js';
import { type CountedFacts, countedFacts } from './counted-facts.js';
import type { BoardDefinition } from './leaderboards/board.js';
import type { BoardStore } from './leaderboards/board-store.js';
import type { Tenants } from './tenants.js';

const projectsMax = 1_000;

/** A challenge outside battle passes, with its rules parsed. */
export interface ChallengeDefinition extends CountedFacts {
  readonly kind: 'challenge';
  readonly challenge: Challenge;
  /** Index of its category among the project's. */
  readonly categoryIndex: number;
}

export type CountedDefinition = ChallengeDefinition | LevelChallengeDefinition;

export interface ProjectChallenges {
  /** In their order; `categoryIndex` counts here. */
  readonly categories: readonly ChallengeCategory[];
  /** Challenges that belong to no battle pass, by id. */
  readonly byId: ReadonlyMap<string, ChallengeDefinition>;
  readonly passes: ReadonlyMap<string, PassDefinition>;
  readonly levels: ReadonlyMap<string, LevelDefinition>;
  /** All that are counted, those in levels among them. */
  readonly counted: ReadonlyMap<string, CountedDefinition>;
  readonly byEvent: ReadonlyMap<string, readonly CountedDefinition[]>;
  /** Oldest first. */
  readonly boards: readonly BoardDefinition[];
  readonly boardsByEvent: ReadonlyMap<string, readonly BoardDefinition[]>;
}

interface Entry {
  readonly revision: bigint;
  readonly challenges: ProjectChallenges;
}

const none: ProjectChallenges = {
  categories: [],
  byId: new Map(),
  passes: new Map(),
  levels: new Map(),
  counted: new Map(),
  byEvent: new Map(),
  boards: [],
  boardsByEvent: new Map(),
};

const byEventName = <D extends { readonly event: GameEventDefinition }>(
  definitions: readonly D[],
): Map<string, D[]> => {
  const groups = new Map<string, D[]>();
  for (const definition of definitions) {
    const group = groups.get(definition.event.name);
    if (group === undefined) groups.set(definition.event.name, [definition]);
    else group.push(definition);
  }
  return groups;
};

export class ChallengeDefinitions {
  private readonly projects = new LRUCache<string, Entry>({ max: projectsMax });

  constructor(
    private readonly store: ChallengeStore,
    private readonly battlePasses: BattlePassStore,
    private readonly boards: BoardStore,
    private readonly tenants: Tenants,
  ) {}

  async of(client: Transaction | Reader, projectId: string): Promise<ProjectChallenges> {
    return (await this.ofAll(client, [projectId])).get(projectId) ?? none;
  }

  /** Returns the challenges of the project from memory, which may be outdated. */
  known(projectId: string): ProjectChallenges | undefined {
    return this.projects.peek(projectId)?.challenges;
  }

  async ofAll(client: Transaction | Reader, projectIds: readonly string[]): Promise<Map<string, ProjectChallenges>> {
    const found = new Map<string, ProjectChallenges>();
    for (const [projectId, revision] of await this.store.revisions(client, projectIds)) {
      const known = this.projects.get(projectId);
      const current = known?.revision === revision ? known : await this.load(client, projectId, revision);
      found.set(projectId, current.challenges);
    }
    return found;
  }

  private async load(client: Transaction | Reader, projectId: string, revision: bigint): Promise<Entry> {
    const categories = await this.store.allCategories(client, projectId);
    const tenantId = await this.tenants.tenantIn(client, projectId);
    const alone = (await this.store.allChallenges(client, projectId)).map(
      (challenge): ChallengeDefinition => ({
        kind: 'challenge',
        ...countedFacts(challenge, tenantId, projectId),
        challenge,
        categoryIndex: categories.findIndex(({ id }) => id === challenge.categoryId),
      }),
    );
    const configured = await this.battlePasses.all(client, projectId);
    const passes = definePasses(tenantId, configured.battlePasses, configured.levels);
    const levels = passes.flatMap((pass) => pass.levels);
    const counted = [...alone, ...levels.flatMap(({ challenges }) => challenges)];
    const boards = await this.boards.definitions(client, projectId, tenantId);
    const project: ProjectChallenges = {
      categories,
      byId: new Map(alone.map((definition) => [definition.challenge.id, definition])),
      passes: new Map(passes.map((pass) => [pass.battlePass.id, pass])),
      levels: new Map(levels.map((level) => [level.level.id, level])),
      counted: new Map(counted.map((definition) => [definition.challenge.id, definition])),
      byEvent: byEventName(counted),
      boards,
      boardsByEvent: byEventName(boards),
    };
    const entry = { revision, challenges: project };
    this.projects.set(projectId, entry);
    return entry;
  }
}
