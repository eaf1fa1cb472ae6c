/** Removes the rows of a project from large tables in batches, so that no transaction blocks others for long. */
import type { Database, Transaction } from './database.js';
import { rowsAtOnce } from './slices.js';

export const someIds = { select: { id: true }, take: rowsAtOnce } as const;
export const withIds = (rows: readonly { id: string }[]) => ({ where: { id: { in: rows.map(({ id }) => id) } } });

/** Removes some rows of one table; returns how many. */
export type RemoveSome = (tx: Transaction, projectId: string) => Promise<{ count: number }>;

/** One step for each table, each in a transaction of its own; returns how many rows were removed. */
export const removal =
  (database: Database, ...tables: readonly RemoveSome[]) =>
  async (projectId: string): Promise<number> => {
    let removed = 0;
    for (const some of tables) removed += (await database.transaction((tx) => some(tx, projectId))).count;
    return removed;
  };
