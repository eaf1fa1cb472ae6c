/** The places of durable subscribers in the log, by name. They move in the transaction that stores the effect. */
import type { Reader, Transaction } from '../database/database.js';

interface NewCursor {
  readonly name: string;
  /** Tenant whose events it reads; null: those of all tenants. */
  readonly tenantId: string | null;
  /** The project whose events it reads; null: those of all. */
  readonly projectId: string | null;
  /** Events after this position are read. */
  readonly position: bigint;
  readonly updatedAt: Date;
}

interface CursorStep {
  readonly from: bigint;
  readonly to: bigint;
  readonly at: Date;
}

export const cursors = {
  /** Begins, or begins again, at a position. */
  async open(tx: Transaction, { name, tenantId, projectId, position, updatedAt }: NewCursor): Promise<void> {
    const place = { tenantId, projectId, position, updatedAt, enabled: true };
    await tx.cursor.upsert({ where: { name }, create: { name, ...place }, update: place });
  },

  /** Begins at a position; one that has begun stays where it is. */
  async ensure(tx: Transaction, { name, ...place }: NewCursor): Promise<void> {
    await tx.cursor.upsert({ where: { name }, create: { name, ...place, enabled: true }, update: {} });
  },

  /** The open ones of these names, by name. */
  async places(reader: Reader | Transaction, names: readonly string[]): Promise<Map<string, bigint>> {
    const rows = await reader.cursor.findMany({ where: { name: { in: [...names] }, enabled: true } });
    return new Map(rows.map(({ name, position }) => [name, position]));
  },

  /** false: somebody else has moved or closed it meanwhile. */
  advance: (tx: Transaction, name: string, step: CursorStep): Promise<boolean> => cursors.moveAll(tx, [name], step),

  /** false: somebody else has moved or closed one of them meanwhile; the others have moved. */
  async moveAll(tx: Transaction, names: readonly string[], { from, to, at }: CursorStep): Promise<boolean> {
    const moved = await tx.cursor.updateMany({
      where: { name: { in: [...names] }, position: from, enabled: true },
      data: { position: to, updatedAt: at },
    });
    return moved.count === names.length;
  },

  /** From now on it does not delay the deletion of old events. */
  async close(tx: Transaction, names: readonly string[]): Promise<void> {
    await tx.cursor.deleteMany({ where: { name: { in: [...names] } } });
  },
};
