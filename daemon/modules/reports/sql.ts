/** The set-based statements of reports and cases. */
import { bulkRows } from '../../platform/database/bulk-rows.js';

export const caseRows = bulkRows('Case');
/** What a review adds to a case; the id is its key. */
export const caseLoadRows = bulkRows('Case', ['reviews', 'rank', 'updatedAt', 'id']);
export const caseReviewRows = bulkRows('CaseReview');
export const reporterRows = bulkRows('Reporter');

/** For PostgreSQL. Parameters: projectId, openKeys as a JSON array. */
export const lockCases = `SELECT 1 FROM "Case" WHERE "projectId" = $1
  AND "openKey" IN (SELECT jsonb_array_elements_text($2::jsonb)) ORDER BY "openKey" FOR UPDATE`;
/** For PostgreSQL. Parameters: projectId, external user ids as a JSON array. */
export const lockReporters = `SELECT 1 FROM "Reporter" WHERE "projectId" = $1
  AND "externalUserId" IN (SELECT jsonb_array_elements_text($2::jsonb)) ORDER BY "externalUserId" FOR UPDATE`;
/** For PostgreSQL. Parameter: caseId. */
export const lockOpenReports = `SELECT 1 FROM "Report" WHERE "caseId" = $1 AND "status" = 'open' ORDER BY "id" FOR UPDATE`;
