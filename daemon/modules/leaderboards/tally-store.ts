/** Rows of tallies that are counted beside the live one, and what decides which events count there. */

import { z } from 'zod';
import type { Leaderboard } from '../../../src/contract/gameplay/leaderboards.js';
import type { DatabaseClient, Transaction } from '../../platform/database/database.js';
import type { Dialect } from '../../platform/database/dialect.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import { type BoardPeriod, rulesText } from './board.js';

interface NewTally {
  readonly board: Leaderboard;
  readonly periodId: string;
  readonly role: 'counting' | 'snapshot';
  readonly createdAt: Date;
}

/** True if a snapshot holds no event that was counted by other rules. The shares of erased people stay under any. */
export const isCountedBy = (snapshot: { readonly countedTo: string; readonly rules: string }, rules: string): boolean =>
  snapshot.countedTo === '' || snapshot.rules === rules;

const Locked = z.object({ countedTo: z.string(), rules: z.string() });

export class TallyStore {
  private readonly parameter: string;

  constructor(dialect: Dialect) {
    this.parameter = dialect === 'sqlite' ? '?' : '$1';
  }

  /** Locks it until the end of the transaction; null: the tally is gone. */
  async lock(tx: Transaction, id: string): Promise<z.infer<typeof Locked> | null> {
    const [row] = await tx.$queryRawUnsafe<unknown[]>(
      `UPDATE "LeaderboardTally" SET "version" = "version" WHERE "id" = ${this.parameter}
        RETURNING "countedTo", "rules"`,
      id,
    );
    return row === undefined ? null : Locked.parse(row);
  }

  async saveRules(tx: Transaction, id: string, board: Leaderboard): Promise<void> {
    await tx.leaderboardTally.updateMany({ where: { id }, data: { rules: rulesText(board) } });
  }

  async saveCountedTo(tx: Transaction, id: string, countedTo: string): Promise<void> {
    await tx.leaderboardTally.updateMany({ where: { id }, data: { countedTo } });
  }

  /** A tally in which nothing is counted yet; returns its id. */
  async open(tx: Transaction, { board, periodId, role, createdAt }: NewTally): Promise<string> {
    const id = uuidv7();
    await tx.leaderboardTally.create({
      data: {
        id,
        projectId: board.projectId,
        leaderboardId: board.id,
        periodId,
        role,
        rules: rulesText(board),
        countedTo: '',
        version: 0,
        epoch: 0,
        createdAt,
      },
    });
    return id;
  }

  /** Id of the event up to which it is counted; empty: it has not begun. */
  async countedTo(client: DatabaseClient, id: string): Promise<string> {
    return (await client.leaderboardTally.findUniqueOrThrow({ where: { id } })).countedTo;
  }

  /** Returns the snapshot of the removed events of a period; null: none were removed. */
  snapshot(client: DatabaseClient, periodId: string) {
    return client.leaderboardTally.findFirst({ where: { periodId, role: 'snapshot' } });
  }

  /** The period of the board that began after this one; null: none did. */
  nextPeriod(client: DatabaseClient, leaderboardId: string, id: string): Promise<BoardPeriod | null> {
    return client.leaderboardPeriod.findFirst({ where: { leaderboardId, id: { gt: id } }, orderBy: { id: 'asc' } });
  }

  /** True if every event of the period is stored, or counted in its snapshot. */
  async isComplete(client: DatabaseClient, periodId: string): Promise<boolean> {
    return (await client.leaderboardPeriod.findUniqueOrThrow({ where: { id: periodId } })).complete;
  }

  /** Events of the period go that nobody counts: it cannot be counted again. */
  async giveUp(tx: Transaction, periodId: string): Promise<void> {
    await tx.leaderboardPeriod.update({ where: { id: periodId }, data: { complete: false } });
    await tx.leaderboardTally.updateMany({ where: { periodId, role: 'snapshot' }, data: { role: 'discarded' } });
  }
}
