/** Begins periods of boards: by the clock, when a board is read or counted, or when an operator resets it. */
import type { Transaction } from '../../platform/database/database.js';
import type { NewEvent } from '../../platform/events/logged.js';
import type { Clock } from '../../platform/time/clock.js';
import { periodAt } from '../game-events/model/periods.js';
import type { PlayerRows } from '../game-events/model/player.js';
import type { RankingAnnouncements } from './announcements.js';
import { type BoardDefinition, type BoardPeriod, endOfCut, endOfPeriod, needsPeriod } from './board.js';
import type { BoardStore } from './board-store.js';
import type { TallyStore } from './tally-store.js';

export type InfoLookup = Pick<PlayerRows, 'infosOf'>;

interface Running {
  /** null: the board is gone. */
  readonly period: BoardPeriod | null;
  /**
   * The events that the caller appends in the same transaction: the best members of the period before are not on the
   * board any more.
   */
  readonly announced: readonly NewEvent[];
}

export class BoardPeriods {
  constructor(
    private readonly store: BoardStore,
    private readonly tallies: Pick<TallyStore, 'lock'>,
    private readonly announcements: Pick<RankingAnnouncements, 'gone'>,
  ) {}

  /** The period that runs at `now`. Periods in which nothing happened have no row. */
  async running(tx: Transaction, definition: BoardDefinition, now: Date): Promise<Running> {
    const { board, period } = definition;
    if (!needsPeriod(definition, now)) return { period, announced: [] };
    const regular = board.resetPeriod === null ? now : periodAt(board.resetPeriod, now).startsAt;
    const startsAt = period.endsAt !== null && period.endsAt > regular ? period.endsAt : regular;
    return this.begin(tx, definition, { startsAt, endsAt: endOfPeriod(board, now) }, null);
  }

  /**
   * Ends the period that runs and begins one, once nobody counts into it any more: an event that was counted before the
   * end must not lie behind it.
   */
  async cut(tx: Transaction, definition: BoardDefinition, clock: Clock): Promise<Running> {
    await this.store.lock(tx, definition.board.id);
    await this.tallies.lock(tx, definition.period.tallyId);
    const now = clock();
    return this.begin(
      tx,
      definition,
      { startsAt: now, endsAt: endOfPeriod(definition.board, now) },
      endOfCut(definition, now),
    );
  }

  private async begin(
    tx: Transaction,
    definition: BoardDefinition,
    next: Pick<BoardPeriod, 'startsAt' | 'endsAt'>,
    cutAt: Date | null,
  ): Promise<Running> {
    const { period, isNew } = await this.store.begin(tx, definition, next, cutAt);
    return { period, announced: isNew ? await this.announcements.gone(tx, definition) : [] };
  }
}
