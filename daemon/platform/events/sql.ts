/** The log's set-based statements. */
import { bulkRows } from '../database/bulk-rows.js';
import type { Dialect } from '../database/dialect.js';

interface LogStatements {
  readonly ensureHead: string;
  /**
   * Parameters: how many positions, now, now and how far ahead the last time may be, now. Returns position (the last one
   * taken) and storedAt.
   */
  readonly takePositions: string;
  /** Takes positions and stores the up to `rowsAtOnce` rows after the parameters from the first one on. null: not supported. */
  readonly takeAndInsert: string | null;
  /** For `Database.write`, with shard, position and time of storing ahead. */
  readonly insertEvents: string;
  /** Parameters: position, limit. */
  readonly readEvents: string;
  /** Parameter: id. */
  readonly findEvent: string;
  /** Parameters: projectId, subjectUserId, JSON array of types, limit. The newest first. */
  readonly subjectTimeline: string;
  /** Parameters: projectId, JSON array of types, JSON array of subjectUserIds. The newest event of each person: its time. */
  readonly subjectsLatest: string;
  /** As `timeline`, for events about a resource and no person, with `kind:id` instead of the person. */
  readonly resourceTimeline: string;
  /**
   * Parameters: projectId, subjectUserId, limit. Events about a person.
   */
  readonly subjectEvents: string;
  /**
   * Parameters: projectId, after, to, how many to skip. The position of an event about nobody.
   */
  readonly namelessEnd: string;
  /**
   * Parameters: projectId, after, to, participant id, external user id as JSON ends, and as it is. Events about nobody
   * that may name a person; the caller checks them.
   */
  readonly namingEvents: string;
  /** For `Database.write`: `redactedRows`. */
  readonly redact: string;
  /** Parameters: `subjectRows`, projectId. */
  readonly resourceEvents: string;
}

/** Without what an event gets as it is stored. */
export const eventRows = bulkRows('DomainEvent', [
  'id',
  'type',
  'source',
  'tenantId',
  'projectId',
  'resourceId',
  'timestamp',
  'payload',
  'subjectUserId',
]);
/** Subjects of events. */
export const subjectRows = bulkRows('DomainEvent', ['subjectUserId', 'resourceId']);
/** Columns of a redacted event. */
export const redactedRows = bulkRows('DomainEvent', ['resourceId', 'payload', 'subjectUserId', 'id']);

const insertInto = `INSERT INTO "DomainEvent" ("shard", "position", "storedAt", ${eventRows.columns()})`;

/**
 * The columns of an EventRow. SQLite's times are read as text, because one invalid time must not fail the whole answer.
 */
export const eventColumns = (dialect: Dialect, of = ''): string => {
  const timestamp = dialect === 'sqlite' ? `(${of}"timestamp" || '') AS "timestamp"` : `${of}"timestamp"`;
  const others = [
    'id',
    'position',
    'type',
    'source',
    'tenantId',
    'projectId',
    'resourceId',
    'payload',
    'subjectUserId',
  ];
  return [timestamp, ...others.map((name) => `${of}"${name}"`)].join(', ');
};

const ensureHead = 'INSERT INTO "StreamHead" ("shard", "position") VALUES (0, 0) ON CONFLICT DO NOTHING';
/** The time of storing goes back only where the clock was set back far: then the stored time was wrong. */
const takePositions = (count: string, now: (index: number) => string) =>
  `UPDATE "StreamHead" SET "position" = "position" + ${count},
   "storedAt" = CASE WHEN "storedAt" > ${now(2)} AND "storedAt" < ${now(3)} THEN "storedAt" ELSE ${now(4)} END
   WHERE "shard" = 0 RETURNING "position", "storedAt"`;

const subjectEvents = (project: string, subject: string, limit: string) =>
  `SELECT "id", "type", "resourceId", "payload" FROM "DomainEvent" WHERE "projectId" = ${project} AND "subjectUserId" = ${subject} LIMIT ${limit}`;

const nameless = (project: string, after: string, to: string) =>
  `"projectId" = ${project} AND "subjectUserId" IS NULL AND "position" > ${after} AND "position" <= ${to}`;

const namelessEnd = (project: string, after: string, to: string, skipped: string) =>
  `SELECT "position" FROM "DomainEvent" WHERE ${nameless(project, after, to)} ORDER BY "position" LIMIT 1 OFFSET ${skipped}`;

const namingEvents = (find: string, [project = '', after = '', to = '', id = '', text = '', name = '']: string[]) =>
  `SELECT "id", "type", "resourceId", "payload" FROM "DomainEvent" WHERE ${nameless(project, after, to)}
   AND (${find}("payload", ${id}) > 0 OR ${find}("payload", ${text}) > 0 OR ${find}("resourceId", ${name}) > 0)`;

const takePostgresql = takePositions('$1::bigint', (index) => `($${index}::timestamptz AT TIME ZONE 'UTC')`);

export const logStatements: Readonly<Record<Dialect, LogStatements>> = {
  sqlite: {
    ensureHead,
    takePositions: takePositions('?', () => '?'),
    takeAndInsert: null, // SQLite has no INSERT within a query; a statement is no round trip there
    insertEvents: eventRows.insertPrepared('sqlite', ['shard', 'position', 'storedAt']),
    readEvents: `SELECT ${eventColumns('sqlite')} FROM "DomainEvent" WHERE "shard" = 0 AND "position" > ? ORDER BY "position" LIMIT ?`,
    findEvent: `SELECT ${eventColumns('sqlite')} FROM "DomainEvent" WHERE "id" = ?`,
    subjectTimeline: `SELECT ${eventColumns('sqlite')} FROM "DomainEvent" WHERE "projectId" = ? AND "subjectUserId" = ?
      AND "type" IN (SELECT value FROM json_each(?)) ORDER BY "position" DESC LIMIT ?`,
    subjectsLatest: `SELECT p.value AS "who", (SELECT "timestamp" || '' FROM "DomainEvent" WHERE "projectId" = ?
      AND "subjectUserId" = p.value AND "type" IN (SELECT value FROM json_each(?)) ORDER BY "position" DESC LIMIT 1) AS "at"
      FROM json_each(?) AS p`,
    resourceTimeline: `SELECT ${eventColumns('sqlite')} FROM "DomainEvent" WHERE "projectId" = ? AND "subjectUserId" IS NULL
      AND "resourceId" = ? AND "type" IN (SELECT value FROM json_each(?)) ORDER BY "position" DESC LIMIT ?`,
    subjectEvents: subjectEvents('?', '?', '?'),
    namelessEnd: namelessEnd('?', '?', '?', '?'),
    namingEvents: namingEvents('instr', ['?', '?', '?', '?', '?', '?']),
    redact: redactedRows.updatePrepared('sqlite', ['id']),
    resourceEvents: `SELECT e."id", e."type", e."resourceId", e."payload" FROM ${subjectRows.from('sqlite')} AS k
      CROSS JOIN "DomainEvent" AS e ON e."projectId" = ? AND e."subjectUserId" IS k."subjectUserId" AND e."resourceId" = k."resourceId"`,
  },
  postgresql: {
    ensureHead,
    takePositions: takePostgresql,
    takeAndInsert: `WITH head AS (${takePostgresql}), stored AS (
      ${insertInto} SELECT 0, head."position" - $1::bigint + 1 + "nthRow", head."storedAt", ${eventRows.columns('given.')}
      FROM head, ${eventRows.from('postgresql', '$5')} AS given)
      SELECT "position", "storedAt" FROM head`,
    insertEvents: `${insertInto} SELECT $1::int, $2::bigint + "nthRow", $3::timestamptz AT TIME ZONE 'UTC', ${eventRows.columns()}
      FROM ${eventRows.from('postgresql', '$4')} AS given`,
    readEvents: `SELECT ${eventColumns('postgresql')} FROM "DomainEvent" WHERE "shard" = 0 AND "position" > $1 ORDER BY "position" LIMIT $2`,
    findEvent: `SELECT ${eventColumns('postgresql')} FROM "DomainEvent" WHERE "id" = $1`,
    subjectTimeline: `SELECT ${eventColumns('postgresql')} FROM "DomainEvent" WHERE "projectId" = $1 AND "subjectUserId" = $2
      AND "type" IN (SELECT jsonb_array_elements_text($3::jsonb)) ORDER BY "position" DESC LIMIT $4`,
    subjectsLatest: `SELECT "who", (SELECT "timestamp" FROM "DomainEvent" WHERE "projectId" = $1 AND "subjectUserId" = "who"
      AND "type" IN (SELECT jsonb_array_elements_text($2::jsonb)) ORDER BY "position" DESC LIMIT 1) AS "at"
      FROM jsonb_array_elements_text($3::jsonb) AS "who"`,
    resourceTimeline: `SELECT ${eventColumns('postgresql')} FROM "DomainEvent" WHERE "projectId" = $1 AND "subjectUserId" IS NULL
      AND "resourceId" = $2 AND "type" IN (SELECT jsonb_array_elements_text($3::jsonb)) ORDER BY "position" DESC LIMIT $4`,
    subjectEvents: subjectEvents('$1', '$2', '$3'),
    namelessEnd: namelessEnd('$1', '$2', '$3', '$4'),
    namingEvents: namingEvents('strpos', ['$1', '$2', '$3', '$4', '$5', '$6']),
    redact: redactedRows.updatePrepared('postgresql', ['id']),
    resourceEvents: `SELECT e."id", e."type", e."resourceId", e."payload" FROM ${subjectRows.from('postgresql')} AS k
      JOIN "DomainEvent" AS e ON e."projectId" = $2 AND e."subjectUserId" = k."subjectUserId" AND e."resourceId" = k."resourceId"
      UNION ALL SELECT e."id", e."type", e."resourceId", e."payload" FROM ${subjectRows.from('postgresql')} AS k
      JOIN "DomainEvent" AS e ON e."projectId" = $2 AND e."subjectUserId" IS NULL AND e."resourceId" = k."resourceId"
      WHERE k."subjectUserId" IS NULL`,
  },
};
