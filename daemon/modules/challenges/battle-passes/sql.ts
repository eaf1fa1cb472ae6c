/** Set-based statements of battle passes. Keys are sorted by the caller, as everywhere in challenges. */
import { bulkRows } from '../../../platform/database/bulk-rows.js';
import type { Dialect } from '../../../platform/database/dialect.js';
import { inReach } from '../../../platform/database/in-reach.js';
import { playerChallengeRows } from '../sql.js';

interface BattlePassStatements {
  /** Parameter: `passKeyRows`. Locks those that the players have unlocked until the end of the transaction. */
  readonly lock: string;
  /** Parameter: `passKeyRows`. Returns the activated levels of these passes. */
  readonly levels: string;
  /** Parameter: `playerKeyRows`. Returns every challenge of the players. */
  readonly challenges: string;
  /** Parameters: projectId, userId. Returns the passes that the player has unlocked. */
  readonly passesOf: string;
  /** Parameters: projectId, userId. Returns the levels that are activated for the player. */
  readonly levelsOf: string;
  /**
   * Parameters: time, limit. Returns project and id of the passes that have ended by then, and whose end was not
   * announced.
   */
  readonly ended: string;
  /** Parameters: projectId, userId, battlePassId, purchaseId, purchasePrice, purchaseCurrency, unlockedAt, premiumAt. */
  readonly insertPass: string;
  /** Parameter: `levelRows`. */
  readonly saveLevels: string;
}

const passKey = ['projectId', 'userId', 'battlePassId'] as const;
export const passKeyRows = bulkRows('PlayerBattlePass', passKey);
export const playerKeyRows = bulkRows('PlayerChallenge', ['projectId', 'userId']);
export const levelRows = bulkRows('PlayerBattlePassLevel');
const purchase = ['purchaseId', 'purchasePrice', 'purchaseCurrency', 'unlockedAt', 'premiumAt'];
const passColumns = purchase.map((name) => `s."${name}"`).join(', ');
const passValues: Readonly<Record<Dialect, string>> = {
  sqlite: '?, ?, ?, ?, ?, ?, ?, ?',
  postgresql: `$1, $2, $3, $4, $5::float8, $6, $7::timestamptz AT TIME ZONE 'UTC', $8::timestamptz AT TIME ZONE 'UTC'`,
};
const levelKey = ['projectId', 'userId', 'levelId'] as const;

const all = (dialect: Dialect): BattlePassStatements => {
  // This order makes SQLite read the table by its key for each row of the parameter; PostgreSQL chooses its own plan.
  const join = dialect === 'sqlite' ? 'CROSS JOIN' : 'JOIN';
  const ofPlayer =
    dialect === 'sqlite' ? `s."projectId" = ? AND s."userId" = ?` : `s."projectId" = $1 AND s."userId" = $2`;
  const time = dialect === 'sqlite' ? '?' : `$1::timestamptz AT TIME ZONE 'UTC'`;
  return {
    lock: `SELECT ${passKeyRows.columns('s.')} FROM ${passKeyRows.from(dialect)} AS k ${join} "PlayerBattlePass" AS s
      ON ${passKeyRows.equal('s', 'k')}
      ${dialect === 'sqlite' ? '' : `ORDER BY ${passKeyRows.columns('s.')} FOR UPDATE OF s`}`,
    levels: `SELECT ${levelRows.columns('s.')} FROM ${passKeyRows.from(dialect)} AS k ${join} "PlayerBattlePassLevel" AS s
      ON ${passKeyRows.equal('s', 'k')}`,
    challenges: `SELECT ${playerChallengeRows.columns('s.')} FROM ${playerKeyRows.from(dialect)} AS k ${join} "PlayerChallenge" AS s
      ON ${playerKeyRows.equal('s', 'k')}`,
    passesOf: `SELECT ${passKeyRows.columns('s.')}, ${passColumns} FROM "PlayerBattlePass" AS s WHERE ${ofPlayer}`,
    levelsOf: `SELECT ${levelRows.columns('s.')} FROM "PlayerBattlePassLevel" AS s WHERE ${ofPlayer}`,
    ended: `SELECT s."projectId", s."id" FROM "BattlePass" AS s
      WHERE s."deletionId" = '' AND s."expiredAt" IS NULL AND s."endDate" <= ${time} AND ${inReach('s."projectId"')}
      ORDER BY s."endDate" LIMIT ${dialect === 'sqlite' ? '?' : '$2'}`,
    insertPass: `INSERT INTO "PlayerBattlePass" (${passKeyRows.columns()}, ${purchase.map((name) => `"${name}"`).join(', ')})
      VALUES (${passValues[dialect]})`,
    saveLevels: levelRows.upsert(dialect, levelKey),
  };
};

export const battlePassStatements: Readonly<Record<Dialect, BattlePassStatements>> = {
  sqlite: all('sqlite'),
  postgresql: all('postgresql'),
};
