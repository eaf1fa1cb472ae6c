/**
 * Finds rows of earlier versions whose id no path can carry: `.` and `..`, which HTTP clients fold away. `earshotd doctor`
 * asks either database without a daemon.
 */
import { existsSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';

const dots = ['.', '%2e', '%2E'];
const anyFolded = `(${[...dots, ...dots.flatMap((one) => dots.map((other) => one + other))].map((id) => `'${id}'`).join(', ')})`;
/** Rows of one table that are named. */
const shownMax = 20;

const byOwnId = (table: string, column: string): string =>
  `SELECT "${column}" AS "name", "id" FROM "${table}" WHERE "${column}" IN ${anyFolded} LIMIT ${shownMax}`;
/** A row without a UUID of its own is reached by the participant whom it is about. */
const byPerson = (rows: string, column: string): string =>
  `SELECT entry."${column}" AS "name", person."id" AS "id" FROM ${rows}
   LEFT JOIN "Participant" AS person ON person."projectId" = entry."projectId" AND person."externalUserId" = entry."${column}"
   WHERE entry."${column}" IN ${anyFolded} LIMIT ${shownMax}`;
const scores = `(SELECT score."memberId", tally."projectId" FROM "LeaderboardScore" AS score
   JOIN "LeaderboardTally" AS tally ON tally."id" = score."tallyId" WHERE score."memberId" IN ${anyFolded}) AS entry`;

/** What rows are called, and a statement for them that both databases understand. */
const statements = {
  participant: byOwnId('Participant', 'externalUserId'),
  'session in room': byOwnId('Session', 'externalRoomId'),
  'gathering in room': byOwnId('Gathering', 'roomId'),
  'block of': byPerson('"PlayerBlock" AS entry', 'blockedUserId'),
  player: byPerson('"Player" AS entry', 'userId'),
  'leaderboard member': byPerson(scores, 'memberId'),
  'sanction template': `SELECT "name", NULL AS "id" FROM "SanctionTemplate" WHERE "name" IN ${anyFolded} LIMIT ${shownMax}`,
};

interface FoldedRow {
  readonly name: string;
  readonly id: string | null;
}

/** Returns a phrase for each row: what it is, its name, and the UUID that reaches it. */
export async function foldedIds(ask: (sql: string) => Promise<readonly FoldedRow[]>): Promise<string[]> {
  const found = new Set<string>();
  for (const [what, sql] of Object.entries(statements))
    for (const { name, id } of await ask(sql)) found.add(`${what} ${name} (${id ?? 'no UUID'})`);
  return [...found];
}

/** Reads the file beside a daemon that may be using it; none where the first start will make it. */
export async function foldedIdsOfSqlite(path: string): Promise<string[]> {
  if (!existsSync(path)) return [];
  const database = new BetterSqlite3(path, { readonly: true, fileMustExist: true });
  try {
    return await foldedIds(async (sql) => database.prepare<[], FoldedRow>(sql).all());
  } finally {
    database.close();
  }
}
