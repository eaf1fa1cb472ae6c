/**
 * The set-based statements of gameplay. Rows go in as one JSON array, so a statement's text never depends on how many
 * there are. Keys are sorted by the caller: daemons that write the same rows take their locks in the same order.
 */
import type { Dialect } from '../../platform/database/database.js';
import { tenantEnabled } from '../../platform/database/in-reach.js';

interface GameplayStatements {
  /** Parameter: [[projectId, idempotencyKey]]. Returns those that are known. */
  readonly knownKeys: string;
  /** Parameter: [[id, projectId, userId, teamId, eventName, eventType, sessionId, amount, metaData, idempotencyKey, createdAt]]. */
  readonly insertEvents: string;
  /** Parameter: [projectId]. Returns projectId and revision of those whose challenges ever changed. */
  readonly revisions: string;
  /** Parameter: projectId. */
  readonly bumpRevision: string;
  /** Parameter: [[projectId, userId, challengeId]]. Returns what is in progress, locked until the end of the transaction. */
  readonly inProgress: string;
  /** Parameters: projectId, userId. Returns every challenge of the player, locked. */
  readonly ofPlayer: string;
  /** Parameters: time, limit. Returns those that the clock has overtaken, locked; those locked elsewhere are passed over. */
  readonly due: string;
  /** Parameter: rows in the order of `playerChallengeColumns`. */
  readonly savePlayerChallenges: string;
  /** Parameters: projectId, userId, now, now. Makes the player's row and locks it: one action of a player at a time. */
  readonly lockPlayer: string;
}

export const playerChallengeColumns = [
  ...['projectId', 'userId', 'challengeId', 'state', 'counter', 'sessionId'],
  ...['unlockedAt', 'activatedAt', 'endsAt', 'periodEndsAt', 'claimedAt', 'dueAt'],
] as const;

const quoted = (names: readonly string[], prefix = ''): string => names.map((name) => `${prefix}"${name}"`).join(', ');
const columns = quoted(playerChallengeColumns, 's.');
const updates = playerChallengeColumns.slice(3).map((name) => `"${name}" = excluded."${name}"`);
const onConflict = `ON CONFLICT ("projectId", "userId", "challengeId") DO UPDATE SET ${updates.join(', ')}`;
const eventColumns = [
  ...['id', 'projectId', 'userId', 'teamId', 'eventName', 'eventType', 'sessionId', 'amount', 'metaData'],
  ...['idempotencyKey', 'createdAt'],
];

const fields = (count: number): string => Array.from({ length: count }, (_, index) => `value->>${index}`).join(', ');
const castFields = (names: readonly string[]): string =>
  names
    .map((name, index) => {
      if (name === 'counter' || name === 'amount') return `(e->>${index})::bigint`;
      return name.endsWith('At') ? `(e->>${index})::timestamptz AT TIME ZONE 'UTC'` : `e->>${index}`;
    })
    .join(', ');

/** Time stands still in projects that are deleted and those of disabled tenants. */
const inReach = `EXISTS (SELECT 1 FROM "Project" AS p WHERE p."id" = s."projectId" AND p."deletedAt" IS NULL AND ${tenantEnabled('p')})`;

export const gameplayStatements: Readonly<Record<Dialect, GameplayStatements>> = {
  sqlite: {
    knownKeys: `SELECT g."projectId", g."idempotencyKey" FROM json_each(?) AS k CROSS JOIN "GameEvent" AS g
      ON g."projectId" = k.value->>0 AND g."idempotencyKey" = k.value->>1`,
    insertEvents: `INSERT INTO "GameEvent" (${quoted(eventColumns)}) SELECT ${fields(eventColumns.length)} FROM json_each(?)`,
    revisions: `SELECT r."projectId", r."revision" FROM json_each(?) AS k CROSS JOIN "GameplayRevision" AS r
      ON r."projectId" = k.value`,
    bumpRevision: `INSERT INTO "GameplayRevision" ("projectId", "revision") VALUES (?, 1)
      ON CONFLICT ("projectId") DO UPDATE SET "revision" = "revision" + 1`,
    inProgress: `SELECT ${columns} FROM json_each(?) AS k CROSS JOIN "PlayerChallenge" AS s
      ON s."projectId" = k.value->>0 AND s."userId" = k.value->>1 AND s."challengeId" = k.value->>2
      WHERE s."state" = 'in-progress'`,
    ofPlayer: `SELECT ${columns} FROM "PlayerChallenge" AS s WHERE s."projectId" = ? AND s."userId" = ?`,
    due: `SELECT ${columns} FROM "PlayerChallenge" AS s WHERE s."dueAt" <= ? AND ${inReach} ORDER BY s."dueAt" LIMIT ?`,
    savePlayerChallenges: `INSERT INTO "PlayerChallenge" (${quoted(playerChallengeColumns)})
      SELECT ${fields(playerChallengeColumns.length)} FROM json_each(?) WHERE true ${onConflict}`,
    lockPlayer: `INSERT INTO "Player" ("projectId", "userId", "createdAt", "updatedAt") VALUES (?, ?, ?, ?)
      ON CONFLICT DO NOTHING`,
  },
  postgresql: {
    knownKeys: `SELECT g."projectId", g."idempotencyKey" FROM jsonb_array_elements($1::jsonb) AS k(e)
      JOIN "GameEvent" AS g ON g."projectId" = e->>0 AND g."idempotencyKey" = e->>1`,
    insertEvents: `INSERT INTO "GameEvent" (${quoted(eventColumns)})
      SELECT ${castFields(eventColumns)} FROM jsonb_array_elements($1::jsonb) AS k(e)`,
    revisions: `SELECT r."projectId", r."revision" FROM jsonb_array_elements_text($1::jsonb) AS k(e)
      JOIN "GameplayRevision" AS r ON r."projectId" = e`,
    bumpRevision: `INSERT INTO "GameplayRevision" ("projectId", "revision") VALUES ($1, 1)
      ON CONFLICT ("projectId") DO UPDATE SET "revision" = "GameplayRevision"."revision" + 1`,
    inProgress: `SELECT ${columns} FROM jsonb_array_elements($1::jsonb) AS k(e)
      JOIN "PlayerChallenge" AS s ON s."projectId" = e->>0 AND s."userId" = e->>1 AND s."challengeId" = e->>2
      WHERE s."state" = 'in-progress' ORDER BY s."projectId", s."userId", s."challengeId" FOR UPDATE OF s`,
    ofPlayer: `SELECT ${columns} FROM "PlayerChallenge" AS s WHERE s."projectId" = $1 AND s."userId" = $2
      ORDER BY s."challengeId" FOR UPDATE OF s`,
    due: `SELECT ${columns} FROM "PlayerChallenge" AS s WHERE s."dueAt" <= $1::timestamptz AT TIME ZONE 'UTC' AND ${inReach}
      ORDER BY s."dueAt" LIMIT $2 FOR UPDATE OF s SKIP LOCKED`,
    savePlayerChallenges: `INSERT INTO "PlayerChallenge" (${quoted(playerChallengeColumns)})
      SELECT ${castFields(playerChallengeColumns)} FROM jsonb_array_elements($1::jsonb) AS k(e) ${onConflict}`,
    lockPlayer: `INSERT INTO "Player" ("projectId", "userId", "createdAt", "updatedAt")
      VALUES ($1, $2, $3::timestamptz AT TIME ZONE 'UTC', $4::timestamptz AT TIME ZONE 'UTC')
      ON CONFLICT ("projectId", "userId") DO UPDATE SET "createdAt" = "Player"."createdAt"`,
  },
};
