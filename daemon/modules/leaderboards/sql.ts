/** The set-based statements of leaderboards. Rows are sorted by the caller. */
import { bulkRows } from '../../platform/database/bulk-rows.js';
import type { Dialect } from '../../platform/database/dialect.js';
import { inReach } from '../../platform/database/in-reach.js';

interface LeaderboardStatements {
  /** Parameter: [tallyId]. Increases the version of the live ones, which stay locked; returns id, version and epoch. */
  readonly lockLive: string;
  /** Parameter: [tallyId]. Returns id, version and epoch. */
  readonly tallies: string;
  /** Parameter: `scoreKeyRows`. */
  readonly scores: string;
  /** Parameter: `scoreKeyRows`. The scores with how many stand before each, and how many there are. */
  readonly ranked: string;
  /** Parameter: `shareKeyRows`. */
  readonly shares: string;
  /** Parameter: `scoreRows`. */
  readonly saveScores: string;
  /** Parameter: `shareRows`. */
  readonly saveShares: string;
  /**
   * Parameters: tallyId, memberType, [{at, fromKey, fromId, toKey, toId}]. How many stand from the first key (sortKey and
   * reachedId) to before the second.
   */
  readonly countBetween: string;
  /** Parameters: tallyId, memberType, limit, offset. */
  readonly page: string;
  /** Parameters: tallyId, version, limit. What changed later, oldest first. */
  readonly changedSince: string;
  /** Parameter: [leaderboardId]. Returns leaderboardId and memberId of the users who do not count. */
  readonly excluded: string;
  /** Parameters: now, now, limit. Returns project and id of boards that go on while their newest period is over. */
  readonly overdue: string;
  /** Parameter: now. Returns when the next of those periods ends. */
  readonly nextEnd: string;
}

const excluded = (leaderboardIds: string): string => `SELECT "leaderboardId", "memberId" FROM "LeaderboardExclusion"
  WHERE "leaderboardId" IN (${leaderboardIds}) AND "memberType" = 'user' AND "excluded"`;

const running = (time: string): string => `FROM "Leaderboard" AS b
  JOIN "LeaderboardPeriod" AS p ON p."id" = b."currentPeriodId" AND p."endsAt" IS NOT NULL
  WHERE b."deletionId" = '' AND (b."endDate" IS NULL OR b."endDate" > ${time}) AND ${inReach('b."projectId"')}`;
const ends = (time: string, second: string, limit: string) => ({
  overdue: `SELECT b."projectId", b."id" ${running(time)} AND p."endsAt" <= ${second} ORDER BY p."endsAt" LIMIT ${limit}`,
  nextEnd: `SELECT MIN(p."endsAt") AS "at" ${running(time)}`,
});

const scoreKey = ['tallyId', 'memberType', 'memberId'] as const;
const shareKey = ['tallyId', 'teamId', 'userId'] as const;
export const scoreRows = bulkRows('LeaderboardScore');
export const scoreKeyRows = bulkRows('LeaderboardScore', scoreKey);
export const shareRows = bulkRows('LeaderboardShare');
export const shareKeyRows = bulkRows('LeaderboardShare', shareKey);

const scoreOf = scoreRows.columns('s.');
const between = (first: string, second: string): string =>
  `(s."sortKey", s."reachedId") >= (${first}) AND (s."sortKey", s."reachedId") < (${second})`;
/** How many members of the tally of `s` there are that fulfil the condition. */
const members = (condition: string): string =>
  `(SELECT COUNT(*) FROM "LeaderboardScore" AS o
    WHERE o."tallyId" = s."tallyId" AND o."memberType" = s."memberType"${condition})`;
const shared = (dialect: Dialect, join: string) => ({
  scores: `SELECT ${scoreOf} FROM ${scoreKeyRows.from(dialect)} AS k ${join} "LeaderboardScore" AS s
    ON ${scoreKeyRows.equal('s', 'k')}`,
  ranked: `SELECT ${scoreOf},
      ${members(' AND (o."sortKey", o."reachedId") < (s."sortKey", s."reachedId")')} AS "before", ${members('')} AS "members"
    FROM ${scoreKeyRows.from(dialect)} AS k ${join} "LeaderboardScore" AS s ON ${scoreKeyRows.equal('s', 'k')}`,
  shares: `SELECT ${shareRows.columns('s.')} FROM ${shareKeyRows.from(dialect)} AS k ${join} "LeaderboardShare" AS s
    ON ${shareKeyRows.equal('s', 'k')}`,
  saveScores: scoreRows.upsert(dialect, scoreKey),
  saveShares: shareRows.upsert(dialect, shareKey),
});

const lockTallies = (role: string): string =>
  `SELECT 1 FROM "LeaderboardTally" WHERE "projectId" = $1 AND "role" ${role} ORDER BY "id" FOR UPDATE`;
/** Parameter: projectId. For PostgreSQL: SQLite has one writer. */
export const lockAll = [lockTallies("= 'live'"), lockTallies("NOT IN ('live', 'discarded')")];

/**
 * Parameters: [leaderboardId], time. For PostgreSQL: SQLite has one writer. Returns leaderboardId, kind, memberId and before:
 * the current period of each board as `period`, who does not count as `excluded`, and as `user` or `team` who was taken
 * off in that period after the time.
 */
export const changedMeanwhile = `WITH b AS (SELECT jsonb_array_elements_text($1::jsonb) AS "id")
  SELECT l."id" AS "leaderboardId", 'period' AS "kind", l."currentPeriodId" AS "memberId", NULL::timestamp AS "before"
    FROM "Leaderboard" AS l WHERE l."id" IN (SELECT "id" FROM b)
  UNION ALL SELECT "leaderboardId", 'excluded', "memberId", NULL FROM "LeaderboardExclusion"
    WHERE "leaderboardId" IN (SELECT "id" FROM b) AND "memberType" = 'user' AND "excluded"
  UNION ALL SELECT e."leaderboardId", e."memberType", e."memberId", e."before" FROM "LeaderboardExclusion" AS e
    JOIN "Leaderboard" AS l ON l."id" = e."leaderboardId" AND l."currentPeriodId" = e."periodId"
    WHERE l."id" IN (SELECT "id" FROM b) AND e."origin" = '' AND e."before" > $2::timestamptz AT TIME ZONE 'UTC'`;

export const leaderboardStatements: Readonly<Record<Dialect, LeaderboardStatements>> = {
  sqlite: {
    // The order of the tables is forced: without it SQLite may walk all scores.
    ...shared('sqlite', 'CROSS JOIN'),
    lockLive: `UPDATE "LeaderboardTally" SET "version" = "version" + 1
      WHERE "id" IN (SELECT value FROM json_each(?)) AND "role" = 'live' RETURNING "id", "version", "epoch"`,
    tallies: `SELECT "id", "version", "epoch" FROM "LeaderboardTally" WHERE "id" IN (SELECT value FROM json_each(?))`,
    countBetween: `SELECT k.value->>'at' AS "at", (SELECT COUNT(*) FROM "LeaderboardScore" AS s
      WHERE s."tallyId" = ? AND s."memberType" = ? AND ${between("k.value->>'fromKey', k.value->>'fromId'", "k.value->>'toKey', k.value->>'toId'")})
      AS "members" FROM json_each(?) AS k`,
    page: `SELECT ${scoreOf} FROM "LeaderboardScore" AS s WHERE s."tallyId" = ? AND s."memberType" = ?
      ORDER BY s."sortKey", s."reachedId" LIMIT ? OFFSET ?`,
    changedSince: `SELECT ${scoreOf} FROM "LeaderboardScore" AS s WHERE s."tallyId" = ? AND s."version" > ?
      ORDER BY s."version" LIMIT ?`,
    excluded: excluded('SELECT value FROM json_each(?)'),
    ...ends('?', '?', '?'),
  },
  postgresql: {
    ...shared('postgresql', 'JOIN'),
    lockLive: `WITH l AS (SELECT "id" FROM "LeaderboardTally"
        WHERE "id" IN (SELECT jsonb_array_elements_text($1::jsonb)) AND "role" = 'live' ORDER BY "id" FOR UPDATE)
      UPDATE "LeaderboardTally" AS t SET "version" = t."version" + 1 FROM l WHERE t."id" = l."id"
      RETURNING t."id", t."version", t."epoch"`,
    tallies: `SELECT "id", "version", "epoch" FROM "LeaderboardTally"
      WHERE "id" IN (SELECT jsonb_array_elements_text($1::jsonb))`,
    // OFFSET 0: the keys are read out of the JSON once, not for each score.
    countBetween: `SELECT k."at", (SELECT COUNT(*) FROM "LeaderboardScore" AS s
      WHERE s."tallyId" = $1 AND s."memberType" = $2
      AND ${between('k."fromKey", k."fromId"', 'k."toKey", k."toId"')}) AS "members"
      FROM (SELECT (e->>'at')::int AS "at", (e->>'fromKey')::bigint AS "fromKey", e->>'fromId' AS "fromId",
          (e->>'toKey')::bigint AS "toKey", e->>'toId' AS "toId"
        FROM jsonb_array_elements($3::jsonb) AS given(e) OFFSET 0) AS k`,
    page: `SELECT ${scoreOf} FROM "LeaderboardScore" AS s WHERE s."tallyId" = $1 AND s."memberType" = $2
      ORDER BY s."sortKey", s."reachedId" LIMIT $3 OFFSET $4`,
    changedSince: `SELECT ${scoreOf} FROM "LeaderboardScore" AS s WHERE s."tallyId" = $1 AND s."version" > $2
      ORDER BY s."version" LIMIT $3`,
    excluded: excluded('SELECT jsonb_array_elements_text($1::jsonb)'),
    ...ends("$1::timestamptz AT TIME ZONE 'UTC'", "$2::timestamptz AT TIME ZONE 'UTC'", '$3'),
  },
};
