/** The set-based statement of sanctions: rows go in as one JSON array, however many there are. */
import type { Dialect } from '../../database/database.js';

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

/** Parameter: JSON array of rows. */
export const insertSanctions: Readonly<Record<Dialect, string>> = {
  sqlite: `INSERT INTO "Sanction" (${quoted})
    SELECT ${sanctionColumns.map((_, index) => `value->>${index}`).join(', ')} FROM json_each(?)`,
  postgresql: `INSERT INTO "Sanction" (${quoted})
    SELECT ${sanctionColumns.map(cast).join(', ')} FROM jsonb_array_elements($1::jsonb) AS t(e)`,
};
