/** Reads by which master keys the secrets of a database are encrypted, beside its daemons or without one. */
import type { Handover } from '../secrets/handovers.js';
import type { WrappedDataKey } from '../secrets/secret-box.js';
import type { Ask } from './read-beside.js';

export interface WrappedKeys {
  readonly dataKeys: readonly WrappedDataKey[];
  /** Later master keys, each encrypted under the one that it follows. */
  readonly handovers: readonly Handover[];
}

export async function readWrappedKeys(ask: Ask): Promise<WrappedKeys> {
  const dataKeys = await ask<WrappedDataKey>('SELECT "id", "masterKeyId", "wrapped" FROM "DataKey" ORDER BY "id"');
  const rows = await ask<Omit<Handover, 'createdAt'> & { createdAt: string | number | Date }>(
    'SELECT "id", "wrappedBy", "wrapped", "createdAt" FROM "MasterKeyHandover"',
  );
  return { dataKeys, handovers: rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt) })) };
}
