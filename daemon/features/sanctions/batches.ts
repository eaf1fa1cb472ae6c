/**
 * Sanctions by the thousand, as one named batch: all of it or nothing, each line once, and taken back as a whole by
 * events and never by deletion.
 */
import { uuidv7 } from 'uuidv7';
import { DomainError } from '../../../src/contract/errors.js';
import type {
  AppliedSanctions,
  ApplySanctionsRequest,
  BatchLine,
  UndoneSanctions,
} from '../../../src/contract/sanction-batches.js';
import type { Clock } from '../../clock.js';
import type { Database, Transaction } from '../../database/database.js';
import type { ProjectGrant } from '../../http/caller.js';
import type { SanctionDrafts } from './drafts.js';
import type { Enforcement } from './enforcement.js';
import type { SanctionJournal } from './journal.js';
import type { OnCreated } from './service.js';
import type { SanctionRow, SanctionStore } from './store.js';

/** What a line would become: a row that is not there yet, one that is, or a refusal. */
type Outcome = { readonly line: number; readonly draft: SanctionRow | DomainError; readonly applied: string | null };

const namedMax = 50;

export class SanctionBatches {
  constructor(
    private readonly database: Database,
    private readonly sanctions: SanctionStore,
    private readonly drafts: SanctionDrafts,
    private readonly journal: SanctionJournal,
    private readonly enforcement: Enforcement,
    private readonly onCreated: OnCreated,
    private readonly now: Clock,
  ) {}

  /** Throws sanction_batch_refused, sanction_batch_undone. */
  async apply(grant: ProjectGrant, actorId: string, request: ApplySanctionsRequest): Promise<AppliedSanctions> {
    const { batchId = uuidv7(), firstLine, items, dryRun } = request;
    const { projectId } = grant;
    const drafts = await this.drafts.of(grant, actorId, items);
    const inForce = await this.alike(projectId, drafts);
    if (dryRun) {
      const outcomes = await this.compare(this.database.read, projectId, batchId, firstLine, drafts);
      return summary(batchId, true, outcomes, inForce);
    }
    const { outcomes, created } = await this.database.transaction(async (tx) => {
      await this.open(tx, projectId, batchId, actorId);
      const compared = await this.compare(tx, projectId, batchId, firstLine, drafts);
      const rows = compared.flatMap(({ draft, line, applied }) => {
        if (draft instanceof DomainError) return [];
        return applied === null ? [{ ...draft, batchId, batchLine: line }] : [];
      });
      refuseAny(compared);
      await this.sanctions.insert(tx, rows);
      await this.onCreated(tx, await this.journal.created(tx, rows), actorId);
      return { outcomes: compared, created: rows };
    });
    await this.enforcement.enforceAll(created);
    return summary(batchId, false, outcomes, inForce);
  }

  /** Revokes what is still active of the batch. A second time changes nothing. Throws sanction_batch_not_found. */
  async undo(projectId: string, batchId: string, actorId: string, reason: string | null): Promise<UndoneSanctions> {
    const now = this.now();
    const revocation = { revokedAt: now, revokedByUserId: actorId, revokeReason: reason, updatedAt: now };
    const { revoked, size } = await this.database.transaction(async (tx) => {
      const { count } = await tx.sanctionBatch.updateMany({
        where: { projectId, id: batchId },
        data: { updatedAt: now, undoneAt: now, undoneByUserId: actorId },
      });
      if (count === 0) throw new DomainError('sanction_batch_not_found');
      const rows = await this.sanctions.revokeBatch(tx, projectId, batchId, revocation);
      const previous = { status: 'active', revokedAt: null, revokedByUserId: null, revokeReason: null };
      await this.journal.changed(tx, 'sanction.revoked', rows, () => previous);
      return { revoked: rows, size: await this.sanctions.batchSize(tx, projectId, batchId) };
    });
    await this.enforcement.enforceAll(revoked);
    return { batchId, revoked: revoked.length, ended: size - revoked.length };
  }

  /** Makes the batch's row, or waits for whoever else applies the same batch. Throws sanction_batch_undone. */
  private async open(tx: Transaction, projectId: string, id: string, createdByUserId: string): Promise<void> {
    const now = this.now();
    const { undoneAt } = await tx.sanctionBatch.upsert({
      where: { projectId_id: { projectId, id } },
      create: { projectId, id, createdByUserId, createdAt: now, updatedAt: now },
      update: { updatedAt: now },
    });
    if (undoneAt !== null) throw new DomainError('sanction_batch_undone');
  }

  private async compare(
    reader: Parameters<SanctionStore['batchLines']>[0],
    projectId: string,
    batchId: string,
    firstLine: number,
    drafts: readonly (SanctionRow | DomainError)[],
  ): Promise<Outcome[]> {
    const lines = { from: firstLine, to: firstLine + drafts.length - 1 };
    const applied = await this.sanctions.batchLines(reader, projectId, batchId, lines);
    const byLine = new Map(applied.map((row) => [row.batchLine, row]));
    return drafts.map((draft, index) => {
      const line = firstLine + index;
      const before = byLine.get(line);
      if (before === undefined || draft instanceof DomainError) return { line, draft, applied: before?.id ?? null };
      const same = before.type === draft.type && before.externalUserId === draft.externalUserId;
      return { line, draft: same ? draft : new DomainError('sanction_batch_line_differs'), applied: before.id };
    });
  }

  /** Sanctions in force, by kind and person, as far as these drafts name them. */
  private async alike(
    projectId: string,
    drafts: readonly (SanctionRow | DomainError)[],
  ): Promise<Map<string, string[]>> {
    const people = new Set(
      drafts.flatMap((draft) => (draft instanceof DomainError ? [] : (draft.externalUserId ?? []))),
    );
    const found = new Map<string, string[]>();
    for (const row of await this.sanctions.holding(projectId, [...people], this.now()))
      found.set(kindAndPerson(row), [...(found.get(kindAndPerson(row)) ?? []), row.id]);
    return found;
  }
}

const kindAndPerson = ({ type, externalUserId }: Pick<SanctionRow, 'type' | 'externalUserId'>): string =>
  JSON.stringify([type, externalUserId]);

/** Throws sanction_batch_refused, naming the lines. */
function refuseAny(outcomes: readonly Outcome[]): void {
  const details = outcomes.flatMap(({ line, draft }) =>
    draft instanceof DomainError ? [{ path: `line ${line}`, message: draft.message }] : [],
  );
  if (details.length > 0) throw new DomainError('sanction_batch_refused', { details: details.slice(0, namedMax) });
}

function summary(
  batchId: string,
  dryRun: boolean,
  outcomes: readonly Outcome[],
  inForce: ReadonlyMap<string, string[]>,
): AppliedSanctions {
  const lines = outcomes.map(({ line, draft, applied }): BatchLine => {
    if (draft instanceof DomainError)
      return { line, outcome: 'refused', sanctionId: null, inForce: [], code: draft.code, message: draft.message };
    return {
      line,
      outcome: applied === null ? 'created' : 'unchanged',
      sanctionId: applied ?? (dryRun ? null : draft.id),
      inForce: (inForce.get(kindAndPerson(draft)) ?? []).filter((id) => id !== applied),
      code: null,
      message: null,
    };
  });
  const count = (outcome: BatchLine['outcome']): number => lines.filter((line) => line.outcome === outcome).length;
  return {
    batchId,
    dryRun,
    created: count('created'),
    unchanged: count('unchanged'),
    refused: count('refused'),
    lines,
  };
}
