/** The set-based statements of the outbox. */
import { bulkRows } from '../../../platform/database/bulk-rows.js';
import type { Dialect } from '../../../platform/database/dialect.js';
import { tenantEnabled } from '../../../platform/database/in-reach.js';
import { perEndpointMax } from './limits.js';

export const attemptRows = bulkRows('WebhookAttempt');
export const finishedRows = bulkRows('WebhookEvent', [
  'id',
  'status',
  'attemptsCount',
  'attemptsBefore',
  'lastError',
  'nextAttemptAt',
  'finishedAt',
]);

interface DeliveryStatements {
  /**
   * Parameters: now, now. What is due, first for each subscription that sends the replayed event whose turn it is, then
   * as many others as may be on their way at once: id, tenantId, subscriptionId, as `failing` whether the endpoint
   * fails, and as `suspect` whether a daemon crashed during an attempt.
   */
  readonly due: string;
  /** Parameters: owner, end of the lease, now, JSON array of ids. Returns the rows that nobody has taken meanwhile. */
  readonly claim: string;
  /** Parameter: JSON array of ids. */
  readonly subscriptions: string;
  /**
   * Parameters: owner, JSON array of ids. Returns id and eventId; nobody deletes or changes these rows until the
   * transaction ends.
   */
  readonly mine: string;
  /**
   * Parameter: JSON array of event ids. Returns eventId, subjectUserId and redactedAt, which an erasure may have
   * changed and does not change until the transaction ends.
   */
  readonly contents: string;
  /** Parameter: `attemptRows`. */
  readonly insertAttempts: string;
  /** Parameter: `finishedRows`. Gives the lease back. */
  readonly finish: string;
}

/** Subscriptions with something unfinished, one index entry each: how many others there are costs nothing. */
const nextBusy = (after: string) => `(SELECT w."subscriptionId" FROM "WebhookEvent" AS w
  WHERE w."finishedAt" IS NULL AND w."subscriptionId" > ${after} ORDER BY w."finishedAt", w."subscriptionId" LIMIT 1)`;
const busy = `WITH RECURSIVE busy("id") AS (SELECT ${nextBusy("''")} UNION ALL
  SELECT ${nextBusy('busy."id"')} FROM busy WHERE busy."id" IS NOT NULL)`;

/**
 * Selects the waiting deliveries of a subscription: replayed events in the order of the log, others as they become due.
 */
const replayed = `"WebhookEvent" AS w WHERE w."subscriptionId" = s."id" AND w."status" = 'pending'
  AND w."replayPosition" IS NOT NULL ORDER BY w."replayPosition" LIMIT 1`;
const others = (now: string) => `"WebhookEvent" AS w WHERE w."subscriptionId" = s."id" AND w."status" = 'pending'
  AND w."replayPosition" IS NULL AND w."nextAttemptAt" <= ${now} ORDER BY w."nextAttemptAt", w."id" LIMIT ${perEndpointMax}`;

/**
 * Condition under which a subscription sends; deliveries of a disabled one, or of a disabled tenant, go out once it is
 * enabled.
 */
const sends = `s."enabled" AND ${tenantEnabled('s')}`;

/** A lease that has run out was not given back. */
const suspect = '(e."leaseOwner" IS NOT NULL OR e."crashes" > 0)';

/** Each half is joined to its subscription: by LATERAL where there is such a thing. */
const due = (
  first: string,
  second: string,
  now: string,
) => `${busy} SELECT "id", "tenantId", "subscriptionId", "failing", "suspect" FROM (
  SELECT 0 AS "turn", e."nextAttemptAt" AS "at", e."id" AS "id", s."tenantId" AS "tenantId", s."id" AS "subscriptionId",
    s."failingSince" IS NOT NULL AS "failing", ${suspect} AS "suspect"
    FROM busy CROSS JOIN "WebhookSubscription" AS s JOIN ${first}
    WHERE s."id" = busy."id" AND ${sends} AND e."nextAttemptAt" <= ${now}
  UNION ALL
  SELECT 1, e."nextAttemptAt", e."id", s."tenantId", s."id", s."failingSince" IS NOT NULL, ${suspect}
    FROM busy CROSS JOIN "WebhookSubscription" AS s JOIN ${second} WHERE s."id" = busy."id" AND ${sends}
  ) AS d ORDER BY "turn", "at", "id"`;

const firstOther = `SELECT w."nextAttemptAt" FROM "WebhookEvent" AS w WHERE w."subscriptionId" = s."id"
  AND w."status" = 'pending' AND w."replayPosition" IS NULL ORDER BY w."nextAttemptAt", w."id" LIMIT 1`;
/** For SQLite. Of each enabled subscription with something unfinished, when its first deliveries are due: replayed, other. */
export const nextAttempts = `${busy} SELECT (SELECT w."nextAttemptAt" FROM ${replayed}) AS "replayed", (${firstOther}) AS "other"
  FROM busy CROSS JOIN "WebhookSubscription" AS s WHERE s."id" = busy."id" AND ${sends}`;

const contents = (eventIds: string) =>
  `SELECT "eventId", "subjectUserId", "redactedAt" FROM "WebhookPayload" WHERE "eventId" IN (${eventIds})`;

const finish = (dialect: Dialect) =>
  `UPDATE "WebhookEvent" SET "status" = j."status", "attemptsCount" = j."attemptsCount",
   "attemptsBefore" = j."attemptsBefore", "lastError" = j."lastError",
   "nextAttemptAt" = j."nextAttemptAt", "finishedAt" = j."finishedAt", "leaseOwner" = NULL, "crashes" = 0
   FROM ${finishedRows.from(dialect)} AS j WHERE "WebhookEvent"."id" = j."id"`;
const claimedColumns = `"id", "tenantId", "projectId", "subscriptionId", "eventId", "eventType",
  "attemptsCount", "attemptsBefore", "lastError", "replayPosition", "crashes", "createdAt"`;

export const deliveryStatements: Readonly<Record<Dialect, DeliveryStatements>> = {
  sqlite: {
    due: due(
      `"WebhookEvent" AS e ON e."id" = (SELECT w."id" FROM ${replayed})`,
      `"WebhookEvent" AS e ON e."id" IN (SELECT w."id" FROM ${others('?')})`,
      '?',
    ),
    claim: `UPDATE "WebhookEvent" SET "leaseOwner" = ?, "nextAttemptAt" = ? WHERE "status" = 'pending' AND "nextAttemptAt" <= ?
      AND "id" IN (SELECT value FROM json_each(?)) RETURNING ${claimedColumns}`,
    subscriptions: 'SELECT * FROM "WebhookSubscription" WHERE "id" IN (SELECT value FROM json_each(?))',
    mine: `SELECT "id", "eventId" FROM "WebhookEvent" WHERE "leaseOwner" = ?
      AND "id" IN (SELECT value FROM json_each(?))`,
    contents: contents('SELECT value FROM json_each(?)'),
    insertAttempts: attemptRows.insert('sqlite'),
    finish: finish('sqlite'),
  },
  postgresql: {
    due: due(
      `LATERAL (SELECT w."id", w."nextAttemptAt", w."leaseOwner", w."crashes" FROM ${replayed}) AS e ON TRUE`,
      `LATERAL (SELECT w."id", w."nextAttemptAt", w."leaseOwner", w."crashes" FROM ${others(`$2::timestamptz AT TIME ZONE 'UTC'`)}) AS e ON TRUE`,
      `$1::timestamptz AT TIME ZONE 'UTC'`,
    ),
    // Rows that another daemon is claiming are its own: nobody waits for them.
    claim: `UPDATE "WebhookEvent" SET "leaseOwner" = $1, "nextAttemptAt" = $2::timestamptz AT TIME ZONE 'UTC'
      WHERE "id" IN (SELECT w."id" FROM "WebhookEvent" AS w WHERE w."status" = 'pending'
        AND w."nextAttemptAt" <= $3::timestamptz AT TIME ZONE 'UTC'
        AND w."id" IN (SELECT jsonb_array_elements_text($4::jsonb)) ORDER BY w."id" FOR UPDATE SKIP LOCKED) RETURNING ${claimedColumns}`,
    subscriptions: 'SELECT * FROM "WebhookSubscription" WHERE "id" IN (SELECT jsonb_array_elements_text($1::jsonb))',
    mine: `SELECT "id", "eventId" FROM "WebhookEvent" WHERE "leaseOwner" = $1
      AND "id" IN (SELECT jsonb_array_elements_text($2::jsonb)) ORDER BY "id" FOR UPDATE`,
    contents: `${contents('SELECT jsonb_array_elements_text($1::jsonb)')} ORDER BY "eventId" FOR SHARE`,
    insertAttempts: attemptRows.insert('postgresql'),
    finish: finish('postgresql'),
  },
};
