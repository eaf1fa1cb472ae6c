/**
 * The challenges of a project as intake and players need them, kept in memory and read again when their revision has
 * changed. The revision is read in the caller's transaction, so a change takes effect with its commit, on every daemon.
 */
import { LRUCache } from 'lru-cache';
import type { Challenge, ChallengeCategory } from '../../../src/contract/gameplay/challenges.js';
import { findGameEvent, type GameEventDefinition } from '../../../src/contract/gameplay/game-events.js';
import type { Reader, Transaction } from '../../platform/database/database.js';
import type { ChallengeStore } from './challenge-store.js';
import type { ChallengeRules } from './rules.js';

const projectsMax = 1_000;

/** A challenge with its rules parsed. */
export interface ChallengeDefinition extends ChallengeRules {
  readonly challenge: Challenge;
  readonly tenantId: string;
  readonly event: GameEventDefinition;
  /** Index of its category among the project's. */
  readonly categoryIndex: number;
}

export interface ProjectChallenges {
  /** In their order; `categoryIndex` counts here. */
  readonly categories: readonly ChallengeCategory[];
  readonly byId: ReadonlyMap<string, ChallengeDefinition>;
  readonly byEvent: ReadonlyMap<string, readonly ChallengeDefinition[]>;
}

interface Entry {
  readonly revision: bigint;
  readonly challenges: ProjectChallenges;
}

const none: ProjectChallenges = { categories: [], byId: new Map(), byEvent: new Map() };

const define = (
  challenge: Challenge,
  tenantId: string,
  categories: readonly ChallengeCategory[],
): ChallengeDefinition => {
  const event = findGameEvent(challenge.eventName);
  if (event === null) throw new Error(`Challenge ${challenge.id} counts an event that is not in the catalogue.`);
  return {
    ...challenge,
    liveDate: challenge.liveDate === null ? null : new Date(challenge.liveDate),
    challenge,
    tenantId,
    event,
    categoryIndex: categories.findIndex(({ id }) => id === challenge.categoryId),
  };
};

const byEventName = (definitions: readonly ChallengeDefinition[]): Map<string, ChallengeDefinition[]> => {
  const groups = new Map<string, ChallengeDefinition[]>();
  for (const definition of definitions) {
    const group = groups.get(definition.event.name);
    if (group === undefined) groups.set(definition.event.name, [definition]);
    else group.push(definition);
  }
  return groups;
};

export class ChallengeDefinitions {
  private readonly projects = new LRUCache<string, Entry>({ max: projectsMax });

  constructor(private readonly store: ChallengeStore) {}

  async of(client: Transaction | Reader, projectId: string): Promise<ProjectChallenges> {
    return (await this.ofAll(client, [projectId])).get(projectId) ?? none;
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
    const tenantId = await this.store.tenantOf(client, projectId);
    const challenges = await this.store.allChallenges(client, projectId);
    const definitions = challenges.map((challenge) => define(challenge, tenantId, categories));
    const project: ProjectChallenges = {
      categories,
      byId: new Map(definitions.map((definition) => [definition.challenge.id, definition])),
      byEvent: byEventName(definitions),
    };
    const entry = { revision, challenges: project };
    this.projects.set(projectId, entry);
    return entry;
  }
}
