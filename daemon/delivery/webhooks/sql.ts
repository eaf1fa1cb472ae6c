/** The set-based statements of the outbox. Rows go in as one JSON array. */
import type { Dialect } from '../../database/database.js';

interface DeliveryStatements {
  /** Parameters: now, now. Subscriptions that something is due for, with `failingSince`. */
  readonly dueSubscriptions: string;
  /** Parameter: [[id, webhookEventId, attempt, startedAt, durationMs, statusCode, error, responseSnippet]]. */
  readonly insertAttempts: string;
  /** Parameter: [[id, status, attemptsCount, lastError, nextAttemptAt, finishedAt]]. Gives the lease back. */
  readonly finish: string;
}

/** A replayed event is due only when it is the first of those that wait. */
const dueSubscriptions = (now: readonly [string, string]) =>
  `SELECT s."id", s."failingSince" FROM "WebhookSubscription" AS s WHERE s."enabled" AND (
    EXISTS (SELECT 1 FROM "WebhookEvent" AS e WHERE e."subscriptionId" = s."id" AND e."status" = 'pending'
      AND e."replayPosition" IS NULL AND e."nextAttemptAt" <= ${now[0]})
    OR (SELECT r."nextAttemptAt" FROM "WebhookEvent" AS r WHERE r."subscriptionId" = s."id" AND r."status" = 'pending'
      AND r."replayPosition" IS NOT NULL ORDER BY r."replayPosition" LIMIT 1) <= ${now[1]})`;

const attemptColumns =
  '"id", "webhookEventId", "attempt", "startedAt", "durationMs", "statusCode", "error", "responseSnippet"';

export const deliveryStatements: Readonly<Record<Dialect, DeliveryStatements>> = {
  sqlite: {
    dueSubscriptions: dueSubscriptions(['?', '?']),
    insertAttempts: `INSERT INTO "WebhookAttempt" (${attemptColumns})
      SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7 FROM json_each(?)`,
    finish: `UPDATE "WebhookEvent" SET "status" = j.value->>1, "attemptsCount" = j.value->>2, "lastError" = j.value->>3,
      "nextAttemptAt" = j.value->>4, "finishedAt" = j.value->>5, "leaseOwner" = NULL
      FROM json_each(?) AS j WHERE "WebhookEvent"."id" = j.value->>0`,
  },
  postgresql: {
    dueSubscriptions: dueSubscriptions([`$1::timestamptz AT TIME ZONE 'UTC'`, `$2::timestamptz AT TIME ZONE 'UTC'`]),
    insertAttempts: `INSERT INTO "WebhookAttempt" (${attemptColumns})
      SELECT e->>0, e->>1, (e->>2)::int, (e->>3)::timestamptz AT TIME ZONE 'UTC', (e->>4)::int, (e->>5)::int, e->>6, e->>7
      FROM jsonb_array_elements($1::jsonb) AS t(e)`,
    finish: `UPDATE "WebhookEvent" SET "status" = e->>1, "attemptsCount" = (e->>2)::int, "lastError" = e->>3,
      "nextAttemptAt" = (e->>4)::timestamptz AT TIME ZONE 'UTC', "finishedAt" = (e->>5)::timestamptz AT TIME ZONE 'UTC',
      "leaseOwner" = NULL FROM jsonb_array_elements($1::jsonb) AS t(e) WHERE "WebhookEvent"."id" = e->>0`,
  },
};
