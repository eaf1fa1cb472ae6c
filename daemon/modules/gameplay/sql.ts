/**
 * The set-based statements of gameplay. Keys are sorted by the caller: daemons that write the same rows take their
 * locks in the same order.
 */
import { bulkRows } from '../../platform/database/bulk-rows.js';
import type { Dialect } from '../../platform/database/dialect.js';
import { inReach } from '../../platform/database/in-reach.js';

interface GameplayStatements {
  /** Parameter: `eventKeyRows`. Returns those that are known. */
  readonly knownKeys: string;
  /** For `Database.write`: `eventRows`. */
  readonly insertEvents: string;
  /** Parameter: [projectId]. Returns projectId and revision of those whose challenges ever changed. */
  readonly revisions: string;
  /** Parameter: projectId. */
  readonly bumpRevision: string;
  /** Parameter: `playerChallengeKeyRows`. Returns what is in progress, locked until the end of the transaction. */
  readonly inProgress: string;
  /** Parameters: projectId, userId. Returns every challenge of the player. */
  readonly ofPlayer: string;
  /** As `ofPlayer`, and locks the rows. */
  readonly lockOfPlayer: string;
  /**
   * Parameters: time, limit. Returns those that the clock has overtaken, locked; those locked elsewhere are passed
   * over.
   */
  readonly due: string;
  /** Parameter: `playerChallengeRows`. */
  readonly savePlayerChallenges: string;
  /** For `Database.write`: `counterRows`. */
  readonly saveCounters: string;
  /** Parameters: projectId, userId, now, now. Makes the player's row and locks it: one action of a player at a time. */
  readonly lockPlayer: string;
  /** Parameters: projectId, JSON array of user ids. Returns userId, username and avatarImage of those that are stored. */
  readonly infos: string;
}

export const eventRows = bulkRows('GameEvent');
export const eventKeyRows = bulkRows('GameEvent', ['projectId', 'idempotencyKey']);
export const playerChallengeRows = bulkRows('PlayerChallenge');
const playerChallengeKey = ['projectId', 'userId', 'challengeId'] as const;
/** Columns that an event usually changes: no index holds them. */
export const counterRows = bulkRows('PlayerChallenge', ['counter', 'sessionId', ...playerChallengeKey]);
export const playerChallengeKeyRows = bulkRows('PlayerChallenge', playerChallengeKey);

const progress = playerChallengeRows.columns('s.');

/** Time stands still in projects that are deleted and those of disabled tenants. */
const moving = inReach('s."projectId"');

const ofPlayer = (projectId: string, userId: string) =>
  `SELECT ${progress} FROM "PlayerChallenge" AS s WHERE s."projectId" = ${projectId} AND s."userId" = ${userId}`;
const infos = (projectId: string, userIds: string) =>
  `SELECT "userId", "username", "avatarImage" FROM "Player" WHERE "projectId" = ${projectId} AND "userId" IN (${userIds})`;

export const gameplayStatements: Readonly<Record<Dialect, GameplayStatements>> = {
  sqlite: {
    knownKeys: `SELECT ${eventKeyRows.columns('g.')} FROM ${eventKeyRows.from('sqlite')} AS k CROSS JOIN "GameEvent" AS g
      ON ${eventKeyRows.equal('g', 'k')}`,
    insertEvents: eventRows.insertPrepared('sqlite'),
    revisions: `SELECT r."projectId", r."revision" FROM json_each(?) AS k CROSS JOIN "GameplayRevision" AS r
      ON r."projectId" = k.value`,
    bumpRevision: `INSERT INTO "GameplayRevision" ("projectId", "revision") VALUES (?, 1)
      ON CONFLICT ("projectId") DO UPDATE SET "revision" = "revision" + 1`,
    inProgress: `SELECT ${progress} FROM ${playerChallengeKeyRows.from('sqlite')} AS k CROSS JOIN "PlayerChallenge" AS s
      ON ${playerChallengeKeyRows.equal('s', 'k')} WHERE s."state" = 'in-progress'`,
    ofPlayer: ofPlayer('?', '?'),
    lockOfPlayer: ofPlayer('?', '?'),
    due: `SELECT ${progress} FROM "PlayerChallenge" AS s WHERE s."dueAt" <= ? AND ${moving} ORDER BY s."dueAt" LIMIT ?`,
    savePlayerChallenges: playerChallengeRows.upsert('sqlite', playerChallengeKey),
    saveCounters: counterRows.updatePrepared('sqlite', playerChallengeKey),
    lockPlayer: `INSERT INTO "Player" ("projectId", "userId", "createdAt", "updatedAt") VALUES (?, ?, ?, ?)
      ON CONFLICT DO NOTHING`,
    infos: infos('?', 'SELECT value FROM json_each(?)'),
  },
  postgresql: {
    knownKeys: `SELECT ${eventKeyRows.columns('g.')} FROM ${eventKeyRows.from('postgresql')} AS k JOIN "GameEvent" AS g
      ON ${eventKeyRows.equal('g', 'k')}`,
    insertEvents: eventRows.insertPrepared('postgresql'),
    revisions: `SELECT r."projectId", r."revision" FROM jsonb_array_elements_text($1::jsonb) AS k(e)
      JOIN "GameplayRevision" AS r ON r."projectId" = e`,
    bumpRevision: `INSERT INTO "GameplayRevision" ("projectId", "revision") VALUES ($1, 1)
      ON CONFLICT ("projectId") DO UPDATE SET "revision" = "GameplayRevision"."revision" + 1`,
    inProgress: `SELECT ${progress} FROM ${playerChallengeKeyRows.from('postgresql')} AS k JOIN "PlayerChallenge" AS s
      ON ${playerChallengeKeyRows.equal('s', 'k')}
      WHERE s."state" = 'in-progress' ORDER BY ${playerChallengeKeyRows.columns('s.')} FOR UPDATE OF s`,
    ofPlayer: ofPlayer('$1', '$2'),
    lockOfPlayer: `${ofPlayer('$1', '$2')} ORDER BY s."challengeId" FOR UPDATE OF s`,
    due: `SELECT ${progress} FROM "PlayerChallenge" AS s WHERE s."dueAt" <= $1::timestamptz AT TIME ZONE 'UTC' AND ${moving}
      ORDER BY s."dueAt" LIMIT $2 FOR UPDATE OF s SKIP LOCKED`,
    savePlayerChallenges: playerChallengeRows.upsert('postgresql', playerChallengeKey),
    saveCounters: counterRows.updatePrepared('postgresql', playerChallengeKey),
    lockPlayer: `INSERT INTO "Player" ("projectId", "userId", "createdAt", "updatedAt")
      VALUES ($1, $2, $3::timestamptz AT TIME ZONE 'UTC', $4::timestamptz AT TIME ZONE 'UTC')
      ON CONFLICT ("projectId", "userId") DO UPDATE SET "createdAt" = "Player"."createdAt"`,
    infos: infos('$1', 'SELECT jsonb_array_elements_text($2::jsonb)'),
  },
};
