/**
 * Ids that legal holds keep: of cases, and of the people in them. Whatever deletes rows because their time is over, or because
 * their person is erased, asks here, so a hold needs no step in the modules.
 */
import { bulkRows, compareText } from './bulk-rows.js';
import type { Database, Reader, Transaction } from './database.js';
import { type Condition, namesNone } from './mapped-tables.js';
import { slicesOf } from './slices.js';

const heldRows = bulkRows('HeldId');

export interface Held {
  readonly caseId: string;
  readonly since: Date;
}

/** The rows of a table that name no held id in these columns. */
export const notHeld = (table: string, columns: readonly string[]): Condition =>
  namesNone({ name: 'HeldId', id: 'heldId' }, table, columns);

export class HeldIds {
  constructor(private readonly database: Database) {}

  /** Nobody else places a hold or erases in this project until the transaction ends; taken before any lock of a row. */
  takeTurn = (tx: Transaction, projectId: string): Promise<void> => this.database.takeTurn(tx, `hold:${projectId}`);

  /** Adds to what a case holds. */
  async add(tx: Transaction, projectId: string, { caseId, since }: Held, ids: readonly string[]): Promise<void> {
    const sorted = [...new Set(ids)].sort(compareText);
    const rows = sorted.map((heldId) => ({ projectId, heldId, caseId, since }));
    const statement = heldRows.insertAbsent(this.database.dialect);
    for (const slice of slicesOf(rows)) await tx.$executeRawUnsafe(statement, heldRows.text(slice));
  }

  async release(tx: Transaction, projectId: string, caseId: string): Promise<void> {
    await tx.heldId.deleteMany({ where: { projectId, caseId } });
  }

  /** The holds that keep one of these ids, oldest first. */
  find = (
    projectId: string,
    ids: readonly string[],
    reader: Reader | Transaction = this.database.read,
  ): Promise<Held[]> =>
    reader.heldId.findMany({
      where: { projectId, heldId: { in: [...ids] } },
      orderBy: [{ since: 'asc' }, { caseId: 'asc' }],
      select: { caseId: true, since: true },
      take: heldMax,
    });

  /** Those of these ids, of any project, that a case holds, by `heldKey`. */
  async among(ids: readonly { readonly projectId: string; readonly heldId: string }[]): Promise<Set<string>> {
    const distinct = new Map(ids.map((one) => [heldKey(one.projectId, one.heldId), one]));
    const found = new Set<string>();
    for (const some of slicesOf([...distinct.values()], pairsAtOnce)) {
      const rows = await this.database.read.heldId.findMany({
        where: { OR: [...some] },
        distinct: ['projectId', 'heldId'],
      });
      for (const { projectId, heldId } of rows) found.add(heldKey(projectId, heldId));
    }
    return found;
  }

  /** The oldest hold of a project. */
  anyIn = (projectId: string, reader: Reader | Transaction): Promise<Held | null> =>
    reader.heldId.findFirst({ where: { projectId }, select: { caseId: true, since: true } });

  /** What a person held under one id is held under the other. */
  async rename(tx: Transaction, projectId: string, from: string, to: string): Promise<void> {
    const rows = await tx.heldId.findMany({ where: { projectId, heldId: from } });
    for (const held of rows) await this.add(tx, projectId, held, [to]);
    await tx.heldId.deleteMany({ where: { projectId, heldId: from } });
  }
}

const heldMax = 50;
const pairsAtOnce = 100;

export const heldKey = (projectId: string, heldId: string): string => JSON.stringify([projectId, heldId]);
