/**
 * Thousands of sanctions as one named batch: applied completely or not at all, each line once, and undone by revoking,
 * never by deletion.
 */
import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '../../../../src/contract/errors.js';
import type {
  AppliedSanctions,
  ApplySanctionsRequest,
  SanctionBatchList,
  SanctionBatchQuery,
  UndoneSanctions,
} from '../../../../src/contract/moderation/sanction-batches.js';
import { addTo } from '../../../platform/collections/add-to.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import type { ProjectGrant } from '../../../platform/http/caller.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { SanctionAuthor } from './basis.js';
import { compare, kindAndPerson, newRows, refuseAny, summary, unknownIds } from './batch-outcomes.js';
import type { BatchStore } from './batch-store.js';
import type { SanctionDrafts } from './drafts.js';
import type { ErasedBans } from './erased-ban-store.js';
import { preparedAnew, type SanctionIssuing } from './issuing.js';
import type { RoomEnforcer } from './room-enforcer.js';
import type { SanctionRow } from './sanction-rows.js';
import type { SanctionStore } from './store.js';
import type { SanctionUndoing } from './undoing.js';

export interface Namesakes {
  /** Returns the external ids of the people who are called by each of the names. */
  namesakesOf(projectId: string, names: readonly string[]): Promise<ReadonlyMap<string, string[]>>;
}

interface SanctionBatchesNeeds {
  readonly database: Database;
  readonly batches: BatchStore;
  readonly sanctions: SanctionStore;
  readonly erasedBans: Pick<ErasedBans, 'batchSizes'>;
  readonly drafts: SanctionDrafts;
  readonly enforcer: RoomEnforcer;
  readonly issuing: SanctionIssuing;
  readonly undoing: SanctionUndoing;
  readonly people: Namesakes;
  readonly now: Clock;
}

type BatchAuthor = SanctionAuthor & { readonly id: string };

export class SanctionBatches {
  constructor(private readonly needs: SanctionBatchesNeeds) {}

  /** Throws sanction_batch_refused, sanction_batch_undone. */
  apply(grant: ProjectGrant, author: BatchAuthor, request: ApplySanctionsRequest): Promise<AppliedSanctions> {
    return preparedAnew(() => this.applied(grant, author, request));
  }

  private async applied(
    grant: ProjectGrant,
    author: BatchAuthor,
    request: ApplySanctionsRequest,
  ): Promise<AppliedSanctions> {
    const { batchId = uuidv7(), firstLine, items, dryRun } = request;
    const { projectId } = grant;
    const drafts = await this.needs.drafts.prepare(grant, author, items);
    const beside = {
      inForce: await this.alike(projectId, drafts),
      namesakes: dryRun ? await this.needs.people.namesakesOf(projectId, unknownIds(drafts)) : new Map(),
    };
    const lines = { from: firstLine, to: firstLine + drafts.length - 1 };
    const applied = await this.needs.sanctions.batchLines(this.needs.database.read, projectId, batchId, lines);
    const foreseen = compare(applied, firstLine, drafts);
    const answer = summary(batchId, dryRun, foreseen, beside);
    if (dryRun) return answer;
    refuseAny(foreseen);
    const prepared = await this.needs.issuing.prepare(newRows(batchId, foreseen), author.id);
    let created = prepared.rows;
    const given = await this.needs.database.transaction(async (tx) => {
      await this.open(tx, projectId, batchId, author.id);
      const before = await this.needs.sanctions.batchLines(tx, projectId, batchId, lines);
      if (isDeepStrictEqual(before, applied)) {
        await this.needs.issuing.store(tx, prepared);
        return answer;
      }
      // If the same batch was sent twice at the same time, lines that the other request has applied meanwhile are left
      // out.
      const compared = compare(before, firstLine, drafts);
      refuseAny(compared);
      created = newRows(batchId, compared);
      if (created.length > 0) await this.needs.issuing.store(tx, await this.needs.issuing.prepare(created, author.id));
      return summary(batchId, false, compared, beside);
    });
    await this.needs.enforcer.applied(created);
    return given;
  }

  /** Newest first. */
  async list(projectId: string, query: SanctionBatchQuery): Promise<SanctionBatchList> {
    const { limit, offset } = query;
    const { rows, total } = await this.needs.batches.list(projectId, query);
    const ids = rows.map(({ id }) => id);
    const sizes = await this.needs.sanctions.batchSizes(projectId, ids, this.needs.now());
    const erased = await this.needs.erasedBans.batchSizes(projectId, ids, this.needs.now());
    const batches = rows.map((row) => ({
      batchId: row.id,
      sanctions: (sizes.all.get(row.id) ?? 0) + (erased.get(row.id) ?? 0),
      active: (sizes.active.get(row.id) ?? 0) + (erased.get(row.id) ?? 0),
      createdByUserId: row.createdByUserId,
      createdAt: row.createdAt.toISOString(),
      undoneAt: row.undoneAt?.toISOString() ?? null,
      undoneByUserId: row.undoneByUserId,
    }));
    return { batches, total, limit, offset };
  }

  /** Revokes what is still active of the batch. A second time changes nothing. Throws sanction_batch_not_found. */
  async undo(projectId: string, batchId: string, actorId: string, reason: string | null): Promise<UndoneSanctions> {
    await this.close(projectId, batchId, actorId);
    const size = await this.sizeOf(projectId, batchId);
    const revoked = await this.needs.undoing.revokeAll(
      projectId,
      { batchId },
      (now, take) => this.needs.sanctions.activeOfBatch(projectId, batchId, now, take),
      { actorId, reason },
    );
    return { batchId, revoked, ended: size - revoked };
  }

  /** Lines of the batch, and what erasures have left of others. */
  private async sizeOf(projectId: string, batchId: string): Promise<number> {
    const { sanctions, undoing, database } = this.needs;
    const erased = await undoing.countErased(projectId, { batchId });
    return (await sanctions.batchSize(database.read, projectId, batchId)) + erased;
  }

  /** From now on no line can be added. Throws sanction_batch_not_found. */
  private async close(projectId: string, id: string, undoneByUserId: string): Promise<void> {
    const undone = await this.needs.database.transaction((tx) =>
      this.needs.batches.markUndone(tx, projectId, id, undoneByUserId, this.needs.now()),
    );
    if (!undone) throw new DomainError('sanction_batch_not_found');
  }

  /**
   * Creates the batch's row, or waits for another request that applies the same batch. Throws sanction_batch_undone.
   */
  private async open(tx: Transaction, projectId: string, id: string, createdByUserId: string): Promise<void> {
    const undoneAt = await this.needs.batches.open(tx, { projectId, id, createdByUserId }, this.needs.now());
    if (undoneAt !== null) throw new DomainError('sanction_batch_undone');
  }

  /** The sanctions in force that these drafts refer to, by kind and person. */
  private async alike(
    projectId: string,
    drafts: readonly (SanctionRow | DomainError)[],
  ): Promise<Map<string, string[]>> {
    const people = new Set(
      drafts.flatMap((draft) => (draft instanceof DomainError ? [] : (draft.externalUserId ?? []))),
    );
    const found = new Map<string, string[]>();
    for (const row of await this.needs.sanctions.inForce(projectId, [...people], this.needs.now()))
      addTo(found, kindAndPerson(row), row.id);
    return found;
  }
}
