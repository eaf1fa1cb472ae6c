/** The set-based statements of runs and annotations. */
import { bulkRows } from '../../../platform/database/bulk-rows.js';
import type { Dialect } from '../../../platform/database/dialect.js';
import { inReach } from '../../../platform/database/in-reach.js';
import { replacingSlugs } from '../catalogue/replacing.js';
import { perInstanceMax } from '../host/limits.js';

export const annotationRows = bulkRows('PluginAnnotation');
export const queuedRows = bulkRows('PluginAction', [
  ...(['id', 'tenantId', 'projectId', 'instanceId', 'eventId', 'eventType', 'version', 'sessionId'] as const),
  ...(['status', 'attempts', 'dueAt', 'subjectUserId', 'createdAt'] as const),
]);
export const finishedRows = bulkRows('PluginAction', [
  ...(['id', 'status', 'dueAt', 'finishedAt', 'durationMs', 'error', 'result'] as const),
]);

interface ActionStatements {
  /** Parameters: now, for SQLite three times. What is due, as many for each instance as may run at once: id, tenantId, instanceId, suspect. */
  readonly due: string;
  /** Parameters: owner, JSON array of ids. Ids of those still claimed; nobody changes them until the transaction ends. */
  readonly mine: string;
  /** Parameter: `queuedRows`. */
  readonly queue: string;
  /** Parameter: `annotationRows`. */
  readonly annotate: string;
  /** Parameter: `finishedRows`. Gives the lease back. */
  readonly finish: string;
}

const replacing = replacingSlugs.map((slug) => `'${slug}'`).join(', ');
/** Runs whose results replace each other take turns: one at a time of a session, the one asked for first before others. */
const inTurn = (now: string) => `(s."pluginSlug" NOT IN (${replacing}) OR w."sessionId" IS NULL OR NOT EXISTS (
  SELECT 1 FROM "PluginAction" AS o WHERE o."projectId" = w."projectId" AND o."sessionId" = w."sessionId"
    AND o."instanceId" = w."instanceId" AND o."id" <> w."id"
    AND ((o."status" = 'running' AND o."dueAt" > ${now}) OR (o."dueAt" <= ${now} AND o."id" < w."id"))))`;
const next = (now: string) => `"PluginAction" AS w WHERE w."instanceId" = s."id" AND w."dueAt" <= ${now}
  AND ${inTurn(now)} ORDER BY w."dueAt", w."id" LIMIT ${perInstanceMax}`;
const due = (joined: string) => `SELECT a."id", a."tenantId", a."instanceId",
  (a."leaseOwner" IS NOT NULL OR a."crashes" > 0) AS "suspect" FROM "PluginInstance" AS s JOIN ${joined}
  WHERE s."enabled" AND ${inReach('s."projectId"')} ORDER BY a."dueAt", a."id"`;
/** The time at which the first run of each enabled instance is due. */
export const nextRuns = `SELECT (SELECT MIN(a."dueAt") FROM "PluginAction" AS a WHERE a."instanceId" = s."id") AS "dueAt"
  FROM "PluginInstance" AS s WHERE s."enabled" AND ${inReach('s."projectId"')}`;
const finish = (dialect: Dialect) =>
  `UPDATE "PluginAction" SET "status" = j."status", "dueAt" = j."dueAt", "finishedAt" = j."finishedAt",
   "durationMs" = j."durationMs", "error" = j."error", "result" = j."result", "leaseOwner" = NULL, "crashes" = 0
   FROM ${finishedRows.from(dialect)} AS j WHERE "PluginAction"."id" = j."id"`;

export const runStatements: Readonly<Record<Dialect, ActionStatements>> = {
  sqlite: {
    due: due(`"PluginAction" AS a ON a."id" IN (SELECT w."id" FROM ${next('?')})`),
    mine: `SELECT "id", "attempts" FROM "PluginAction" WHERE "leaseOwner" = ? AND "id" IN (SELECT value FROM json_each(?))`,
    queue: queuedRows.insert('sqlite'),
    annotate: annotationRows.insert('sqlite'),
    finish: finish('sqlite'),
  },
  postgresql: {
    due: due(
      `LATERAL (SELECT w."id", w."tenantId", w."instanceId", w."dueAt", w."leaseOwner", w."crashes" FROM ${next(`$1::timestamptz AT TIME ZONE 'UTC'`)}) AS a ON TRUE`,
    ),
    mine: `SELECT "id", "attempts" FROM "PluginAction" WHERE "leaseOwner" = $1
      AND "id" IN (SELECT jsonb_array_elements_text($2::jsonb)) ORDER BY "id" FOR UPDATE`,
    queue: queuedRows.insert('postgresql'),
    annotate: annotationRows.insert('postgresql'),
    finish: finish('postgresql'),
  },
};
