/** The set-based statements of sanctions. */
import { bulkRows } from '../../../platform/database/bulk-rows.js';
import type { Dialect } from '../../../platform/database/dialect.js';

export const sanctionRows = bulkRows('Sanction');
export const batchRows = bulkRows('SanctionBatch', ['projectId', 'id', 'createdByUserId', 'createdAt', 'updatedAt']);
/** Sanctions as they were read. */
export const readSanctionRows = bulkRows('Sanction', ['id', 'updatedAt']);

/** Counts from each of some times on. Parameters: the times, oldest first, projectId, the first of them. */
export const countSince = (dialect: Dialect, times: number): string => {
  const text = (position: number) => (dialect === 'sqlite' ? '?' : `$${position}`);
  const time = (position: number) => (dialect === 'sqlite' ? '?' : `$${position}::timestamptz AT TIME ZONE 'UTC'`);
  const counts = Array.from(
    { length: times },
    (_, index) => `COUNT(*) FILTER (WHERE "createdAt" >= ${time(index + 1)}) AS "c${index}"`,
  );
  return `SELECT ${counts.join(', ')} FROM "Sanction"
    WHERE "projectId" = ${text(times + 1)} AND "createdAt" >= ${time(times + 2)}`;
};

/** Parameters: revokedAt, revokedByUserId, revokeReason, updatedAt, `readSanctionRows`. */
export const revokeSanctions: Readonly<Record<Dialect, string>> = {
  sqlite: `UPDATE "Sanction" SET "revokedAt" = ?, "revokedByUserId" = ?, "revokeReason" = ?, "updatedAt" = ?
    FROM ${readSanctionRows.from('sqlite')} AS read
    WHERE ${readSanctionRows.equal('"Sanction"', 'read')} AND "revokedAt" IS NULL`,
  postgresql: `UPDATE "Sanction" SET "revokedAt" = $1::timestamptz AT TIME ZONE 'UTC', "revokedByUserId" = $2,
      "revokeReason" = $3, "updatedAt" = $4::timestamptz AT TIME ZONE 'UTC'
    FROM ${readSanctionRows.from('postgresql', '$5')} AS read
    WHERE ${readSanctionRows.equal('"Sanction"', 'read')} AND "revokedAt" IS NULL`,
};

const openBatch = (dialect: Dialect) => `${batchRows.insert(dialect)} WHERE TRUE
  ON CONFLICT ("projectId", "id") DO UPDATE SET "updatedAt" = excluded."updatedAt" RETURNING "undoneAt"`;

const batchLines = (projectId: string, batchId: string, from: string, to: string) =>
  `SELECT "id", "batchLine", "type", "externalUserId" FROM "Sanction"
   WHERE "projectId" = ${projectId} AND "batchId" = ${batchId} AND "batchLine" BETWEEN ${from} AND ${to}`;

interface BatchStatements {
  /** Parameter: `batchRows`. Returns undoneAt of the batch, new or not. */
  readonly open: string;
  /** Parameters: projectId, batchId, the first line and the last. */
  readonly lines: string;
}

export const batchStatements: Readonly<Record<Dialect, BatchStatements>> = {
  sqlite: { open: openBatch('sqlite'), lines: batchLines('?', '?', '?', '?') },
  postgresql: { open: openBatch('postgresql'), lines: batchLines('$1', '$2', '$3', '$4') },
};
