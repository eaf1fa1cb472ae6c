/** Rows of messages to people. */
import { noticesShownMax } from '../../../src/contract/people/person-notices.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import { slicesOf } from '../../platform/database/slices.js';

export interface NoticeRow {
  readonly id: string;
  readonly projectId: string;
  readonly externalUserId: string;
  readonly text: string;
  readonly createdByUserId: string;
  readonly createdAt: Date;
}

export class NoticeStore {
  constructor(private readonly database: Database) {}

  /** The newest ones, newest first. */
  newest = (projectId: string, externalUserId: string): Promise<NoticeRow[]> =>
    this.database.read.personNotice.findMany({
      where: { projectId, externalUserId },
      orderBy: { id: 'desc' },
      take: noticesShownMax,
    });

  async insert(tx: Transaction, rows: readonly NoticeRow[]): Promise<void> {
    for (const slice of slicesOf(rows)) await tx.personNotice.createMany({ data: [...slice] });
  }
}
