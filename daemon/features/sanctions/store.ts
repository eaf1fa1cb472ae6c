/** Rows of sanctions. */
import type { Participant } from '../../../src/contract/participants.js';
import { type Sanction, type SanctionType, sanctionTypes } from '../../../src/contract/sanctions.js';
import type { Database, Reader, Transaction } from '../../database/database.js';
import { isInForce, statusOf } from './rules.js';

export interface SanctionRow {
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly participantId: string | null;
  readonly externalUserId: string | null;
  readonly sessionId: string | null;
  readonly type: string;
  readonly scope: string | null;
  readonly metadata: string | null;
  readonly parameters: string | null;
  readonly evidence: string | null;
  readonly reason: string | null;
  readonly note: string | null;
  readonly duration: number | null;
  readonly startAt: Date;
  readonly endAt: Date | null;
  readonly expiredAt: Date | null;
  readonly createdByUserId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly revokedAt: Date | null;
  readonly revokedByUserId: string | null;
  readonly revokeReason: string | null;
}

const parsed = (text: string | null) => (text === null ? null : JSON.parse(text));
export const typeOf = (row: Pick<SanctionRow, 'type'>): SanctionType =>
  sanctionTypes.find((type) => type === row.type) ?? 'warn';

/** `isActive` and `status` agree with the clock, whatever the expiry job has done so far. */
export const toSanction = (row: SanctionRow, participant: Participant | null, now: Date): Sanction => ({
  id: row.id,
  tenantId: row.tenantId,
  projectId: row.projectId,
  participantId: row.participantId,
  externalUserId: row.externalUserId,
  sessionId: row.sessionId,
  type: typeOf(row),
  scope: row.scope,
  metadata: parsed(row.metadata),
  parameters: parsed(row.parameters),
  evidence: parsed(row.evidence),
  reason: row.reason,
  note: row.note,
  duration: row.duration,
  startAt: row.startAt.toISOString(),
  endAt: row.endAt?.toISOString() ?? null,
  createdByUserId: row.createdByUserId,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  revokedAt: row.revokedAt?.toISOString() ?? null,
  revokedByUserId: row.revokedByUserId,
  revokeReason: row.revokeReason,
  isActive: isInForce(row, now),
  status: statusOf(row, now),
  participant,
});

const notEnded = (now: Date) => ({ revokedAt: null, OR: [{ endAt: null }, { endAt: { gt: now } }] });
const inForce = (now: Date) => ({ ...notEnded(now), startAt: { lte: now } });

export interface SanctionFilter {
  readonly type?: SanctionType | undefined;
  readonly externalUserId?: string;
  readonly participantId?: string;
  readonly inForceAt?: Date | undefined;
}

const whereOf = (projectId: string, { inForceAt, ...fields }: SanctionFilter) => ({
  projectId,
  ...fields,
  ...(inForceAt === undefined ? {} : inForce(inForceAt)),
});

export class SanctionStore {
  constructor(private readonly database: Database) {}

  insert = (tx: Transaction, row: SanctionRow) => tx.sanction.create({ data: row });

  find = (projectId: string, id: string, reader: Reader | Transaction = this.database.read) =>
    reader.sanction.findFirst({ where: { projectId, id } });

  update = (tx: Transaction, id: string, fields: Partial<SanctionRow>) =>
    tx.sanction.update({ where: { id }, data: fields });

  count = (projectId: string, filter: SanctionFilter) =>
    this.database.read.sanction.count({ where: whereOf(projectId, filter) });

  /** Newest first. */
  list = (projectId: string, filter: SanctionFilter, page: { take: number; skip: number }) =>
    this.database.read.sanction.findMany({ where: whereOf(projectId, filter), orderBy: { id: 'desc' }, ...page });

  /** Ended by the clock, and not yet announced as such. */
  due = (now: Date, take: number) =>
    this.database.read.sanction.findMany({
      where: { endAt: { lte: now }, revokedAt: null, expiredAt: null },
      orderBy: [{ endAt: 'asc' }, { id: 'asc' }],
      take,
    });

  /** Issued ahead of their time, which came in (after, upTo]. */
  async begun(after: Date, upTo: Date): Promise<SanctionRow[]> {
    const rows = await this.database.read.sanction.findMany({
      where: { startAt: { gt: after, lte: upTo }, revokedAt: null },
    });
    return rows.filter(({ startAt, createdAt }) => startAt > createdAt);
  }

  /** false when somebody else was faster, or has moved the end meanwhile. */
  async markExpired(tx: Transaction, id: string, expiredAt: Date): Promise<boolean> {
    const { count } = await tx.sanction.updateMany({
      where: { id, expiredAt: null, revokedAt: null, endAt: { lte: expiredAt } },
      data: { expiredAt },
    });
    return count === 1;
  }
}
