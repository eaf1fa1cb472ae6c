/** Set-based statements of rows that have a key in a season. */
import { bulkRows } from '../../platform/database/bulk-rows.js';
import type { Dialect } from '../../platform/database/dialect.js';

/** Kinds of rows that have a key; that of a category is its slug. */
export const keyedKinds = ['challenge', 'battlePass', 'level'] as const;
export type KeyedKind = (typeof keyedKinds)[number];

export const challengeRows = bulkRows('Challenge');
export const levelRows = bulkRows('BattlePassLevel');
/** Id and key, the two columns that each of these tables has. */
export const keyRows = bulkRows('Challenge', ['id', 'key']);

interface KeyedStatements {
  /** Parameter: `challengeRows`. */
  readonly saveChallenges: string;
  /** Parameter: `levelRows`. */
  readonly saveLevels: string;
  /**
   * Parameters: a counter, challengeId, how many players are looked at. Returns how many those are (looked), how many of
   * them are in progress (begun), and how many of those have counted so much (reached).
   */
  readonly progress: string;
  /** Parameter: `keyRows`. */
  readonly saveKeys: Readonly<Record<KeyedKind, string>>;
}

const progressOf = (counter: string, challengeId: string, most: string) =>
  `SELECT COUNT(*) AS "looked", COUNT(CASE WHEN "state" = 'in-progress' THEN 1 END) AS "begun",
     COUNT(CASE WHEN "state" = 'in-progress' AND "counter" >= ${counter} THEN 1 END) AS "reached"
   FROM (SELECT "state", "counter" FROM "PlayerChallenge" WHERE "challengeId" = ${challengeId}
     AND NOT ("state" = 'unlock' AND "activatedAt" IS NULL) LIMIT ${most}) AS l`;
const progress: Readonly<Record<Dialect, string>> = {
  sqlite: progressOf('?', '?', '?'),
  postgresql: progressOf('$1::bigint', '$2', '$3::bigint'),
};

const statements = (dialect: Dialect): KeyedStatements => {
  const saveKeys = (table: 'Challenge' | 'BattlePass' | 'BattlePassLevel'): string =>
    `UPDATE "${table}" SET "key" = k."key" FROM ${keyRows.from(dialect)} AS k WHERE "${table}"."id" = k."id"`;
  return {
    progress: progress[dialect],
    saveChallenges: challengeRows.upsert(dialect, ['id']),
    saveLevels: levelRows.upsert(dialect, ['id']),
    saveKeys: {
      challenge: saveKeys('Challenge'),
      battlePass: saveKeys('BattlePass'),
      level: saveKeys('BattlePassLevel'),
    },
  };
};

export const keyedStatements: Readonly<Record<Dialect, KeyedStatements>> = {
  sqlite: statements('sqlite'),
  postgresql: statements('postgresql'),
};
