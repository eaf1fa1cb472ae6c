/** The set-based statements of the log of deliveries. */
import { bulkRows } from '../../platform/database/bulk-rows.js';
import type { Dialect } from '../../platform/database/dialect.js';

export const payloadRows = bulkRows('WebhookPayload', ['eventId', 'projectId', 'payload', 'subjectUserId']);
/** Columns of a redacted payload. */
export const redactedRows = bulkRows('WebhookPayload', ['payload', 'subjectUserId', 'redactedAt', 'eventId']);
export const deliveryRows = bulkRows('WebhookEvent', [
  'id',
  'tenantId',
  'projectId',
  'subscriptionId',
  'eventId',
  'eventType',
  'nextAttemptAt',
  'replayPosition',
  'createdAt',
  'status',
  'attemptsCount',
  'attemptsBefore',
]);

/** Positions of events in the log. */
export const replayRows = bulkRows('WebhookEvent', ['eventId', 'replayPosition']);

interface WebhookStatements {
  /** Parameter: JSON array of project ids. Returns id, tenantId, projectId and events of their subscriptions. */
  readonly listeners: string;
  /** For `Database.write`: `payloadRows`. One that is there stays as it is until the transaction ends. */
  readonly insertPayloads: string;
  /** For `Database.write`: `deliveryRows`. */
  readonly insertDeliveries: string;
  /**
   * Parameters: now, `replayRows`, subscriptionId. Rows that an attempt is on its way for are left alone. Returns the ids
   * of the others.
   */
  readonly requeueInOrder: string;
  /**
   * Parameters: now, subscriptionId, now, limit. Makes deliveries due that wait for their next attempt, with a new
   * schedule.
   */
  readonly restart: string;
  /** Parameters: now, JSON array of ids. What has arrived or is being attempted is left alone. Returns the ids of the others. */
  readonly requeue: string;
  /** Parameter: JSON array of ids. Returns the eventId of each. */
  readonly deleteDeliveries: string;
  /**
   * Parameter: JSON array of event ids. Locks them: no other transaction deletes or keeps their payloads until this one
   * has ended.
   */
  readonly lockPayloads: string;
  /** Parameter: JSON array of event ids. Deletes payloads that no delivery needs any more. */
  readonly deleteUnsent: string;
  /**
   * Parameters: projectId, subjectUserId, limit. Payloads about a person, which nobody else changes until the transaction
   * ends.
   */
  readonly about: string;
  /** Parameters: projectId, after, how many to skip. The event of a payload about nobody. */
  readonly namelessEnd: string;
  /**
   * Parameters: projectId, after, to, and two texts. The events, between these two, of payloads about nobody that contain
   * one of them.
   */
  readonly naming: string;
  /**
   * Parameters: JSON array of event ids, and two texts. Payloads about nobody that contain one of them, which nobody
   * else changes until the transaction ends.
   */
  readonly namingOf: string;
  /** For `Database.write`: `redactedRows`. */
  readonly redact: string;
  /** Parameter: JSON array of event ids. Deletes what receivers answered to their attempts. */
  readonly clearAnswers: string;
}

/** A delivery that was set aside is tried once more; one more crash sets it aside again. */
const stillSuspect = `"crashes" = CASE WHEN "status" = 'set_aside' THEN 1 ELSE "crashes" END`;

const requeueInOrder = (now: string, rows: string, subscriptionId: string) =>
  `UPDATE "WebhookEvent" SET "status" = 'pending', "attemptsBefore" = "attemptsCount", "nextAttemptAt" = ${now},
   "finishedAt" = NULL, ${stillSuspect}, "replayPosition" = given."replayPosition" FROM ${rows} AS given
   WHERE "subscriptionId" = ${subscriptionId} AND "leaseOwner" IS NULL AND "WebhookEvent"."eventId" = given."eventId"
   RETURNING "id"`;

const restart = (now: string, subscriptionId: string, again: string, limit: string) =>
  `UPDATE "WebhookEvent" SET "attemptsBefore" = "attemptsCount", "nextAttemptAt" = ${now} WHERE "leaseOwner" IS NULL AND "id" IN
   (SELECT w."id" FROM "WebhookEvent" AS w WHERE w."subscriptionId" = ${subscriptionId} AND w."status" = 'pending'
     AND w."leaseOwner" IS NULL AND w."nextAttemptAt" > ${again} LIMIT ${limit})`;

const requeue = (now: string, ids: string) =>
  `UPDATE "WebhookEvent" SET "status" = 'pending', "attemptsBefore" = "attemptsCount", "nextAttemptAt" = ${now},
   "finishedAt" = NULL, ${stillSuspect}, "replayPosition" = NULL
   WHERE "id" IN (${ids}) AND "leaseOwner" IS NULL AND "status" <> 'delivered' RETURNING "id"`;

const listeners = (projectIds: string) =>
  `SELECT "id", "tenantId", "projectId", "events" FROM "WebhookSubscription" WHERE "projectId" IN (${projectIds})`;

const lockPayloads = (eventIds: string) =>
  `SELECT "eventId" FROM "WebhookPayload" WHERE "eventId" IN (${eventIds}) ORDER BY "eventId"`;

const deleteUnsent = (eventIds: string) => `DELETE FROM "WebhookPayload" WHERE "eventId" IN (${eventIds})
  AND NOT EXISTS (SELECT 1 FROM "WebhookEvent" AS w WHERE w."eventId" = "WebhookPayload"."eventId")`;

type Holds = (text: string) => string;
/** About nobody: as an index holds them. */
const nameless = '"subjectUserId" IS NULL';
const inOrder = 'ORDER BY "subjectUserId", "eventId"';
const withOne = (holds: Holds, texts: readonly string[]) => `(${texts.map(holds).join(' OR ')})`;
const content = 'SELECT "eventId", "payload", "subjectUserId" FROM "WebhookPayload"';

const about = (projectId: string, person: string, limit: string) =>
  `${content} WHERE "projectId" = ${projectId} AND "subjectUserId" = ${person} ORDER BY "eventId" LIMIT ${limit}`;

const namelessEnd = (projectId: string, after: string, skipped: string) =>
  `SELECT "eventId" FROM "WebhookPayload" WHERE "projectId" = ${projectId} AND ${nameless} AND "eventId" > ${after}
   ${inOrder} LIMIT 1 OFFSET ${skipped}`;

const naming = (holds: Holds, projectId: string, [after, to]: readonly [string, string], ...texts: string[]) =>
  `SELECT "eventId" FROM "WebhookPayload" WHERE "projectId" = ${projectId} AND ${nameless} AND "eventId" > ${after}
   AND "eventId" <= ${to} AND ${withOne(holds, texts)}`;

const namingOf = (holds: Holds, eventIds: string, ...texts: string[]) =>
  `${content} WHERE "eventId" IN (${eventIds}) AND ${nameless} AND ${withOne(holds, texts)} ORDER BY "eventId"`;

const instr: Holds = (text) => `(instr("payload", ${text}) > 0)`;
const strpos: Holds = (text) => `(strpos("payload", ${text}) > 0)`;
/** In the order in which recorders of attempts lock them. */
const locked = (select: string) => `${select} FOR UPDATE`;

const clearAnswers = (eventIds: string) => `UPDATE "WebhookAttempt" SET "responseSnippet" = NULL
  WHERE "responseSnippet" IS NOT NULL AND "webhookEventId" IN (SELECT "id" FROM "WebhookEvent" WHERE "eventId" IN (${eventIds}))`;

export const webhookStatements: Readonly<Record<Dialect, WebhookStatements>> = {
  sqlite: {
    listeners: listeners('SELECT value FROM json_each(?)'),
    insertPayloads: `${payloadRows.insertPrepared('sqlite')} ON CONFLICT DO NOTHING`,
    insertDeliveries: deliveryRows.insertPrepared('sqlite'),
    requeueInOrder: requeueInOrder('?', replayRows.from('sqlite'), '?'),
    restart: restart('?', '?', '?', '?'),
    requeue: requeue('?', 'SELECT value FROM json_each(?)'),
    deleteDeliveries: 'DELETE FROM "WebhookEvent" WHERE "id" IN (SELECT value FROM json_each(?)) RETURNING "eventId"',
    lockPayloads: lockPayloads('SELECT value FROM json_each(?)'),
    deleteUnsent: deleteUnsent('SELECT value FROM json_each(?)'),
    about: about('?', '?', '?'),
    redact: redactedRows.updatePrepared('sqlite', ['eventId']),
    clearAnswers: clearAnswers('SELECT value FROM json_each(?)'),
    namelessEnd: namelessEnd('?', '?', '?'),
    naming: naming(instr, '?', ['?', '?'], '?', '?'),
    namingOf: namingOf(instr, 'SELECT value FROM json_each(?)', '?', '?'),
  },
  postgresql: {
    listeners: listeners('SELECT jsonb_array_elements_text($1::jsonb)'),
    insertPayloads: `${payloadRows.insert('postgresql')} ORDER BY "eventId" ON CONFLICT ("eventId") DO UPDATE SET "projectId" = excluded."projectId"`,
    insertDeliveries: deliveryRows.insertPrepared('postgresql'),
    requeueInOrder: requeueInOrder(`$1::timestamptz AT TIME ZONE 'UTC'`, replayRows.from('postgresql', '$2'), '$3'),
    restart: restart(
      ...([`$1::timestamptz AT TIME ZONE 'UTC'`, '$2', `$3::timestamptz AT TIME ZONE 'UTC'`, '$4'] as const),
    ),
    requeue: requeue(`$1::timestamptz AT TIME ZONE 'UTC'`, 'SELECT jsonb_array_elements_text($2::jsonb)'),
    deleteDeliveries:
      'DELETE FROM "WebhookEvent" WHERE "id" IN (SELECT jsonb_array_elements_text($1::jsonb)) RETURNING "eventId"',
    lockPayloads: locked(lockPayloads('SELECT jsonb_array_elements_text($1::jsonb)')),
    deleteUnsent: deleteUnsent('SELECT jsonb_array_elements_text($1::jsonb)'),
    about: locked(about('$1', '$2', '$3')),
    redact: redactedRows.updatePrepared('postgresql', ['eventId']),
    clearAnswers: clearAnswers('SELECT jsonb_array_elements_text($1::jsonb)'),
    namelessEnd: namelessEnd('$1', '$2', '$3'),
    naming: naming(strpos, '$1', ['$2', '$3'], '$4', '$5'),
    namingOf: locked(namingOf(strpos, 'SELECT jsonb_array_elements_text($1::jsonb)', '$2', '$3')),
  },
};
