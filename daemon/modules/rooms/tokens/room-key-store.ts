/** Rows of room keys, encrypted. */
import type { Database, Transaction } from '../../../platform/database/database.js';

export interface RoomKeyRow {
  readonly projectId: string;
  readonly roomId: string;
  readonly keyIndex: number;
  readonly secret: string;
  /** Since when the room is empty; null while somebody is in it, or before anybody was. */
  readonly emptySince: Date | null;
}

export class RoomKeyStore {
  constructor(private readonly database: Database) {}

  find = (projectId: string, roomId: string): Promise<RoomKeyRow | null> =>
    this.database.read.roomKey.findUnique({ where: { projectId_roomId: { projectId, roomId } } });

  insert = (tx: Transaction, row: RoomKeyRow) => tx.roomKey.create({ data: row });

  /** False when another daemon was faster. */
  async replace(tx: Transaction, { projectId, roomId, keyIndex }: RoomKeyRow, by: RoomKeyRow): Promise<boolean> {
    return (await tx.roomKey.updateMany({ where: { projectId, roomId, keyIndex }, data: by })).count === 1;
  }

  /** Returns rooms with a key that were not seen empty. */
  inUse = (after: Pick<RoomKeyRow, 'projectId' | 'roomId'> | null, take: number) =>
    this.database.read.roomKey.findMany({
      where: {
        emptySince: null,
        ...(after === null
          ? {}
          : {
              OR: [
                { projectId: { gt: after.projectId } },
                { projectId: after.projectId, roomId: { gt: after.roomId } },
              ],
            }),
      },
      orderBy: [{ projectId: 'asc' }, { roomId: 'asc' }],
      select: { projectId: true, roomId: true },
      take,
    });

  setEmptySince = (tx: Transaction, projectId: string, roomId: string, emptySince: Date | null) =>
    tx.roomKey.updateMany({ where: { projectId, roomId }, data: { emptySince } });
}
