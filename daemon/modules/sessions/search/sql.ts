/** Statements of the transcript search. Its tables are no models: Prisma knows neither FTS5 nor tsvector. */
import type { Dialect } from '../../../platform/database/dialect.js';

interface SearchStatements {
  /** Parameter: session. Returns room. */
  readonly room: string;
  /** Parameter: message. Returns seq; nothing where the message is indexed already. With `at`, seq comes first. PostgreSQL takes the words, too. */
  readonly add: string;
  readonly addAt: string;
  /** Parameters: seq, scope, words. Empty: the rows of `add` hold the words themselves. */
  readonly words: string;
  /** Parameters: query, before, after, since, since, until, until, limit. Returns seq and messageId, newest first. */
  readonly page: string;
  /**
   * As `page`, among the newest of all messages; empty: `page` is fast for frequent words, too. PostgreSQL would sort
   * all hits, or look at every message where there are few: it does not know which.
   */
  readonly recent: string;
  /** Parameters: word of the scope, the word in its place, project, external user id. */
  readonly moved: string;
  /** Parameter: id. Returns the seq of the last message whose id lies before it. */
  readonly lastBefore: string;
  /** Returns seq and messageId of the one with the lowest place. */
  readonly lowest: string;
  /** Parameters: id before which to look, limit. Messages that are not indexed, with their room, newest first. */
  readonly older: string;
}

const columns =
  'm."id", m."projectId", m."sessionId", m."externalUserId", m."content", m."status", s."externalRoomId" AS "roomId"';
const lowest = 'SELECT "seq", "messageId" FROM "MessageIndexed" ORDER BY "seq" LIMIT 1';
const lastBefore = (id: string): string =>
  `SELECT "seq" FROM "MessageIndexed" WHERE "messageId" < ${id} ORDER BY "messageId" DESC LIMIT 1`;
const older = (id: string, limit: string): string =>
  `SELECT ${columns} FROM "Message" AS m JOIN "Session" AS s ON s."id" = m."sessionId" WHERE m."id" < ${id}
      AND NOT EXISTS (SELECT 1 FROM "MessageIndexed" AS i WHERE i."messageId" = m."id") ORDER BY m."id" DESC LIMIT ${limit}`;

/** Messages that are looked at before the index is asked. */
const recentMax = 2_000;
/** PostgreSQL: the time is read only where one is asked for. */
const inTime = `($4::timestamptz IS NULL AND $6::timestamptz IS NULL OR EXISTS (SELECT 1 FROM "Message" AS m WHERE m."id" = i."messageId"
        AND ($4::timestamptz IS NULL OR m."timestamp" >= $5::timestamptz AT TIME ZONE 'UTC')
        AND ($6::timestamptz IS NULL OR m."timestamp" < $7::timestamptz AT TIME ZONE 'UTC')))`;

export const searchStatements: Readonly<Record<Dialect, SearchStatements>> = {
  sqlite: {
    room: 'SELECT "externalRoomId" AS "roomId" FROM "Session" WHERE "id" = ?',
    add: 'INSERT INTO "MessageIndexed" ("messageId") VALUES (?) ON CONFLICT DO NOTHING RETURNING "seq"',
    addAt: 'INSERT INTO "MessageIndexed" ("seq", "messageId") VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING "seq"',
    words: 'INSERT INTO "MessageWords" (rowid, "scope", "words") VALUES (?, ?, ?)',
    page: `SELECT i."seq", i."messageId" FROM "MessageWords" AS f
      CROSS JOIN "MessageIndexed" AS i ON i."seq" = f.rowid CROSS JOIN "Message" AS m ON m."id" = i."messageId"
      WHERE f."MessageWords" MATCH ? AND f.rowid < ? AND f.rowid > ?
        AND (? IS NULL OR m."timestamp" >= ?) AND (? IS NULL OR m."timestamp" < ?) ORDER BY f.rowid DESC LIMIT ?`,
    recent: '',
    moved: `UPDATE "MessageWords" SET "scope" = replace("scope", ?, ?) WHERE rowid IN (SELECT i."seq" FROM "Message" AS m
      JOIN "MessageIndexed" AS i ON i."messageId" = m."id" WHERE m."projectId" = ? AND m."externalUserId" = ?)`,
    lastBefore: lastBefore('?'),
    lowest,
    older: older('?', '?'),
  },
  postgresql: {
    room: 'SELECT "externalRoomId" AS "roomId" FROM "Session" WHERE "id" = $1',
    add: 'INSERT INTO "MessageIndexed" ("messageId", "words") VALUES ($1, $2::text::tsvector) ON CONFLICT DO NOTHING RETURNING "seq"',
    addAt:
      'INSERT INTO "MessageIndexed" ("seq", "messageId", "words") VALUES ($1::bigint, $2, $3::text::tsvector) ON CONFLICT DO NOTHING RETURNING "seq"',
    words: '',
    // `+0` changes nothing but makes sure that only the index of the words is used.
    page: `WITH found AS MATERIALIZED (SELECT "seq", "messageId" FROM "MessageIndexed"
        WHERE "words" @@ $1::text::tsquery AND "seq" + 0 < $2::bigint AND "seq" + 0 > $3::bigint)
      SELECT i."seq", i."messageId" FROM found AS i WHERE ${inTime} ORDER BY i."seq" DESC LIMIT $8`,
    recent: `SELECT i."seq", i."messageId" FROM (SELECT "seq", "messageId", "words" FROM "MessageIndexed"
        WHERE "seq" < $2::bigint AND "seq" > $3::bigint ORDER BY "seq" DESC LIMIT ${recentMax}) AS i
      WHERE i."words" @@ $1::text::tsquery AND ${inTime} ORDER BY i."seq" DESC LIMIT $8`,
    moved: `UPDATE "MessageIndexed" SET "words" = ts_delete("words", '_' || $1::text) || array_to_tsvector(ARRAY['_' || $2::text])
      WHERE "messageId" IN (SELECT "id" FROM "Message" WHERE "projectId" = $3 AND "externalUserId" = $4)`,
    lastBefore: lastBefore('$1'),
    lowest,
    older: older('$1', '$2'),
  },
};
