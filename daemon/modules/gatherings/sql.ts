/** The statements by which a gathering is created, locked and changed: Prisma takes several times as long for them. */
import { bulkRows } from '../../platform/database/bulk-rows.js';
import type { Dialect } from '../../platform/database/dialect.js';

export const gatheringRows = bulkRows('Gathering');
const invitationRows = bulkRows('GatheringInvitation');

interface GatheringStatements {
  /** Parameter: `gatheringRows`. */
  readonly insert: string;
  /** Parameters: projectId, id. Locks the row until the transaction ends. */
  readonly lock: string;
  /** Parameters: projectId, JSON array of external user ids. Locks the gatherings of which they are or were members. */
  readonly lockOfPeople: string;
  /** Parameters: values of the columns, id. */
  readonly update: (columns: readonly string[]) => string;
  /** Parameter: gatheringId. Invitations that nobody has answered, the oldest first. */
  readonly unanswered: string;
  /** Parameter: gatheringId. Cancels the ready marks that wait. */
  readonly stopWaiting: string;
}

const statements = (dialect: Dialect, parameter: (place: number) => string): GatheringStatements => ({
  insert: gatheringRows.insert(dialect),
  lock: `SELECT ${gatheringRows.columns()} FROM "Gathering" WHERE "projectId" = ${parameter(1)} AND "id" = ${parameter(2)}
    ${dialect === 'sqlite' ? '' : 'FOR UPDATE'}`,
  lockOfPeople: `SELECT "id" FROM "Gathering" WHERE "id" IN (SELECT "gatheringId" FROM "GatheringMember"
      WHERE "projectId" = ${parameter(1)} AND "externalUserId" IN (${dialect === 'sqlite' ? 'SELECT value FROM json_each(?)' : 'SELECT jsonb_array_elements_text($2::jsonb)'}))
    ORDER BY "id" ${dialect === 'sqlite' ? '' : 'FOR UPDATE'}`,
  update: (columns) =>
    `UPDATE "Gathering" SET ${columns.map((name, index) => `"${name}" = ${parameter(index + 1)}`).join(', ')}
     WHERE "id" = ${parameter(columns.length + 1)}`,
  unanswered: `SELECT ${invitationRows.columns()} FROM "GatheringInvitation"
    WHERE "gatheringId" = ${parameter(1)} AND "status" = 'pending' ORDER BY "id"`,
  stopWaiting: `UPDATE "GatheringMember" SET "readyAt" = NULL, "readyAskedAt" = NULL
    WHERE "gatheringId" = ${parameter(1)} AND "readyAt" IS NOT NULL`,
});

export const gatheringStatements: Readonly<Record<Dialect, GatheringStatements>> = {
  sqlite: statements('sqlite', () => '?'),
  postgresql: statements('postgresql', (place) => `$${place}`),
};
