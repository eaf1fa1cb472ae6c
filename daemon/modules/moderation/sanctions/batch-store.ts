/** Rows of sanction batches. The row is locked, so that two requests do not apply the same batch at the same time. */
import { z } from 'zod';
import type { SanctionBatchQuery } from '../../../../src/contract/moderation/sanction-batches.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { madeWithin } from '../../../platform/database/made-within.js';
import { valuesIn } from '../../../platform/database/row-page.js';
import { batchRows, batchStatements } from './sql.js';

interface NewBatch {
  readonly projectId: string;
  readonly id: string;
  readonly createdByUserId: string;
}

/** Batches after a cursor, in the order of the list. Throws validation_failed. */
function afterBatch(cursor: string) {
  const [time, id] = valuesIn(cursor, z.tuple([z.iso.datetime(), z.string()]));
  const createdAt = new Date(time);
  return { OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { gt: id } }] };
}

export class BatchStore {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async list(projectId: string, { limit: take, offset: skip, after, createdByUserId, ...made }: SanctionBatchQuery) {
    const where = { projectId, createdByUserId, ...madeWithin(made) };
    const [rows, total] = await Promise.all([
      this.database.read.sanctionBatch.findMany({
        where: { ...where, ...(after === undefined ? {} : afterBatch(after)) },
        orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
        take,
        skip,
      }),
      this.database.read.sanctionBatch.count({ where }),
    ]);
    return { rows, total };
  }

  /**
   * Creates the batch's row, or waits for another request that applies the batch; returns when it was undone, or null.
   */
  async open(tx: Transaction, { projectId, id, createdByUserId }: NewBatch, now: Date): Promise<Date | null> {
    const row = { projectId, id, createdByUserId, createdAt: now, updatedAt: now };
    const { open } = batchStatements[this.database.dialect];
    const [stored] = await tx.$queryRawUnsafe<{ undoneAt: Date | string | null }[]>(open, batchRows.text([row]));
    const undoneAt = stored?.undoneAt ?? null;
    return undoneAt === null ? null : new Date(undoneAt);
  }

  /** false: there is no such batch. */
  async markUndone(
    tx: Transaction,
    projectId: string,
    id: string,
    undoneByUserId: string,
    now: Date,
  ): Promise<boolean> {
    const data = { updatedAt: now, undoneAt: now, undoneByUserId };
    return (await tx.sanctionBatch.updateMany({ where: { projectId, id }, data })).count > 0;
  }
}
