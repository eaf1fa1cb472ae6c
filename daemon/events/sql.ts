/** The log's set-based statements, one parameter each where rows go in: a JSON array of rows. */
import type { Dialect } from '../database/database.js';

interface LogStatements {
  readonly ensureHead: string;
  /** Parameter: how many positions. Returns the last one taken. */
  readonly takePositions: string;
  /**
   * Parameters: position of the first, JSON array of [id, type, source, tenantId, projectId, resourceId, timestamp, payload,
   * subjectUserId]. The others take the positions behind it.
   */
  readonly insertEvents: string;
  /** Parameters: position, limit. */
  readonly readEvents: string;
  /** Parameters: position, limit. Keeps the events behind the position as they are until the transaction ends. */
  readonly lockEvents: string | null;
  /** Parameters: projectId, subjectUserId, participant id. Nearly all that name a person are about them and found by index. */
  readonly subjectEvents: string;
  /** Parameters: [[subjectUserId, resourceId]], projectId. */
  readonly resourceEvents: string;
}

const columns =
  '"id", "shard", "position", "type", "source", "tenantId", "projectId", "resourceId", "timestamp", "payload", "subjectUserId"';

export const logStatements: Readonly<Record<Dialect, LogStatements>> = {
  sqlite: {
    ensureHead: 'INSERT INTO "StreamHead" ("shard", "position") VALUES (0, 0) ON CONFLICT DO NOTHING',
    takePositions: 'UPDATE "StreamHead" SET "position" = "position" + ? WHERE "shard" = 0 RETURNING "position"',
    insertEvents: `INSERT INTO "DomainEvent" (${columns})
      SELECT value->>0, 0, ? + key, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7, value->>8 FROM json_each(?)`,
    readEvents: 'SELECT * FROM "DomainEvent" WHERE "shard" = 0 AND "position" > ? ORDER BY "position" LIMIT ?',
    lockEvents: null, // the one writer holds everything anyway
    subjectEvents: `SELECT "id", "resourceId", "payload" FROM "DomainEvent"
      WHERE "projectId" = ? AND ("subjectUserId" = ? OR ("subjectUserId" IS NULL AND instr("payload", ?) > 0))`,
    resourceEvents: `SELECT e."id", e."resourceId", e."payload" FROM json_each(?) AS k CROSS JOIN "DomainEvent" AS e
      ON e."projectId" = ? AND e."subjectUserId" = k.value->>0 AND e."resourceId" = k.value->>1`,
  },
  postgresql: {
    ensureHead: 'INSERT INTO "StreamHead" ("shard", "position") VALUES (0, 0) ON CONFLICT DO NOTHING',
    takePositions:
      'UPDATE "StreamHead" SET "position" = "position" + $1::bigint WHERE "shard" = 0 RETURNING "position"',
    insertEvents: `INSERT INTO "DomainEvent" (${columns})
      SELECT e->>0, 0, $1::bigint + place - 1, e->>1, e->>2, e->>3, e->>4, e->>5, (e->>6)::timestamptz AT TIME ZONE 'UTC', e->>7, e->>8
      FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS t(e, place)`,
    readEvents: 'SELECT * FROM "DomainEvent" WHERE "shard" = 0 AND "position" > $1 ORDER BY "position" LIMIT $2',
    lockEvents:
      'SELECT "id" FROM "DomainEvent" WHERE "shard" = 0 AND "position" > $1 ORDER BY "position" LIMIT $2 FOR SHARE',
    subjectEvents: `SELECT "id", "resourceId", "payload" FROM "DomainEvent"
      WHERE "projectId" = $1 AND ("subjectUserId" = $2 OR ("subjectUserId" IS NULL AND strpos("payload", $3) > 0))`,
    resourceEvents: `SELECT e."id", e."resourceId", e."payload" FROM jsonb_array_elements($1::jsonb) AS k(r) JOIN "DomainEvent" AS e
      ON e."projectId" = $2 AND e."subjectUserId" = r->>0 AND e."resourceId" = r->>1`,
  },
};
