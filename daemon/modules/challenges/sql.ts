/**
 * The set-based statements of players' progress in challenges. Keys are sorted by the caller: daemons that write the same
 * rows take their locks in the same order.
 */
import { bulkRows } from '../../platform/database/bulk-rows.js';
import type { Dialect } from '../../platform/database/dialect.js';
import { inReach } from '../../platform/database/in-reach.js';

interface ChallengeStatements {
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
  /** Returns the earliest time at which the clock overtakes one. */
  readonly nextDue: string;
  /** Parameter: `playerChallengeRows`. */
  readonly savePlayerChallenges: string;
  /** For `Database.write`: `counterRows`. */
  readonly saveCounters: string;
}

export const playerChallengeRows = bulkRows('PlayerChallenge');
const playerChallengeKey = ['projectId', 'userId', 'challengeId'] as const;
/** Columns that an event usually changes: no index holds them. */
export const counterRows = bulkRows('PlayerChallenge', ['counter', 'exact', 'sessionId', ...playerChallengeKey]);
export const playerChallengeKeyRows = bulkRows('PlayerChallenge', playerChallengeKey);

const progress = playerChallengeRows.columns('s.');

/** Time stands still in projects that are deleted and those of disabled tenants, and in deleted challenges. */
const moving = `${inReach('s."projectId"')} AND EXISTS
  (SELECT 1 FROM "Challenge" AS c WHERE c."id" = s."challengeId" AND c."deletionId" = '')`;

/** The lower bound passes over rows without a time, with which SQLite's index begins. */
const nextDue = `SELECT s."dueAt" FROM "PlayerChallenge" AS s WHERE s."dueAt" > '1970-01-01' AND ${moving} ORDER BY s."dueAt" LIMIT 1`;

const ofPlayer = (projectId: string, userId: string) =>
  `SELECT ${progress} FROM "PlayerChallenge" AS s WHERE s."projectId" = ${projectId} AND s."userId" = ${userId}`;

export const challengeStatements: Readonly<Record<Dialect, ChallengeStatements>> = {
  sqlite: {
    inProgress: `SELECT ${progress} FROM ${playerChallengeKeyRows.from('sqlite')} AS k CROSS JOIN "PlayerChallenge" AS s
      ON ${playerChallengeKeyRows.equal('s', 'k')} WHERE s."state" = 'in-progress'`,
    ofPlayer: ofPlayer('?', '?'),
    lockOfPlayer: ofPlayer('?', '?'),
    due: `SELECT ${progress} FROM "PlayerChallenge" AS s WHERE s."dueAt" <= ? AND ${moving} ORDER BY s."dueAt" LIMIT ?`,
    nextDue,
    savePlayerChallenges: playerChallengeRows.upsert('sqlite', playerChallengeKey),
    saveCounters: counterRows.updatePrepared('sqlite', playerChallengeKey),
  },
  postgresql: {
    inProgress: `SELECT ${progress} FROM ${playerChallengeKeyRows.from('postgresql')} AS k JOIN "PlayerChallenge" AS s
      ON ${playerChallengeKeyRows.equal('s', 'k')}
      WHERE s."state" = 'in-progress' ORDER BY ${playerChallengeKeyRows.columns('s.')} FOR UPDATE OF s`,
    ofPlayer: ofPlayer('$1', '$2'),
    lockOfPlayer: `${ofPlayer('$1', '$2')} ORDER BY s."challengeId" FOR UPDATE OF s`,
    due: `SELECT ${progress} FROM "PlayerChallenge" AS s WHERE s."dueAt" <= $1::timestamptz AT TIME ZONE 'UTC' AND ${moving}
      ORDER BY s."dueAt" LIMIT $2 FOR UPDATE OF s SKIP LOCKED`,
    nextDue,
    savePlayerChallenges: playerChallengeRows.upsert('postgresql', playerChallengeKey),
    saveCounters: counterRows.updatePrepared('postgresql', playerChallengeKey),
  },
};
