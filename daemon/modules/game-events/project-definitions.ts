/**
 * Definitions of a project, such as its challenges, kept in memory and read again when the project's revision has
 * changed. The revision is read in the caller's transaction, so a change takes effect with its commit, on every daemon.
 */
import { LRUCache } from 'lru-cache';
import type { GameEventDefinition } from '../../../src/contract/gameplay/game-events.js';
import { BatchedLookup } from '../../platform/database/batched-lookup.js';
import type { Database, DatabaseClient, Transaction } from '../../platform/database/database.js';
import type { RevisionStore } from './revision-store.js';

/** Reads of tenants that definitions need. */
export interface Tenants {
  /** Tenant of a project that exists, as the transaction sees it. Never changes. */
  tenantIn(client: DatabaseClient, projectId: string): Promise<string>;
}

interface CachedDefinitions<T> {
  readonly revision: bigint;
  readonly definitions: T;
}

/** A change whose check must see what players have begun takes this turn before it checks. */
export const turnOfDefinitions = (projectId: string): string => `definitions:${projectId}`;

const projectsMax = 1_000;

export class ProjectDefinitions<T> {
  private readonly projects = new LRUCache<string, CachedDefinitions<T>>({ max: projectsMax });

  private readonly committed: BatchedLookup<bigint>;

  /** @param none definitions of a project in which nothing was ever configured */
  constructor(
    private readonly database: Pick<Database, 'read' | 'shareTurn'>,
    private readonly revisions: Pick<RevisionStore, 'find'>,
    private readonly none: T,
    private readonly load: (client: DatabaseClient, projectId: string) => Promise<T>,
  ) {
    this.committed = new BatchedLookup((projectIds) => revisions.find(database.read, projectIds));
  }

  async get(tx: Transaction, projectId: string): Promise<T> {
    return (await this.getAll(tx, [projectId])).get(projectId) ?? this.none;
  }

  /** Returns the definitions as they stay until the transaction ends, wherever a change takes `turnOfDefinitions`. */
  async getUnchanging(tx: Transaction, projectId: string): Promise<T> {
    await this.database.shareTurn(tx, turnOfDefinitions(projectId));
    return this.get(tx, projectId);
  }

  /** As `getUnchanging`, of several projects. */
  async getAllUnchanging(tx: Transaction, projectIds: readonly string[]): Promise<Map<string, T>> {
    if (projectIds.length === 0) return new Map();
    for (const projectId of [...projectIds].sort()) await this.database.shareTurn(tx, turnOfDefinitions(projectId));
    return this.getAll(tx, projectIds);
  }

  /** Returns the committed definitions, outside a transaction. */
  async current(projectId: string): Promise<T> {
    const revision = (await this.committed.getAll([projectId])).get(projectId);
    if (revision === undefined) return this.none;
    return (await this.getAt(this.database.read, new Map([[projectId, revision]]))).get(projectId) ?? this.none;
  }

  async getAll(tx: Transaction, projectIds: readonly string[]): Promise<Map<string, T>> {
    return this.getAt(tx, await this.revisions.find(tx, projectIds));
  }

  /** @param revisions as they were read in the same transaction */
  async getAt(client: DatabaseClient, revisions: ReadonlyMap<string, bigint>): Promise<Map<string, T>> {
    const found = new Map<string, T>();
    for (const [projectId, revision] of revisions) {
      const known = this.projects.get(projectId);
      const current =
        known?.revision === revision ? known : { revision, definitions: await this.load(client, projectId) };
      if (current !== known) this.projects.set(projectId, current);
      found.set(projectId, current.definitions);
    }
    return found;
  }

  /** Returns the definitions of the project from memory, which may be outdated. */
  known(projectId: string): T | undefined {
    return this.projects.peek(projectId)?.definitions;
  }
}

/** Groups definitions by the name of the event that they count. */
export function byEventName<D extends { readonly event: GameEventDefinition }>(
  definitions: readonly D[],
): Map<string, D[]> {
  const groups = new Map<string, D[]>();
  for (const definition of definitions) {
    const group = groups.get(definition.event.name);
    if (group === undefined) groups.set(definition.event.name, [definition]);
    else group.push(definition);
  }
  return groups;
}
