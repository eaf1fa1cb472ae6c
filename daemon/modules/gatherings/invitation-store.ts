/** Rows of invitations. An expired one reads as declined, even before the job has changed its row. */
import {
  type Invitation,
  type InvitationStatus,
  invitationStatuses,
} from '../../../src/contract/gatherings/gathering-invitations.js';
import { timeOrNull } from '../../platform/database/column-values.js';
import type { Database, Reader, Transaction } from '../../platform/database/database.js';
import { projectInReach } from '../../platform/database/in-reach.js';
import { gatheringStatements } from './sql.js';
import type { DuePage } from './store.js';

export interface InvitationRow {
  readonly id: string;
  readonly gatheringId: string;
  readonly projectId: string;
  readonly participantId: string;
  readonly externalUserId: string;
  readonly status: string;
  readonly createdAt: Date;
  readonly respondedAt: Date | null;
  readonly expiresAt: Date;
}

export const invitationStatusAt = ({ status, expiresAt }: InvitationRow, now: Date): InvitationStatus =>
  status === 'pending' && expiresAt <= now
    ? 'declined'
    : (invitationStatuses.find((known) => known === status) ?? 'declined');

export const toInvitation = (row: InvitationRow, now: Date): Invitation => ({
  id: row.id,
  gatheringId: row.gatheringId,
  participantId: row.participantId,
  status: invitationStatusAt(row, now),
  createdAt: row.createdAt.toISOString(),
  respondedAt: timeOrNull(row.respondedAt),
  expiresAt: row.expiresAt.toISOString(),
});

/** Rows in one answer. */
const shownMax = 1_000;
const openAt = (now: Date) => ({ status: 'pending', expiresAt: { gt: now } });
const withStatus = (status: InvitationStatus, now: Date) => {
  if (status === 'pending') return openAt(now);
  return status === 'accepted' ? { status } : { OR: [{ status }, { status: 'pending', expiresAt: { lte: now } }] };
};

export class InvitationStore {
  constructor(private readonly database: Database) {}

  insertAll = (tx: Transaction, rows: InvitationRow[]) => tx.gatheringInvitation.createMany({ data: rows });

  find = (projectId: string, id: string, reader: Reader | Transaction = this.database.read) =>
    reader.gatheringInvitation.findFirst({ where: { projectId, id } });

  /** Newest first. */
  list = (gatheringId: string, status: InvitationStatus | undefined, now: Date) =>
    this.database.read.gatheringInvitation.findMany({
      where: { gatheringId, ...(status === undefined ? {} : withStatus(status, now)) },
      orderBy: { id: 'desc' },
      take: shownMax,
    });

  /** Newest first. */
  openOf = (projectId: string, participantId: string, now: Date) =>
    this.database.read.gatheringInvitation.findMany({
      where: { projectId, participantId, ...openAt(now) },
      orderBy: { id: 'desc' },
      take: shownMax,
    });

  openTo = (tx: Transaction, gatheringId: string, now: Date, participantId?: string) =>
    tx.gatheringInvitation.findMany({
      where: { gatheringId, ...openAt(now), ...(participantId === undefined ? {} : { participantId }) },
      orderBy: { id: 'asc' },
    });

  /** Not answered, whether expired or not; withdrawn when the gathering closes. */
  unanswered = (tx: Transaction, gatheringId: string) =>
    tx.$queryRawUnsafe<InvitationRow[]>(gatheringStatements[this.database.dialect].unanswered, gatheringId);

  /** As `unanswered`, of these people only. */
  unansweredBy = (tx: Transaction, gatheringId: string, participantIds: readonly string[]) =>
    tx.gatheringInvitation.findMany({
      where: { gatheringId, status: 'pending', participantId: { in: [...participantIds] } },
      orderBy: { id: 'asc' },
    });

  async answer(
    tx: Transaction,
    rows: readonly InvitationRow[],
    status: 'accepted' | 'declined',
    respondedAt: Date | null,
  ): Promise<InvitationRow[]> {
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0)
      await tx.gatheringInvitation.updateMany({ where: { id: { in: ids } }, data: { status, respondedAt } });
    return rows.map((row) => ({ ...row, status, respondedAt }));
  }

  /** Expired, and not yet announced as such. */
  due = (now: Date, page: DuePage) =>
    this.database.read.gatheringInvitation.findMany({
      where: { status: 'pending', expiresAt: { lte: now }, gathering: { project: projectInReach } },
      orderBy: [{ expiresAt: 'asc' }, { id: 'asc' }],
      ...page,
    });

  nextDue = async (): Promise<Date | null> => {
    const where = { status: 'pending', gathering: { project: projectInReach } };
    const next = await this.database.read.gatheringInvitation.findFirst({ where, orderBy: { expiresAt: 'asc' } });
    return next?.expiresAt ?? null;
  };
}
