/** Rows of what each tenant has stored, by day. */
import type { Database } from '../database/database.js';
import type { Dialect } from '../database/dialect.js';

/** Parameters: tenant id, day, bytes. */
const addStatement: Readonly<Record<Dialect, string>> = {
  sqlite: `INSERT INTO "StoredBytes" ("tenantId", "day", "bytes") VALUES (?, ?, ?)
    ON CONFLICT ("tenantId", "day") DO UPDATE SET "bytes" = "bytes" + excluded."bytes"`,
  postgresql: `INSERT INTO "StoredBytes" ("tenantId", "day", "bytes") VALUES ($1, $2, $3)
    ON CONFLICT ("tenantId", "day") DO UPDATE SET "bytes" = "StoredBytes"."bytes" + excluded."bytes"`,
};

export class StoredBytesStore {
  /** Another number once anything was stored; null: unknown. */
  readonly version: () => number | null;

  constructor(private readonly database: Database) {
    this.version = database.version;
  }

  /** Adds what each tenant has stored on the day. */
  async add(day: string, bytes: ReadonlyMap<string, number>): Promise<void> {
    await this.database.transaction(async (tx) => {
      for (const [tenantId, count] of bytes)
        await tx.$executeRawUnsafe(addStatement[this.database.dialect], tenantId, day, count);
    });
  }

  /** Returns the size of a PostgreSQL database, with its indexes and what deleted rows have left. */
  async databaseBytes(): Promise<number> {
    type Row = { bytes: bigint | number };
    const [row] = await this.database.read.$queryRawUnsafe<Row[]>(
      'SELECT pg_database_size(current_database()) AS "bytes"',
    );
    return Number(row?.bytes ?? 0);
  }

  /** Returns the sum of each tenant over all days from `first` on. */
  async sums(first: string): Promise<Map<string, number>> {
    const rows = await this.database.read.storedBytes.groupBy({
      by: ['tenantId'],
      where: { day: { gte: first } },
      _sum: { bytes: true },
    });
    return new Map(rows.map(({ tenantId, _sum }) => [tenantId, Number(_sum.bytes ?? 0)]));
  }

  /** Deletes up to `limit` rows of days before `first`; returns how many there were. */
  async prune(first: string, limit: number): Promise<number> {
    return this.database.transaction(async (tx) => {
      const old = await tx.storedBytes.findMany({ where: { day: { lt: first } }, take: limit });
      for (const { tenantId, day } of old) await tx.storedBytes.delete({ where: { tenantId_day: { tenantId, day } } });
      return old.length;
    });
  }
}
