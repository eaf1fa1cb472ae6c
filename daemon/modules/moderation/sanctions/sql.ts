/** The set-based statements of sanctions: rows go in as one JSON array, however many there are. */
import type { Dialect } from '../../../platform/database/database.js';

/** In the order of the values of a row. */
export const sanctionColumns = [
  ...['id', 'tenantId', 'projectId', 'participantId', 'externalUserId', 'sessionId', 'type', 'scope'],
  ...['metadata', 'parameters', 'evidence', 'reason', 'note', 'duration', 'startAt', 'begunAt', 'endAt', 'expiredAt'],
  ...['createdByUserId', 'createdAt', 'updatedAt', 'revokedAt', 'revokedByUserId', 'revokeReason'],
  ...['batchId', 'batchLine'],
] as const;

const quoted = sanctionColumns.map((name) => `"${name}"`).join(', ');
const cast = (name: string, index: number): string => {
  if (name.endsWith('At')) return `(e->>${index})::timestamptz AT TIME ZONE 'UTC'`;
  return name === 'duration' || name === 'batchLine' ? `(e->>${index})::int` : `e->>${index}`;
};

interface SanctionStatements {
  /** Parameter: JSON array of rows. */
  readonly insert: string;
  /** Parameters: revokedAt, revokedByUserId, revokeReason, updatedAt, JSON array of [id, updatedAt]: rows as they were read. */
  readonly revoke: string;
}

export const sanctionStatements: Readonly<Record<Dialect, SanctionStatements>> = {
  sqlite: {
    insert: `INSERT INTO "Sanction" (${quoted})
      SELECT ${sanctionColumns.map((_, index) => `value->>${index}`).join(', ')} FROM json_each(?)`,
    revoke: `UPDATE "Sanction" SET "revokedAt" = ?, "revokedByUserId" = ?, "revokeReason" = ?, "updatedAt" = ?
      FROM json_each(?) AS wanted
      WHERE "Sanction"."id" = wanted.value->>0 AND "Sanction"."updatedAt" = wanted.value->>1 AND "revokedAt" IS NULL`,
  },
  postgresql: {
    insert: `INSERT INTO "Sanction" (${quoted})
      SELECT ${sanctionColumns.map(cast).join(', ')} FROM jsonb_array_elements($1::jsonb) AS t(e)`,
    revoke: `UPDATE "Sanction" SET "revokedAt" = $1::timestamptz AT TIME ZONE 'UTC', "revokedByUserId" = $2,
        "revokeReason" = $3, "updatedAt" = $4::timestamptz AT TIME ZONE 'UTC'
      FROM jsonb_array_elements($5::jsonb) AS t(e)
      WHERE "id" = e->>0 AND "updatedAt" = (e->>1)::timestamptz AT TIME ZONE 'UTC' AND "revokedAt" IS NULL`,
  },
};
