/** Rows of reporters. Whoever has none is unknown. */
import type { ReporterListQuery } from '../../../../src/contract/reports/reporters.js';
import { compareText } from '../../../platform/database/bulk-rows.js';
import type { Database, Reader, Transaction } from '../../../platform/database/database.js';
import type { RowPage } from '../../../platform/database/row-page.js';
import { slicesOf } from '../../../platform/database/slices.js';
import { lockReporters, reporterRows } from '../sql.js';
import { joinedRecord, type ReporterRecord, unknownReporter } from './reliability.js';

type ReporterRow = ReporterRecord & { projectId: string; externalUserId: string; updatedAt: Date };
const recordOf = ({
  projectId: _,
  externalUserId,
  updatedAt: __,
  ...record
}: ReporterRow): [string, ReporterRecord] => [externalUserId, record];

export class ReporterStore {
  constructor(private readonly database: Database) {}

  async find(
    projectId: string,
    externalUserId: string,
    reader: Reader | Transaction = this.database.read,
  ): Promise<ReporterRecord> {
    const where = { projectId_externalUserId: { projectId, externalUserId } };
    const row = await reader.reporter.findUnique({ where });
    return row === null ? unknownReporter : recordOf(row)[1];
  }

  /** By id. */
  async list(projectId: string, status: ReporterListQuery['status'], now: Date, { after, limit, offset }: RowPage) {
    const [isSet, isLater] = [{ not: null }, { gt: now }];
    const where = {
      projectId,
      OR:
        status === 'proposed'
          ? [{ proposedAt: isSet }, { appealsProposedAt: isSet }]
          : [{ suspendedUntil: isLater }, { appealsSuspendedUntil: isLater }],
    };
    const from = after === undefined ? where : { ...where, externalUserId: { gt: after } };
    const { reporter } = this.database.read;
    const rows = await reporter.findMany({
      ...{ where: from, orderBy: { externalUserId: 'asc' }, take: limit, skip: offset },
    });
    return { rows: rows.map(recordOf), total: await reporter.count({ where }) };
  }

  async set(tx: Transaction, projectId: string, externalUserId: string, record: ReporterRecord, updatedAt: Date) {
    const where = { projectId_externalUserId: { projectId, externalUserId } };
    const fields = { ...record, updatedAt };
    await tx.reporter.upsert({ where, create: { projectId, externalUserId, ...fields }, update: fields });
  }

  /** Returns the records of these people, which nobody else changes until the transaction has ended. */
  async lockAll(tx: Transaction, projectId: string, people: readonly string[], updatedAt: Date) {
    const records = new Map<string, ReporterRecord>();
    for (const slice of slicesOf([...people].sort(compareText))) {
      const unknown = slice.map((externalUserId) => ({ projectId, externalUserId, ...unknownReporter, updatedAt }));
      await tx.$executeRawUnsafe(reporterRows.insertAbsent(this.database.dialect), reporterRows.text(unknown));
      if (this.database.dialect === 'postgresql')
        await tx.$queryRawUnsafe(lockReporters, projectId, JSON.stringify(slice));
      for (const [one, record] of await this.findAll(tx, projectId, slice)) records.set(one, record);
    }
    return records;
  }

  /** Returns the records of those of up to 500 people who have one. */
  async findAll(tx: Transaction, projectId: string, people: readonly string[]): Promise<Map<string, ReporterRecord>> {
    const rows = await tx.reporter.findMany({ where: { projectId, externalUserId: { in: [...people] } } });
    return new Map(rows.map(recordOf));
  }

  /** Stores records of people who have one. */
  async setAll(tx: Transaction, projectId: string, records: ReadonlyMap<string, ReporterRecord>, updatedAt: Date) {
    const rows = [...records].map(([externalUserId, record]) => ({ projectId, externalUserId, ...record, updatedAt }));
    const statement = reporterRows.upsert(this.database.dialect, ['projectId', 'externalUserId']);
    for (const slice of slicesOf(rows)) await tx.$executeRawUnsafe(statement, reporterRows.text(slice));
  }

  /** Adds the record of one id to that of another. */
  async merge(tx: Transaction, projectId: string, from: string, to: string, now: Date): Promise<void> {
    if ((await this.find(projectId, from, tx)) === unknownReporter) return;
    const records = await this.lockAll(tx, projectId, [from, to], now);
    const [moved, there] = [records.get(from) ?? unknownReporter, records.get(to) ?? unknownReporter];
    await this.set(tx, projectId, to, joinedRecord(moved, there, now), now);
    await tx.reporter.deleteMany({ where: { projectId, externalUserId: from } });
  }
}
