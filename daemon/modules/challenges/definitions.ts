/** The challenges and battle passes of a project, as counting and players need them. */
import type { ChallengeCategory } from '../../../src/contract/gameplay/challenge-categories.js';
import type { Challenge } from '../../../src/contract/gameplay/challenges.js';
import type { Database } from '../../platform/database/database.js';
import { byEventName, ProjectDefinitions, type Tenants } from '../game-events/project-definitions.js';
import type { RevisionStore } from '../game-events/revision-store.js';
import {
  definePasses,
  type LevelChallengeDefinition,
  type LevelDefinition,
  type PassDefinition,
} from './battle-passes/definitions.js';
import type { BattlePassStore } from './battle-passes/store.js';
import type { ChallengeStore } from './challenge-store.js';
import { type CountedFacts, countedFacts } from './counted-facts.js';

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
}

const none: ProjectChallenges = {
  categories: [],
  byId: new Map(),
  passes: new Map(),
  levels: new Map(),
  counted: new Map(),
  byEvent: new Map(),
};

export type ChallengeDefinitions = ProjectDefinitions<ProjectChallenges>;

interface ChallengeSources {
  readonly database: Pick<Database, 'read' | 'shareTurn'>;
  readonly revisions: RevisionStore;
  readonly challenges: ChallengeStore;
  readonly passes: BattlePassStore;
  readonly tenants: Tenants;
}

export function challengeDefinitions({ database, revisions, challenges, passes, tenants }: ChallengeSources) {
  return new ProjectDefinitions<ProjectChallenges>(database, revisions, none, async (client, projectId) => {
    const categories = await challenges.allCategories(client, projectId);
    const tenantId = await tenants.tenantIn(client, projectId);
    const alone = (await challenges.allChallenges(client, projectId)).map(
      (challenge): ChallengeDefinition => ({
        kind: 'challenge',
        ...countedFacts(challenge, tenantId, projectId),
        challenge,
        categoryIndex: categories.findIndex(({ id }) => id === challenge.categoryId),
      }),
    );
    const configured = await passes.all(client, projectId);
    const defined = definePasses(tenantId, configured.battlePasses, configured.levels);
    const levels = defined.flatMap((pass) => pass.levels);
    const counted = [...alone, ...levels.flatMap(({ challenges: inLevel }) => inLevel)];
    return {
      categories,
      byId: new Map(alone.map((definition) => [definition.challenge.id, definition])),
      passes: new Map(defined.map((pass) => [pass.battlePass.id, pass])),
      levels: new Map(levels.map((level) => [level.level.id, level])),
      counted: new Map(counted.map((definition) => [definition.challenge.id, definition])),
      byEvent: byEventName(counted),
    };
  });
}
