/** Rows of the audit log. */
import type { AuditEntry } from '../../../src/contract/audit/audit.js';
import { auditActorKinds, auditOutcomes } from '../../../src/contract/audit/audit.js';
import { foldCase } from '../../../src/text/fold.js';
import { oneOf } from '../../platform/database/column-values.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import { asLostRace } from '../../platform/database/errors.js';
import { rowsAtOnce } from '../../platform/database/slices.js';
import type { HeldId } from '../../platform/person-records.js';
import type { AuditPosition } from './cursor.js';
import { madeWhileHeld } from './held-entries.js';
import { auditStatements, entryRows, targetRows } from './sql.js';
import { type ActionTarget, erasedId, hasName, personKinds } from './targets.js';

const erased = { targetId: erasedId, name: null, nameKey: null } as const;
const people = { in: [...personKinds] };

/** Selects the entries of a project, or those of a tenant with the operator's on the whole installation. */
export interface AuditScope {
  readonly tenantId: string;
  /** null: the whole tenant. */
  readonly projectId: string | null;
}

export interface AuditSearch extends AuditScope {
  readonly actor: string | null;
  /** Ids, any of which is the target; null: whatever it is. */
  readonly targets: { readonly ids: readonly string[]; readonly name: string } | null;
  /** Any of these; null: whatever it is. */
  readonly actions: readonly string[] | null;
  readonly since: Date | null;
  readonly until: Date | null;
  /** Everything behind this place, which is older. */
  readonly after: AuditPosition | null;
}

type Stored = Omit<AuditEntry, 'at'> & { readonly at: Date };

const newestFirst = [{ at: 'desc' as const }, { id: 'desc' as const }];
const withTargets = { include: { targets: { orderBy: { place: 'asc' as const } } } };

const rowsOf = (entryId: string, projectId: string | null, targets: readonly ActionTarget[], behind = 0) =>
  targets.map(({ kind, id, name }, index) => ({
    entryId,
    place: behind + index,
    projectId,
    kind,
    targetId: id,
    name,
    nameKey: name === null ? null : foldCase(name),
  }));

export class AuditStore {
  private readonly sql;

  constructor(private readonly database: Database) {
    this.sql = auditStatements[database.dialect];
  }

  /** Throws LostRace where the entry is stored already. */
  async insert(tx: Transaction, { targets, actor, changed, ...entry }: Stored): Promise<void> {
    const { kind: actorKind, id: actorId, name: actorName } = actor;
    const actorKey = actorName === null ? null : foldCase(actorName);
    const row = { ...entry, actorKind, actorId, actorName, actorKey, changed: JSON.stringify(changed) };
    const entries = entryRows.text([row]);
    const rows = rowsOf(entry.id, entry.projectId, targets);
    const { insertEntries, insertBoth } = this.sql;
    if (insertBoth !== null && rows.length > 0)
      return void (await tx.$executeRawUnsafe(insertBoth, entries, targetRows.text(rows)).catch(asLostRace));
    await tx.$executeRawUnsafe(insertEntries, entries).catch(asLostRace);
    await this.insertTargets(tx, rows);
  }

  /**
   * Adds what became known of the entry after its transaction. Targets that it has stay, because a person may have been
   * erased from them.
   */
  addTargets = (
    tx: Transaction,
    { id, projectId, targets }: Pick<Stored, 'id' | 'projectId' | 'targets'>,
    more: readonly ActionTarget[],
  ) => this.insertTargets(tx, rowsOf(id, projectId, more, targets.length));

  fail = (tx: Transaction, id: string) => tx.auditEntry.updateMany({ where: { id }, data: { outcome: 'failed' } });

  /** The name that something had when it was last recorded with one. */
  async lastName(tx: Transaction, { kind, id }: ActionTarget): Promise<string | null> {
    if (!hasName(kind)) return null;
    const [row] = await tx.$queryRawUnsafe<{ name: string }[]>(this.sql.lastName, id, kind);
    return row?.name ?? null;
  }

  private async insertTargets(tx: Transaction, rows: ReturnType<typeof rowsOf>): Promise<void> {
    if (rows.length > 0) await tx.$executeRawUnsafe(this.sql.insertTargets, targetRows.text(rows));
  }

  /** True if an entry shows something with this id or name. */
  async shows(scope: AuditScope, text: string): Promise<boolean> {
    const where = { ...isOneOf({ ids: [text], name: text }), entry: inScope(scope) };
    return (await this.database.read.auditTarget.findFirst({ where, select: { place: true } })) !== null;
  }

  /** Newest first. */
  async page(search: AuditSearch, take: number): Promise<AuditEntry[]> {
    const rows = await this.database.read.auditEntry.findMany({
      where: { AND: conditions(search) },
      orderBy: newestFirst,
      take,
      ...withTargets,
    });
    return rows.map(({ actorKind, actorId, actorName, actorKey: _, targets, ...row }) => ({
      ...row,
      at: row.at.toISOString(),
      actor: { kind: oneOf(auditActorKinds, actorKind) ?? 'operator', id: actorId, name: actorName },
      outcome: oneOf(auditOutcomes, row.outcome) ?? 'done',
      changed: JSON.parse(row.changed),
      targets: targets.map(({ kind, targetId, name }) => ({ kind, id: targetId, name })),
    }));
  }

  /**
   * Erases a person from every entry of the project about them, with targets that have the same id, such as a room of their
   * own.
   */
  async erase(tx: Transaction, projectId: string, heldIds: readonly HeldId[]): Promise<void> {
    for (const held of heldIds) {
      const ofPerson = { id: madeWhileHeld(held), targets: { some: { projectId, kind: 'person', targetId: held.id } } };
      await tx.auditEntry.updateMany({ where: ofPerson, data: { requestId: null } });
      await tx.auditTarget.updateMany({ where: { targetId: held.id, entry: ofPerson }, data: erased });
    }
  }

  /** Erases all people of a removed project from its entries, some at a time; the entries stay. */
  async eraseSomePeople(projectId: string): Promise<number> {
    return this.database.transaction(async (tx) => {
      const rows = await tx.auditTarget.findMany({
        where: { projectId, kind: people, targetId: { not: erasedId } },
        select: { entryId: true, targetId: true },
        take: rowsAtOnce / 2, // two values of each go into the next query
      });
      const of = { entryId: { in: rows.map((row) => row.entryId) }, targetId: { in: rows.map((row) => row.targetId) } };
      return (await tx.auditTarget.updateMany({ where: of, data: erased })).count;
    });
  }
}

const inScope = ({ tenantId, projectId }: AuditScope) =>
  projectId === null ? { OR: [{ tenantId }, { tenantId: null }] } : { projectId };
const isOneOf = ({ ids, name }: NonNullable<AuditSearch['targets']>) => ({
  OR: [{ targetId: { in: [...ids] } }, { nameKey: foldCase(name) }],
});

function conditions({ actor, targets, actions, since, until, after, ...scope }: AuditSearch): object[] {
  const given: (object | null)[] = [
    inScope(scope),
    actor === null ? null : { OR: [{ actorId: actor }, { actorKey: foldCase(actor) }] },
    targets === null ? null : { targets: { some: isOneOf(targets) } },
    actions === null ? null : { action: { in: [...actions] } },
    since === null ? null : { at: { gte: since } },
    until === null ? null : { at: { lt: until } },
    // The first condition lets the index begin at the place.
    after === null ? null : { at: { lte: after.at }, OR: [{ at: { lt: after.at } }, { id: { lt: after.id } }] },
  ];
  return given.filter((one) => one !== null);
}
