/**
 * Deletes scores of tallies that are not shown any more, and of removed projects, a part at a time with pauses, so that
 * the deletion of a million members delays nobody.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Dialect, Transaction } from '../../../platform/database/database.js';
import type { RemoveSome } from '../../../platform/database/removal.js';
import type { Logger } from '../../../platform/observability/logger.js';
import { Repeat } from '../../../platform/scheduler/repeat.js';

const everyMs = 5_000;
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
async function removeSome(tx: Transaction, dialect: Dialect, tallyId: string): Promise<number> {
  for (const statement of all[dialect]) {
    const count = await tx.$executeRawUnsafe(statement, tallyId, rowsAtOnce);
    if (count > 0) return count;
  }
  return (await tx.leaderboardTally.deleteMany({ where: { id: tallyId } })).count;
}

export const removeTallies =
  (dialect: Dialect): RemoveSome =>
  async (tx, projectId) => {
    const tally = await tx.leaderboardTally.findFirst({ where: { projectId }, select: { id: true } });
    return { count: tally === null ? 0 : await removeSome(tx, dialect, tally.id) };
  };

export class DiscardedScores {
  private readonly repeat: Repeat;
  private readonly stopping = new AbortController();

  constructor(
    private readonly database: Database,
    log: Logger,
  ) {
    this.repeat = new Repeat('drop-discarded-scores', everyMs, () => this.remove(), log);
  }

  start(): void {
    this.repeat.start();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.repeat.stop();
  }

  private async remove(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const discarded = { where: { role: 'discarded' }, select: { id: true } };
      const tally = await this.database.read.leaderboardTally.findFirst(discarded);
      if (tally === null) return;
      const began = performance.now();
      await this.database.transaction((tx) => removeSome(tx, this.database.dialect, tally.id));
      // Half of the time is for others.
      await pause(performance.now() - began, undefined, { signal }).catch(() => {});
    }
  }
}
