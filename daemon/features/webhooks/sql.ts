/** The set-based statements of the log of deliveries. */
import type { Dialect } from '../../database/database.js';

interface WebhookStatements {
  /** Parameter: JSON array of project ids. Returns id, projectId and events of their subscriptions. */
  readonly listeners: string;
  /** Parameter: [[id, tenantId, projectId, subscriptionId, eventId, eventType, payload, subjectUserId, dueAt, replayPosition, createdAt]]. */
  readonly insertDeliveries: string;
  /** Parameters: now, subscriptionId, JSON array of event ids. Rows that an attempt is on its way for are left alone. */
  readonly requeueInOrder: string;
  /** Parameters: time, limit. */
  readonly prune: string;
}

const again = (now: string) =>
  `UPDATE "WebhookEvent" SET "status" = 'pending', "attemptsBefore" = "attemptsCount", "nextAttemptAt" = ${now}, "finishedAt" = NULL,
   "replayPosition" = (SELECT d."position" FROM "DomainEvent" AS d WHERE d."id" = "WebhookEvent"."eventId")`;

const listeners = (projectIds: string) =>
  `SELECT "id", "projectId", "events" FROM "WebhookSubscription" WHERE "projectId" IN (${projectIds})`;

const insertInto = `INSERT INTO "WebhookEvent" ("id", "tenantId", "projectId", "subscriptionId", "eventId", "eventType",
  "payload", "subjectUserId", "nextAttemptAt", "replayPosition", "createdAt", "status", "attemptsCount", "attemptsBefore")`;

export const webhookStatements: Readonly<Record<Dialect, WebhookStatements>> = {
  sqlite: {
    listeners: listeners('SELECT value FROM json_each(?)'),
    insertDeliveries: `${insertInto} SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6,
      value->>7, value->>8, value->>9, value->>10, 'pending', 0, 0 FROM json_each(?)`,
    requeueInOrder: `${again('?')} WHERE "subscriptionId" = ? AND "leaseOwner" IS NULL
      AND "eventId" IN (SELECT value FROM json_each(?))`,
    prune: `DELETE FROM "WebhookEvent" WHERE "id" IN (SELECT "id" FROM "WebhookEvent" WHERE "finishedAt" < ? LIMIT ?)`,
  },
  postgresql: {
    listeners: listeners('SELECT jsonb_array_elements_text($1::jsonb)'),
    insertDeliveries: `${insertInto} SELECT e->>0, e->>1, e->>2, e->>3, e->>4, e->>5, e->>6, e->>7,
      (e->>8)::timestamptz AT TIME ZONE 'UTC', (e->>9)::bigint, (e->>10)::timestamptz AT TIME ZONE 'UTC', 'pending', 0, 0
      FROM jsonb_array_elements($1::jsonb) AS t(e)`,
    requeueInOrder: `${again(`$1::timestamptz AT TIME ZONE 'UTC'`)} WHERE "subscriptionId" = $2 AND "leaseOwner" IS NULL
      AND "eventId" IN (SELECT jsonb_array_elements_text($3::jsonb))`,
    prune: `DELETE FROM "WebhookEvent" WHERE "id" IN
      (SELECT "id" FROM "WebhookEvent" WHERE "finishedAt" < $1::timestamptz AT TIME ZONE 'UTC' LIMIT $2)`,
  },
};
