/** Reading a row in order to change it. */
import type { TableName } from './bulk-rows.js';
import type { Transaction } from './database.js';
import type { Dialect } from './dialect.js';

/**
 * Locks a row until the transaction has ended, so that no other change comes between reading it and writing it back. On
 * SQLite there is only one writing transaction anyway.
 */
export async function lockRow(
  tx: Pick<Transaction, '$queryRawUnsafe'>,
  dialect: Dialect,
  table: TableName,
  id: string,
  column = 'id',
): Promise<void> {
  if (dialect === 'postgresql')
    await tx.$queryRawUnsafe(`SELECT 1 FROM "${table}" WHERE "${column}" = $1 FOR UPDATE`, id);
}
