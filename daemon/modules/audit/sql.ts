/** The statements by which every recorded call stores its entry: Prisma takes several times as long for them. */
import { bulkRows } from '../../platform/database/bulk-rows.js';
import type { Dialect } from '../../platform/database/dialect.js';

export const entryRows = bulkRows('AuditEntry');
export const targetRows = bulkRows('AuditTarget');

interface AuditStatements {
  /** Parameter: `entryRows`. */
  readonly insertEntries: string;
  /** Parameter: `targetRows`. */
  readonly insertTargets: string;
  /** Parameters: `entryRows`, `targetRows`. null: not supported. */
  readonly insertBoth: string | null;
  /** Parameters: targetId, kind. Returns the name that it was last recorded with. */
  readonly lastName: string;
}

const lastName = (targetId: string, kind: string) =>
  `SELECT "name" FROM "AuditTarget" WHERE "targetId" = ${targetId} AND "kind" = ${kind} AND "name" IS NOT NULL
   ORDER BY "entryId" DESC LIMIT 1`;

export const auditStatements: Readonly<Record<Dialect, AuditStatements>> = {
  sqlite: {
    insertEntries: entryRows.insert('sqlite'),
    insertTargets: targetRows.insert('sqlite'),
    insertBoth: null, // SQLite has no INSERT within another; a statement is no round trip there
    lastName: lastName('?', '?'),
  },
  postgresql: {
    insertEntries: entryRows.insert('postgresql'),
    insertTargets: targetRows.insert('postgresql'),
    insertBoth: `WITH entries AS (${entryRows.insert('postgresql')}) ${targetRows.insert('postgresql', '$2')}`,
    lastName: lastName('$1', '$2'),
  },
};
