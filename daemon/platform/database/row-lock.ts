/** Reading a row in order to change it. */
import type { Table } from './bulk-rows.js';
import type { Dialect, Transaction } from './database.js';

/**
 * Locks a row until the transaction has ended: what is read of it next stays so, and fields that are written back undo
 * nobody else's change. On SQLite a transaction is alone as it is.
 */
export async function lockRow(
  tx: Pick<Transaction, '$queryRawUnsafe'>,
  dialect: Dialect,
  table: Table,
  id: string,
  column = 'id',
): Promise<void> {
  if (dialect === 'postgresql')
    await tx.$queryRawUnsafe(`SELECT 1 FROM "${table}" WHERE "${column}" = $1 FOR UPDATE`, id);
}
