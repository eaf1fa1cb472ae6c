/** The set-based statements of the log of deliveries. */
import { bulkRows } from '../../platform/database/bulk-rows.js';
import type { Dialect } from '../../platform/database/database.js';

export const payloadRows = bulkRows('WebhookPayload', ['eventId', 'projectId', 'payload', 'subjectUserId']);
/** What a redacted payload still says. */
export const redactedRows = bulkRows('WebhookPayload', ['payload', 'subjectUserId', 'redactedAt', 'eventId']);
export const deliveryRows = bulkRows('WebhookEvent', [
  ...([
    'id',
    'tenantId',
    'projectId',
    'subscriptionId',
    'eventId',
    'eventType',
    'nextAttemptAt',
    'replayPosition',
  ] as const),
  ...(['createdAt', 'status', 'attemptsCount', 'attemptsBefore'] as const),
]);

/** Where events stand in the log. */
export const replayRows = bulkRows('WebhookEvent', ['eventId', 'replayPosition']);

interface WebhookStatements {
  /** Parameter: JSON array of project ids. Returns id, tenantId, projectId and events of their subscriptions. */
  readonly listeners: string;
  /** For `Database.write`: `payloadRows`. One that is there stays as it is until the transaction ends. */
  readonly insertPayloads: string;
  /** For `Database.write`: `deliveryRows`. */
  readonly insertDeliveries: string;
  /** Parameters: now, `replayRows`, subscriptionId. Rows that an attempt is on its way for are left alone. */
  readonly requeueInOrder: string;
  /** Parameter: JSON array of ids. Returns the eventId of each. */
  readonly deleteDeliveries: string;
  /** Parameter: JSON array of event ids. Deletes what no delivery sends any more. */
  readonly deleteUnsent: string;
  /** Parameters: projectId, subjectUserId, and two texts: payloads about no person match when they contain one of them. */
  readonly naming: string;
  /** Parameters: projectId, subjectUserId, limit. Payloads about a person. */
  readonly about: string;
  /** For `Database.write`: `redactedRows`. */
  readonly redact: string;
  /** Parameter: JSON array of event ids. Forgets what their attempts were answered. */
  readonly forgetAnswers: string;
}

const requeueInOrder = (now: string, rows: string, subscriptionId: string) =>
  `UPDATE "WebhookEvent" SET "status" = 'pending', "attemptsBefore" = "attemptsCount", "nextAttemptAt" = ${now},
   "finishedAt" = NULL, "replayPosition" = given."replayPosition" FROM ${rows} AS given
   WHERE "subscriptionId" = ${subscriptionId} AND "leaseOwner" IS NULL AND "WebhookEvent"."eventId" = given."eventId"`;

const listeners = (projectIds: string) =>
  `SELECT "id", "tenantId", "projectId", "events" FROM "WebhookSubscription" WHERE "projectId" IN (${projectIds})`;

const deleteUnsent = (eventIds: string) => `DELETE FROM "WebhookPayload" WHERE "eventId" IN (${eventIds})
  AND NOT EXISTS (SELECT 1 FROM "WebhookEvent" AS w WHERE w."eventId" = "WebhookPayload"."eventId")`;

/** In the same order as recorders of attempts lock them. */
const naming = (projectId: string, person: string, holds: (text: string) => string, texts: readonly string[]) =>
  `SELECT "eventId", "payload", "subjectUserId" FROM "WebhookPayload" WHERE "projectId" = ${projectId}
   AND ("subjectUserId" = ${person} OR ("subjectUserId" IS NULL AND (${texts.map(holds).join(' OR ')}))) ORDER BY "eventId"`;

const about = (projectId: string, person: string, limit: string) =>
  `SELECT "eventId", "payload", "subjectUserId" FROM "WebhookPayload" WHERE "projectId" = ${projectId}
   AND "subjectUserId" = ${person} ORDER BY "eventId" LIMIT ${limit}`;

const forgetAnswers = (eventIds: string) => `UPDATE "WebhookAttempt" SET "responseSnippet" = NULL
  WHERE "responseSnippet" IS NOT NULL AND "webhookEventId" IN (SELECT "id" FROM "WebhookEvent" WHERE "eventId" IN (${eventIds}))`;

export const webhookStatements: Readonly<Record<Dialect, WebhookStatements>> = {
  sqlite: {
    listeners: listeners('SELECT value FROM json_each(?)'),
    insertPayloads: `${payloadRows.insertPrepared('sqlite')} ON CONFLICT DO NOTHING`,
    insertDeliveries: deliveryRows.insertPrepared('sqlite'),
    requeueInOrder: requeueInOrder('?', replayRows.from('sqlite'), '?'),
    deleteDeliveries: 'DELETE FROM "WebhookEvent" WHERE "id" IN (SELECT value FROM json_each(?)) RETURNING "eventId"',
    deleteUnsent: deleteUnsent('SELECT value FROM json_each(?)'),
    about: about('?', '?', '?'),
    redact: redactedRows.updatePrepared('sqlite', ['eventId']),
    forgetAnswers: forgetAnswers('SELECT value FROM json_each(?)'),
    naming: naming('?', '?', (text) => `(instr("payload", ${text}) > 0)`, ['?', '?']),
  },
  postgresql: {
    listeners: listeners('SELECT jsonb_array_elements_text($1::jsonb)'),
    insertPayloads: `${payloadRows.insert('postgresql')} ORDER BY "eventId" ON CONFLICT ("eventId") DO UPDATE SET "projectId" = excluded."projectId"`,
    insertDeliveries: deliveryRows.insertPrepared('postgresql'),
    requeueInOrder: requeueInOrder(`$1::timestamptz AT TIME ZONE 'UTC'`, replayRows.from('postgresql', '$2'), '$3'),
    deleteDeliveries:
      'DELETE FROM "WebhookEvent" WHERE "id" IN (SELECT jsonb_array_elements_text($1::jsonb)) RETURNING "eventId"',
    deleteUnsent: deleteUnsent('SELECT jsonb_array_elements_text($1::jsonb)'),
    about: about('$1', '$2', '$3'),
    redact: redactedRows.updatePrepared('postgresql', ['eventId']),
    forgetAnswers: forgetAnswers('SELECT jsonb_array_elements_text($1::jsonb)'),
    naming: naming('$1', '$2', (text) => `(strpos("payload", ${text}) > 0)`, ['$3', '$4']),
  },
};
