/** The set-based statements of sanctions. */
import { bulkRows } from '../../../platform/database/bulk-rows.js';
import type { Dialect } from '../../../platform/database/database.js';

export const sanctionRows = bulkRows('Sanction');
/** Sanctions as they were read. */
export const readSanctionRows = bulkRows('Sanction', ['id', 'updatedAt']);

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
