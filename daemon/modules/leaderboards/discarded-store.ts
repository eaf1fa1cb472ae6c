/** Rows of tallies that are not shown any more, and of removed projects, deleted a part at a time. */
import type { Database, Reader, Transaction } from '../../platform/database/database.js';
import type { Dialect } from '../../platform/database/dialect.js';

/** Rows that one transaction removes; new events wait for it. */
const rowsAtOnce = 200;

const removed = (table: string, key: string, parameter: (place: number) => string) =>
  `DELETE FROM "${table}" WHERE (${key}) IN (SELECT ${key} FROM "${table}" WHERE "tallyId" = ${parameter(1)}
   ORDER BY ${key} LIMIT ${parameter(2)})`;
/** Parameters: tallyId, how many. */
const statements = (parameter: (place: number) => string) => [
  removed('LeaderboardScore', '"tallyId", "memberType", "memberId"', parameter),
  removed('LeaderboardShare', '"tallyId", "teamId", "userId"', parameter),
];
const all: Readonly<Record<Dialect, readonly string[]>> = {
  sqlite: statements(() => '?'),
  postgresql: statements((place) => `$${place}`),
};

/** Removes some scores and shares of a tally; when none is left, the tally. Returns how many rows were deleted. */
export async function removeSome(tx: Transaction, dialect: Dialect, tallyId: string): Promise<number> {
  for (const statement of all[dialect]) {
    const count = await tx.$executeRawUnsafe(statement, tallyId, rowsAtOnce);
    if (count > 0) return count;
  }
  return (await tx.leaderboardTally.deleteMany({ where: { id: tallyId } })).count;
}

/** Deletes a part of the tallies of a deleted project; returns how many rows. */
export const tallyRemoval =
  (database: Database) =>
  (projectId: string): Promise<number> =>
    database.transaction(async (tx) => {
      const tally = await tx.leaderboardTally.findFirst({ where: { projectId }, select: { id: true } });
      return tally === null ? 0 : removeSome(tx, database.dialect, tally.id);
    });

/** A tally that nobody shows any more; null: there is none. */
export async function discardedTally(client: Reader): Promise<string | null> {
  const tally = await client.leaderboardTally.findFirst({ where: { role: 'discarded' }, select: { id: true } });
  return tally?.id ?? null;
}
