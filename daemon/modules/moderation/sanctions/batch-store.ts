/** Rows of sanction batches, each of which holds back whoever applies the same batch at the same time. */
import type { Transaction } from '../../../platform/database/database.js';

export interface NewBatch {
  readonly projectId: string;
  readonly id: string;
  readonly createdByUserId: string;
}

export class BatchStore {
  /** Makes the batch's row, or waits for whoever else applies the batch; returns when it was undone. */
  async open(tx: Transaction, { projectId, id, createdByUserId }: NewBatch, now: Date): Promise<Date | null> {
    const { undoneAt } = await tx.sanctionBatch.upsert({
      where: { projectId_id: { projectId, id } },
      create: { projectId, id, createdByUserId, createdAt: now, updatedAt: now },
      update: { updatedAt: now },
    });
    return undoneAt;
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
