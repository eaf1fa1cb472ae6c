/** Rows of former ids: who a participant was before a move. */
import type { Database, Reader, Transaction } from '../../platform/database/database.js';
import { firstIdAt } from '../../platform/ids/id-time.js';

interface FormerId {
  readonly projectId: string;
  readonly participantId: string;
  readonly externalUserId: string;
  /** External user id that the participant had before. */
  readonly formerId: string;
  readonly movedAt: Date;
  /** Ids go on where the clock is set back, so they order rows around a move where times do not. */
  readonly firstIdAfter: string | null;
}

/** Moves from before `firstIdAfter` was stored are ordered by their time; their own entry got its id when the call began. */
export const firstIdAfterMove = ({ movedAt, firstIdAfter }: Pick<FormerId, 'movedAt' | 'firstIdAfter'>): string =>
  firstIdAfter ?? firstIdAt(movedAt.getTime() + 1);

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

  /** Returns the first id of a row after somebody else gave the external user id up last, before a row; null: never. */
  async firstIdOf(
    reader: Reader | Transaction,
    { projectId, externalUserId, id }: { projectId: string; externalUserId: string; id: string | null },
    before: string | null,
  ): Promise<string | null> {
    const others = id === null ? {} : { participantId: { not: id } };
    const rows = await reader.participantFormerId.findMany({
      where: { projectId, externalUserId, ...others },
      select: { movedAt: true, firstIdAfter: true },
    });
    const earlier = rows.map(firstIdAfterMove).filter((one) => before === null || one < before);
    return earlier.sort().at(-1) ?? null;
  }

  /** One row for an external user id that a participant has had more than once. */
  async add(tx: Transaction, row: FormerId): Promise<void> {
    const { participantId, externalUserId, formerId, movedAt, firstIdAfter } = row;
    const where = { participantId_externalUserId: { participantId, externalUserId } };
    await tx.participantFormerId.upsert({ where, create: row, update: { formerId, movedAt, firstIdAfter } });
  }

  /** Stores which rows are of whoever has these ids of a participant after a move. */
  async setFirstIdAfter(
    tx: Transaction,
    participantId: string,
    externalUserIds: readonly string[],
    firstIdAfter: string,
  ): Promise<void> {
    const where = { participantId, externalUserId: { in: [...externalUserIds] } };
    await tx.participantFormerId.updateMany({ where, data: { firstIdAfter } });
  }

  /** Reassigns the former ids of another participant to this one. */
  async takeOver(tx: Transaction, participantId: string, joinedId: string): Promise<void> {
    for (const row of await tx.participantFormerId.findMany({ where: { participantId: joinedId } }))
      await this.add(tx, { ...row, participantId });
  }
}

/** How many people who had the same id one after the other are looked through. */
const formerMax = 20;
