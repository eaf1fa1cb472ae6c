/** Periods of boards begin by the clock, when somebody looks or counts, or when an operator resets a board. */
import type { Leaderboard } from '../../../../src/contract/gameplay/leaderboards.js';
import type { Transaction } from '../../../platform/database/database.js';
import { periodEnd, periodStart } from '../periods.js';
import type { BoardDefinition, BoardPeriod } from './board.js';
import type { BoardStore } from './board-store.js';

export const endOfPeriod = ({ resetPeriod }: Pick<Leaderboard, 'resetPeriod'>, at: Date): Date | null =>
  resetPeriod === null ? null : periodEnd(resetPeriod, at);

export class BoardPeriods {
  constructor(private readonly store: BoardStore) {}

  /** The period that runs at `now`, where the newest one is over. Periods in which nothing happened have no row. */
  begin(tx: Transaction, definition: BoardDefinition, now: Date): Promise<BoardPeriod | null> {
    const { board, period } = definition;
    const regular = board.resetPeriod === null ? now : periodStart(board.resetPeriod, now);
    const startsAt = period.endsAt !== null && period.endsAt > regular ? period.endsAt : regular;
    return this.store.begin(tx, definition, { startsAt, endsAt: endOfPeriod(board, now) });
  }

  /** Ends the period that runs and begins one. */
  cut(tx: Transaction, definition: BoardDefinition, now: Date): Promise<BoardPeriod | null> {
    return this.store.begin(tx, definition, { startsAt: now, endsAt: endOfPeriod(definition.board, now) }, now);
  }
}
