/** Rows of tallies that are counted beside the live one, and what decides which events count there. */
import { uuidv7 } from 'uuidv7';
import type { Leaderboard } from '../../../../src/contract/gameplay/leaderboards.js';
import type { Reader, Transaction } from '../../../platform/database/database.js';
import { rulesText } from './board.js';

type Client = Transaction | Reader;

interface NewTally {
  readonly board: Leaderboard;
  readonly periodId: string;
  readonly role: 'counting' | 'snapshot';
  readonly createdAt: Date;
}

export class TallyStore {
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
  async countedTo(client: Client, id: string): Promise<string> {
    return (await client.leaderboardTally.findUniqueOrThrow({ where: { id } })).countedTo;
  }

  /** Returns the snapshot of the removed events of a period; null: none were removed. */
  snapshot(client: Client, periodId: string) {
    return client.leaderboardTally.findFirst({ where: { periodId, role: 'snapshot' } });
  }

  /** True if every event of the period is stored, or counted in its snapshot. */
  async isComplete(client: Client, periodId: string): Promise<boolean> {
    return (await client.leaderboardPeriod.findUniqueOrThrow({ where: { id: periodId } })).complete;
  }

  /** Events of the period go that nobody counts: it cannot be counted again. */
  async giveUp(tx: Transaction, periodId: string): Promise<void> {
    await tx.leaderboardPeriod.update({ where: { id: periodId }, data: { complete: false } });
    await tx.leaderboardTally.updateMany({ where: { periodId, role: 'snapshot' }, data: { role: 'discarded' } });
  }

  /** From when on the events of members count who were taken off the board, by `memberType memberId`. */
  async countFrom(tx: Transaction, leaderboardId: string): Promise<Map<string, Date>> {
    const rows = await tx.leaderboardExclusion.findMany({ where: { leaderboardId, before: { not: null } } });
    return new Map(
      rows.flatMap(({ memberType, memberId, before }) =>
        before === null ? [] : [[`${memberType} ${memberId}`, before]],
      ),
    );
  }
}
