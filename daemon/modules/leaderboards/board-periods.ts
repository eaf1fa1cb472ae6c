/** Begins periods of boards: by the clock, when a board is read or counted, or when an operator resets it. */
import { MemberType } from '../../../src/contract/gameplay/leaderboards.js';
import type { Transaction } from '../../platform/database/database.js';
import type { NewEvent } from '../../platform/events/logged.js';
import { periodAt } from '../game-events/model/periods.js';
import type { PlayerRows } from '../game-events/model/player.js';
import { type BoardDefinition, type BoardPeriod, endOfCut, endOfPeriod, needsPeriod } from './board.js';
import type { BoardStore } from './board-store.js';
import type { MemberRank } from './board-views.js';
import { announcedMax, goneEvents } from './ranking-events.js';
import type { RestrictedUsers } from './restricted-members.js';
import { type ScoreStore, scoreOfKey } from './score-store.js';

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
    private readonly scores: ScoreStore,
    private readonly infos: InfoLookup,
    private readonly restrictions: RestrictedUsers,
  ) {}

  /** The period that runs at `now`. Periods in which nothing happened have no row. */
  async running(tx: Transaction, definition: BoardDefinition, now: Date): Promise<Running> {
    const { board, period } = definition;
    if (!needsPeriod(definition, now)) return { period, announced: [] };
    const regular = board.resetPeriod === null ? now : periodAt(board.resetPeriod, now).startsAt;
    const startsAt = period.endsAt !== null && period.endsAt > regular ? period.endsAt : regular;
    return this.begin(tx, definition, { startsAt, endsAt: endOfPeriod(board, now) }, null);
  }

  /** Ends the period that runs and begins one. */
  cut(tx: Transaction, definition: BoardDefinition, now: Date): Promise<Running> {
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
    return { period, announced: isNew ? await this.gone(tx, definition) : [] };
  }

  private async gone(tx: Transaction, definition: BoardDefinition): Promise<NewEvent[]> {
    const { board, period } = definition;
    const places: MemberRank[] = [];
    const hidden = await this.restrictions.restrictedUsersIn(tx, board.projectId);
    for (const memberType of MemberType.options) {
      const rows = await this.scores.page(tx, period.tallyId, memberType, 0, announcedMax);
      const shown = memberType === 'team' ? rows : rows.filter(({ memberId }) => !hidden.has(memberId));
      for (const [index, { memberId, sortKey }] of shown.entries())
        places.push({ memberType, memberId, rank: index + 1, score: scoreOfKey(sortKey, board.sortOrder) });
    }
    const users = places.filter(({ memberType }) => memberType === 'user').map(({ memberId }) => memberId);
    return goneEvents(definition, places, await this.infos.infosOf(tx, board.projectId, users));
  }
}
