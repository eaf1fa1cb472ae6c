/** The set-based statements of reports and cases. */
import { bulkRows } from '../../platform/database/bulk-rows.js';
import type { Dialect } from '../../platform/database/dialect.js';

export const caseRows = bulkRows('Case');
/** What reports and reviews add to a case; the id is its key. */
export const caseLoadRows = bulkRows('Case', [
  ...['category', 'categoryWeight', 'dueAt', 'reports', 'reporters', 'reviews', 'brigaded', 'trusted', 'weight'],
  ...['rank', 'escalatedTo', 'updatedAt', 'id'],
] as const);
export const caseReviewRows = bulkRows('CaseReview');
export const reportRows = bulkRows('Report');
export const reportPlaces = bulkRows('Report', ['caseId', 'isBrigaded', 'id']);
export const reportRepeats = bulkRows('Report', ['repeats', 'words', 'category', 'lastSeconds', 'updatedAt', 'id']);
export const reporterRows = bulkRows('Reporter');

/** For PostgreSQL. Parameters: projectId, openKeys as a JSON array. */
export const lockCases = `SELECT 1 FROM "Case" WHERE "projectId" = $1
  AND "openKey" IN (SELECT jsonb_array_elements_text($2::jsonb)) ORDER BY "openKey" FOR UPDATE`;
/** For PostgreSQL. Parameters: projectId, external user ids as a JSON array. */
export const lockReporters = `SELECT 1 FROM "Reporter" WHERE "projectId" = $1
  AND "externalUserId" IN (SELECT jsonb_array_elements_text($2::jsonb)) ORDER BY "externalUserId" FOR UPDATE`;
/** For PostgreSQL. Parameter: caseId. */
export const lockOpenReports = `SELECT 1 FROM "Report" WHERE "caseId" = $1 AND "status" = 'open' ORDER BY "id" FOR UPDATE`;
/** For PostgreSQL. Parameter: ids of reports as a JSON array. */
export const lockReports = `SELECT 1 FROM "Report" WHERE "id" IN (SELECT jsonb_array_elements_text($1::jsonb))
  ORDER BY "id" FOR UPDATE`;

/** By whom, and about whom or which room, somebody may have reported before. */
export const reportKeys = bulkRows('Report', ['reporterUserId', 'externalUserId', 'roomId']);

const utc = (parameter: string) => `(${parameter})::timestamptz AT TIME ZONE 'UTC'`;

const repeatedSql = (keys: string, projectId: string, since: string): string =>
  `SELECT r."id", r."caseId" FROM ${keys} AS given JOIN "Report" r ON r."projectId" = ${projectId}
    AND r."reporterUserId" = given."reporterUserId" AND r."status" = 'open' AND r."createdAt" > ${since}
    AND (r."externalUserId" = given."externalUserId"
      OR (given."externalUserId" IS NULL AND r."externalUserId" IS NULL AND r."roomId" = given."roomId"))`;

/** Ids of undecided reports that others repeat. Parameters: rows of `reportKeys`, projectId, a time after which. */
export const repeatedReports: Readonly<Record<Dialect, string>> = {
  sqlite: repeatedSql(reportKeys.from('sqlite'), '?', '?'),
  postgresql: repeatedSql(reportKeys.from('postgresql'), '$2', utc('$3')),
};

const reportersSql = (projectId: string, since: string, people: string): string =>
  `SELECT "externalUserId", COUNT(DISTINCT "reporterUserId") AS "reporters" FROM "Report"
    WHERE "projectId" = ${projectId} AND "createdAt" > ${since} AND "externalUserId" IN (${people})
    GROUP BY "externalUserId"`;

/** Counts who reported each of some people. Parameters: projectId, a time after which, external user ids as a JSON array. */
export const countReporters: Readonly<Record<Dialect, string>> = {
  sqlite: reportersSql('?', '?', 'SELECT value FROM json_each(?)'),
  postgresql: reportersSql('$1', utc('$2'), 'SELECT jsonb_array_elements_text($3::jsonb)'),
};
