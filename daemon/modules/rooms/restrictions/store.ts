/** Rows of muted and closed rooms. */

import type { Database, Reader, Transaction } from '../../../platform/database/database.js';
import { atOnce } from '../../../platform/scheduler/due-work.js';

export type RestrictionKind = 'mute' | 'close';

export interface RestrictionRow {
  readonly projectId: string;
  readonly roomId: string;
  readonly kind: string;
  readonly since: Date;
  readonly endAt: Date | null;
}

export class RestrictionStore {
  constructor(private readonly database: Database) {}

  /** Returns the restrictions in force in one room or (null) in all. */
  inForce = (
    projectId: string,
    roomId: string | null,
    now: Date,
    reader: Reader | Transaction = this.database.read,
  ): Promise<RestrictionRow[]> =>
    reader.roomRestriction.findMany({
      where: {
        projectId,
        ...(roomId === null ? {} : { roomId }),
        OR: [{ endAt: null }, { endAt: { gt: now } }],
      },
      orderBy: [{ roomId: 'asc' }, { kind: 'asc' }],
    });

  count = (tx: Transaction, projectId: string): Promise<number> => tx.roomRestriction.count({ where: { projectId } });

  async put(tx: Transaction, row: RestrictionRow): Promise<void> {
    const { projectId, roomId, kind } = row;
    const where = { projectId_roomId_kind: { projectId, roomId, kind } };
    await tx.roomRestriction.upsert({ where, create: row, update: row });
  }

  /** False when there is none, or another daemon was faster. */
  async remove(
    tx: Transaction,
    which: Pick<RestrictionRow, 'projectId' | 'roomId' | 'kind' | 'endAt'>,
  ): Promise<boolean>;
  async remove(tx: Transaction, which: Pick<RestrictionRow, 'projectId' | 'roomId' | 'kind'>): Promise<boolean>;
  async remove(
    tx: Transaction,
    { projectId, roomId, kind, endAt }: Pick<RestrictionRow, 'projectId' | 'roomId' | 'kind'> & { endAt?: Date | null },
  ): Promise<boolean> {
    const where = { projectId, roomId, kind, ...(endAt === undefined ? {} : { endAt }) };
    return (await tx.roomRestriction.deleteMany({ where })).count > 0;
  }

  /** Up to `take` whose time is over. */
  ended = (now: Date, take: number) =>
    this.database.read.roomRestriction.findMany({
      where: { endAt: { lte: now } },
      orderBy: { endAt: 'asc' },
      take,
    });

  nextDue = async (): Promise<Date | null> => {
    const where = { endAt: { gt: atOnce } };
    return (await this.database.read.roomRestriction.findFirst({ where, orderBy: { endAt: 'asc' } }))?.endAt ?? null;
  };
}
