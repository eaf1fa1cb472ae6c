/** The set-based statements of the log of deliveries. */
import type { Dialect } from '../../database/database.js';

interface WebhookStatements {
  /** Parameters: now, subscriptionId, JSON array of event ids. Rows that an attempt is on its way for are left alone. */
  readonly requeueInOrder: string;
  /** Parameters: time, limit. */
  readonly prune: string;
}

const again = (now: string) =>
  `UPDATE "WebhookEvent" SET "status" = 'pending', "attemptsBefore" = "attemptsCount", "nextAttemptAt" = ${now}, "finishedAt" = NULL,
   "replayPosition" = (SELECT d."position" FROM "DomainEvent" AS d WHERE d."id" = "WebhookEvent"."eventId")`;

export const webhookStatements: Readonly<Record<Dialect, WebhookStatements>> = {
  sqlite: {
    requeueInOrder: `${again('?')} WHERE "subscriptionId" = ? AND "leaseOwner" IS NULL
      AND "eventId" IN (SELECT value FROM json_each(?))`,
    prune: `DELETE FROM "WebhookEvent" WHERE "id" IN (SELECT "id" FROM "WebhookEvent" WHERE "finishedAt" < ? LIMIT ?)`,
  },
  postgresql: {
    requeueInOrder: `${again(`$1::timestamptz AT TIME ZONE 'UTC'`)} WHERE "subscriptionId" = $2 AND "leaseOwner" IS NULL
      AND "eventId" IN (SELECT jsonb_array_elements_text($3::jsonb))`,
    prune: `DELETE FROM "WebhookEvent" WHERE "id" IN
      (SELECT "id" FROM "WebhookEvent" WHERE "finishedAt" < $1::timestamptz AT TIME ZONE 'UTC' LIMIT $2)`,
  },
};
