/** The set-based statement of reviews: rows go in as one JSON array, however many there are. */
import type { Dialect } from '../../../platform/database/database.js';

/** In the order of the values of a row. */
export const reviewColumns = [
  ...['id', 'tenantId', 'projectId', 'kind', 'status', 'sanctionId', 'participantId', 'externalUserId', 'statement'],
  ...['createdByUserId', 'createdAt', 'updatedAt', 'claimedByUserId', 'claimedAt', 'decidedByUserId', 'decidedAt'],
  ...['decision', 'note'],
] as const;

const quoted = reviewColumns.map((name) => `"${name}"`).join(', ');
const cast = (name: string, index: number): string =>
  name.endsWith('At') ? `(e->>${index})::timestamptz AT TIME ZONE 'UTC'` : `e->>${index}`;

/** Parameter: JSON array of rows. */
export const insertReviews: Readonly<Record<Dialect, string>> = {
  sqlite: `INSERT INTO "Review" (${quoted})
    SELECT ${reviewColumns.map((_, index) => `value->>${index}`).join(', ')} FROM json_each(?)`,
  postgresql: `INSERT INTO "Review" (${quoted})
    SELECT ${reviewColumns.map(cast).join(', ')} FROM jsonb_array_elements($1::jsonb) AS t(e)`,
};
