/** Reads the audit log: filtered, page by page, with the names that people have today. */
import { type AuditEntry, type AuditFilter, type AuditPage, placeOfEntry } from '../../../src/contract/audit/audit.js';
import { DomainError } from '../../../src/contract/errors.js';
import { bytesOf, WithinBytes } from '../../platform/collections/within-bytes.js';
import { FairTurns } from '../../platform/limits/fair-turns.js';
import type { ParticipantDirectory } from '../people/directory.js';
import { actionsMeant } from './actions.js';
import { placeAt } from './cursor.js';
import type { AuditScope, AuditSearch, AuditStore } from './store.js';

/** Entries of a batch name thousands of people. */
const entriesAtOnce = 50;

export class AuditService {
  private readonly turns = new FairTurns('audit_reads');

  constructor(
    private readonly store: AuditStore,
    private readonly people: Pick<ParticipantDirectory, 'meant' | 'isName' | 'byIds' | 'byExternalIds'>,
  ) {}

  /** Returns a page that ends at its limit of entries or of bytes. Tenants take turns. */
  async page(scope: AuditScope, filter: AuditFilter, limit: number): Promise<AuditPage> {
    const search = await this.search(scope, filter);
    const space = new WithinBytes();
    const entries: AuditEntry[] = [];
    let { after } = search;
    for (;;) {
      const atOnce = Math.min(limit - entries.length, entriesAtOnce);
      const from = after;
      const part = await this.turns.run(scope.tenantId, () => this.read({ ...search, after: from }, atOnce));
      for (const entry of part.entries) {
        const last = entries.at(-1);
        if (!space.reserve(bytesOf(entry)) && last !== undefined) return { entries, next: placeOfEntry(last) };
        entries.push(entry);
      }
      if (part.next === null || entries.length >= limit) return { entries, next: part.next };
      after = placeAt(part.next);
    }
  }

  /**
   * Resolves a filter into a search, with the ids of the people whom it names. Throws validation_failed for a name in
   * the whole tenant.
   */
  async search(scope: AuditScope, filter: AuditFilter): Promise<AuditSearch> {
    const { actor = null, target, action, since, until, after } = filter;
    return {
      ...scope,
      actor,
      actions: action === undefined ? null : actionsMeant(action),
      targets: target === undefined ? null : { name: target, ids: await this.idsOf(scope, target) },
      since: since === undefined ? null : new Date(since),
      until: until === undefined ? null : new Date(until),
      after: after === undefined ? null : placeAt(after),
    };
  }

  async read(search: AuditSearch, limit: number): Promise<AuditPage> {
    const rows = await this.store.page(search, limit + 1);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const next = rows.length > limit && last !== undefined ? placeOfEntry(last) : null;
    return { entries: await this.withNames(shown), next };
  }

  private async idsOf(scope: AuditScope, target: string): Promise<string[]> {
    const { projectId, tenantId } = scope;
    if (projectId !== null) {
      const people = await this.people.meant(projectId, target);
      return [target, ...people.flatMap(({ id, externalUserId }) => [id, externalUserId])];
    }
    // Projects may call different people the same, so a name is looked up in one of them.
    if (!(await this.store.shows(scope, target)) && (await this.people.isName(tenantId, target)))
      throw new DomainError('validation_failed', {
        details: [
          { path: 'query.target', message: 'is the name of a person; search within their project, or send their id' },
        ],
      });
    return [target];
  }

  private async withNames(entries: readonly AuditEntry[]): Promise<AuditEntry[]> {
    const named = new Map<string, string>();
    const players = new Map<string, string>();
    for (const projectId of new Set(entries.flatMap((entry) => entry.projectId ?? []))) {
      const targets = entries
        .filter((entry) => entry.projectId === projectId)
        .flatMap((entry) => [entry.actor, ...entry.targets]);
      const ids = (kind: string) => [
        ...new Set(targets.filter((one) => one.kind === kind).flatMap(({ id }) => id ?? [])),
      ];
      for (const person of [
        ...(await this.people.byExternalIds(projectId, ids('person'))),
        ...(await this.people.byIds(projectId, ids('participant'))),
      ]) {
        named.set(`${projectId} person ${person.externalUserId}`, person.displayName);
        named.set(`${projectId} participant ${person.id}`, person.displayName);
        players.set(person.id, `player ${person.externalUserId}`);
      }
    }
    return entries.map(({ targets, actor, ...entry }) => ({
      ...entry,
      actor: actor.kind === 'participant' ? { ...actor, name: players.get(actor.id ?? '') ?? null } : actor,
      targets: targets.map((one) => ({
        ...one,
        name: one.name ?? named.get(`${entry.projectId} ${one.kind} ${one.id}`) ?? null,
      })),
    }));
  }
}
