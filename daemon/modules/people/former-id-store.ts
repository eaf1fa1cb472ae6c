/** Rows of former ids: who a participant was before a move. */
import type { Database, Reader, Transaction } from '../../platform/database/database.js';

interface FormerId {
  readonly projectId: string;
  readonly participantId: string;
  readonly externalUserId: string;
  /** External user id that the participant had before. */
  readonly formerId: string;
  readonly movedAt: Date;
}

export class FormerIdStore {
  constructor(private readonly database: Database) {}

  /** Returns the former ids of a participant, oldest first. */
  idsOf = (participantId: string, reader: Reader | Transaction = this.database.read): Promise<FormerId[]> =>
    reader.participantFormerId.findMany({ where: { participantId }, orderBy: { movedAt: 'asc' } });

  /** The people who had the external user id, or the participant id, before a move; the last one first. */
  had = (projectId: string, either: string): Promise<FormerId[]> =>
    this.database.read.participantFormerId.findMany({
      where: { projectId, OR: [{ externalUserId: either }, { formerId: either }] },
      orderBy: { movedAt: 'desc' },
      take: formerMax,
    });

  async hasMoved(projectId: string, externalUserId: string, since: Date): Promise<boolean> {
    const where = { projectId, externalUserId, movedAt: { gte: since } };
    return (await this.database.read.participantFormerId.findFirst({ where, select: { movedAt: true } })) !== null;
  }

  /** Returns when the external user id was given up last by somebody else, before a time; null: never. */
  async freedAt(
    reader: Reader | Transaction,
    { projectId, externalUserId, id }: { projectId: string; externalUserId: string; id: string | null },
    before: Date | null,
  ): Promise<Date | null> {
    const where = {
      ...{ projectId, externalUserId },
      ...(id === null ? {} : { participantId: { not: id } }),
      ...(before === null ? {} : { movedAt: { lt: before } }),
    };
    const row = await reader.participantFormerId.findFirst({
      ...{ where, orderBy: { movedAt: 'desc' }, select: { movedAt: true } },
    });
    return row?.movedAt ?? null;
  }

  /** One row for an external user id that a participant has had more than once. */
  async add(tx: Transaction, row: FormerId): Promise<void> {
    const { participantId, externalUserId, formerId, movedAt } = row;
    const where = { participantId_externalUserId: { participantId, externalUserId } };
    await tx.participantFormerId.upsert({ where, create: row, update: { formerId, movedAt } });
  }

  /** Reassigns the former ids of another participant to this one. */
  async takeOver(tx: Transaction, participantId: string, joinedId: string): Promise<void> {
    for (const row of await tx.participantFormerId.findMany({ where: { participantId: joinedId } }))
      await this.add(tx, { ...row, participantId });
  }
}

/** How many people who had the same id one after the other are looked through. */
const formerMax = 20;
