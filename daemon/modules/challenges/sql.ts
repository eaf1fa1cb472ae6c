/**
 * The set-based statements of players' progress in challenges. Keys are sorted by the caller: daemons that write the same
 * rows take their locks in the same order.
 */
import { bulkRows } from '../../platform/database/bulk-rows.js';
import type { Dialect } from '../../platform/database/dialect.js';
import { inReach } from '../../platform/database/in-reach.js';

interface ChallengeStatements {
  /** Parameter: `playerChallengeKeyRows`. Returns what may count, locked until the end of the transaction. */
  readonly counting: string;
  /** Parameters: projectId, userId. Returns every challenge of the player. */
  readonly ofPlayer: string;
  /** As `ofPlayer`, and locks the rows. */
  readonly lockOfPlayer: string;
  /**
   * Parameters: time, limit. Returns those that the clock has overtaken, locked; those locked elsewhere are passed
   * over.
   */
  readonly due: string;
  /** Parameters as of `due`. Returns the projects of these rows, without a lock. */
  readonly dueProjects: string;
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

const mayCount = `(s."state" = 'in-progress' OR s."otherRounds" IS NOT NULL)`;

/** Time stands still in projects that are deleted and those of disabled tenants, and in deleted challenges. */
const moving = `${inReach('s."projectId"')} AND EXISTS
  (SELECT 1 FROM "Challenge" AS c WHERE c."id" = s."challengeId" AND c."deletionId" = '')`;

/** The lower bound passes over rows without a time, with which SQLite's index begins. */
const nextDue = `SELECT s."dueAt" FROM "PlayerChallenge" AS s WHERE s."dueAt" > '1970-01-01' AND ${moving} ORDER BY s."dueAt" LIMIT 1`;

const dueSql = (columns: string, now: string, limit: string) =>
  `SELECT ${columns} FROM "PlayerChallenge" AS s WHERE s."dueAt" <= ${now} AND ${moving} ORDER BY s."dueAt" LIMIT ${limit}`;
const dueProjects = (now: string, limit: string) =>
  `SELECT DISTINCT d."projectId" FROM (${dueSql('s."projectId"', now, limit)}) AS d`;
const utcNow = `$1::timestamptz AT TIME ZONE 'UTC'`;

const ofPlayer = (projectId: string, userId: string) =>
  `SELECT ${progress} FROM "PlayerChallenge" AS s WHERE s."projectId" = ${projectId} AND s."userId" = ${userId}`;

export const challengeStatements: Readonly<Record<Dialect, ChallengeStatements>> = {
  sqlite: {
    counting: `SELECT ${progress} FROM ${playerChallengeKeyRows.from('sqlite')} AS k CROSS JOIN "PlayerChallenge" AS s
      ON ${playerChallengeKeyRows.equal('s', 'k')} WHERE ${mayCount}`,
    ofPlayer: ofPlayer('?', '?'),
    lockOfPlayer: ofPlayer('?', '?'),
    due: dueSql(progress, '?', '?'),
    dueProjects: dueProjects('?', '?'),
    nextDue,
    savePlayerChallenges: playerChallengeRows.upsert('sqlite', playerChallengeKey),
    saveCounters: counterRows.updatePrepared('sqlite', playerChallengeKey),
  },
  postgresql: {
    counting: `SELECT ${progress} FROM ${playerChallengeKeyRows.from('postgresql')} AS k JOIN "PlayerChallenge" AS s
      ON ${playerChallengeKeyRows.equal('s', 'k')}
      WHERE ${mayCount} ORDER BY ${playerChallengeKeyRows.columns('s.')} FOR UPDATE OF s`,
    ofPlayer: ofPlayer('$1', '$2'),
    lockOfPlayer: `${ofPlayer('$1', '$2')} ORDER BY s."challengeId" FOR UPDATE OF s`,
    due: `${dueSql(progress, utcNow, '$2')} FOR UPDATE OF s SKIP LOCKED`,
    dueProjects: dueProjects(utcNow, '$2'),
    nextDue,
    savePlayerChallenges: playerChallengeRows.upsert('postgresql', playerChallengeKey),
    saveCounters: counterRows.updatePrepared('postgresql', playerChallengeKey),
  },
};
