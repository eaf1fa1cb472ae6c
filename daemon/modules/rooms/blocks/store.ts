/** Rows of blocks: who hears whom no more. */

import { z } from 'zod';
import { addTo } from '../../../platform/collections/add-to.js';
import type { Database, Reader, Transaction } from '../../../platform/database/database.js';
import { type RowPage, valuesIn } from '../../../platform/database/row-page.js';
import { rowsAtOnce, slicesOf } from '../../../platform/database/slices.js';

export interface BlockRow {
  readonly projectId: string;
  readonly externalUserId: string;
  readonly blockedUserId: string;
  readonly createdAt: Date;
}

type BlockKey = Omit<BlockRow, 'createdAt'>;
type Side = 'externalUserId' | 'blockedUserId';

/** Blocks after a cursor, of people on the other side. Throws validation_failed. */
function afterBlock(side: Side, cursor: string) {
  const [time, ...ids] = valuesIn(cursor, z.tuple([z.iso.datetime(), z.string()]).rest(z.string()));
  const createdAt = new Date(time);
  const sameTime =
    side === 'externalUserId' ? { blockedUserId: { gt: ids.at(-1) } } : { externalUserId: { gt: ids[0] } };
  return { OR: [{ createdAt: { lt: createdAt } }, { createdAt, ...sameTime }] };
}

export class BlockStore {
  constructor(private readonly database: Database) {}

  find = (tx: Transaction, key: BlockKey): Promise<BlockRow | null> =>
    tx.playerBlock.findUnique({ where: { projectId_externalUserId_blockedUserId: key } });

  insert = (tx: Transaction, row: BlockRow): Promise<BlockRow> => tx.playerBlock.create({ data: row });

  /** False where there is none. */
  remove = async (tx: Transaction, key: BlockKey): Promise<boolean> =>
    (await tx.playerBlock.deleteMany({ where: key })).count > 0;

  /** Blocks on one side of which the person is, newest first. */
  list = (
    projectId: string,
    side: Side,
    externalUserId: string,
    { limit: take, offset: skip, after }: RowPage,
  ): Promise<BlockRow[]> =>
    this.database.read.playerBlock.findMany({
      where: { projectId, [side]: externalUserId, ...(after === undefined ? {} : afterBlock(side, after)) },
      orderBy: [{ createdAt: 'desc' }, { externalUserId: 'asc' }, { blockedUserId: 'asc' }],
      ...{ take, skip },
    });

  count = (
    projectId: string,
    side: Side,
    externalUserId: string,
    reader: Reader | Transaction = this.database.read,
  ): Promise<number> => reader.playerBlock.count({ where: { projectId, [side]: externalUserId } });

  /** The people whom each of these blocks; those who block nobody are left out. */
  async blockedBy(projectId: string, externalUserIds: readonly string[]): Promise<Map<string, string[]>> {
    const rows = await this.database.read.playerBlock.findMany({
      where: { projectId, externalUserId: { in: [...externalUserIds] } },
      select: { externalUserId: true, blockedUserId: true },
    });
    const blocked = new Map<string, string[]>();
    for (const row of rows) addTo(blocked, row.externalUserId, row.blockedUserId);
    return blocked;
  }

  /** Returns how many people block each of these; those whom nobody blocks are left out. */
  async blockersOf(tx: Transaction, projectId: string, people: readonly string[]): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    for (const some of slicesOf(people)) {
      const where = { projectId, blockedUserId: { in: [...some] } };
      const groups = await tx.playerBlock.groupBy({ by: ['blockedUserId'], where, _count: true });
      for (const { blockedUserId, _count } of groups) counts.set(blockedUserId, _count);
    }
    return counts;
  }

  /** Those of these people who block a person. */
  async blockersAmong(projectId: string, blockedUserId: string, people: readonly string[]): Promise<string[]> {
    const where = { projectId, blockedUserId, externalUserId: { in: [...people] } };
    const rows = await this.database.read.playerBlock.findMany({ where, select: { externalUserId: true } });
    return rows.map(({ externalUserId }) => externalUserId);
  }

  /** Deletes the blocks on either side of which the person is. */
  async erase(tx: Transaction, projectId: string, externalUserId: string): Promise<void> {
    const either = [{ externalUserId }, { blockedUserId: externalUserId }];
    await tx.playerBlock.deleteMany({ where: { projectId, OR: either } });
  }

  /** Renames a person on both sides. Of two blocks that become one, that of the new id stays; nobody blocks themselves. */
  async rename(tx: Transaction, projectId: string, from: string, to: string): Promise<void> {
    await tx.playerBlock.deleteMany({
      where: { projectId, OR: [both(from, to), both(to, from)] },
    });
    for (const [side, other] of [
      ['externalUserId', 'blockedUserId'],
      ['blockedUserId', 'externalUserId'],
    ] as const) {
      const where = { projectId, [side]: from };
      for (;;) {
        const rows = await tx.playerBlock.findMany({ where, take: rowsAtOnce });
        if (rows.length === 0) break;
        const others = rows.map((row) => row[other]);
        const there = await tx.playerBlock.findMany({ where: { projectId, [side]: to, [other]: { in: others } } });
        const double = there.map((row) => row[other]);
        await tx.playerBlock.deleteMany({ where: { ...where, [other]: { in: double } } });
        await tx.playerBlock.updateMany({ where: { ...where, [other]: { in: others } }, data: { [side]: to } });
      }
    }
  }
}

const both = (externalUserId: string, blockedUserId: string) => ({ externalUserId, blockedUserId });
