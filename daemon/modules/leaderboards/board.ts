/** A leaderboard with what its rules need, parsed; and which events it counts. Pure. */
import type { ErrorDetail } from '../../../src/contract/errors.js';
import { countOf, findGameEvent, type GameEventDefinition } from '../../../src/contract/gameplay/game-events.js';
import { type Lateness, lateDaysMax } from '../../../src/contract/gameplay/gameplay.js';
import type { Leaderboard } from '../../../src/contract/gameplay/leaderboards.js';
import { dateOrNull } from '../../platform/database/column-values.js';
import { idBefore, madeAtMs } from '../../platform/ids/id-time.js';
import { dayMs } from '../../platform/time/spans.js';
import { type CountedEvents, dateProblems, eventProblems } from '../game-events/model/checks.js';
import { satisfies } from '../game-events/model/conditions.js';
import type { GameEvent } from '../game-events/model/game-event.js';
import { periodAt } from '../game-events/model/periods.js';

/** A period and the tally that holds its scores. */
export interface BoardPeriod {
  readonly id: string;
  readonly tallyId: string;
  readonly startsAt: Date;
  /** null: no reset is due. */
  readonly endsAt: Date | null;
}

export interface BoardDefinition {
  readonly board: Leaderboard;
  readonly tenantId: string;
  readonly event: GameEventDefinition;
  readonly startDate: Date | null;
  readonly endDate: Date | null;
  /** Users who do not count. */
  readonly excluded: ReadonlySet<string>;
  /** The newest one; it may be over. */
  readonly period: BoardPeriod;
}

/** A tally in the making. */
export interface Count {
  readonly definition: BoardDefinition;
  readonly period: BoardPeriod;
  readonly tallyId: string;
  /** Users whose events do not count. */
  readonly excluded: ReadonlySet<string>;
}

export const defineBoard = (
  board: Leaderboard,
  { tenantId, excluded, period }: Pick<BoardDefinition, 'tenantId' | 'excluded' | 'period'>,
): BoardDefinition => {
  const event = findGameEvent(board.eventName);
  if (event === null) throw new Error(`Leaderboard ${board.id} counts an event that is not in the catalogue.`);
  return {
    board,
    tenantId,
    event,
    startDate: dateOrNull(board.startDate),
    endDate: dateOrNull(board.endDate),
    excluded,
    period,
  };
};

const isOpenAt = ({ startDate, endDate }: BoardDefinition, at: Date): boolean =>
  (startDate === null || startDate <= at) && (endDate === null || at < endDate);

/** How much the clocks of daemons may differ. */
export const clocksDifferMs = 60_000;

export interface SentEvent {
  readonly id: string;
  readonly createdAt: Date;
  /** When it happened, where that was before it was sent; null: then. */
  readonly occurredAt: Date | null;
}
type IdentifiedEvent = Pick<SentEvent, 'id' | 'createdAt'>;

/**
 * True if an event was sent after the period began. Ids say it, since they go on when the clock is set back. Periods that
 * an earlier release began got their ids just after their first events; an event of the very millisecond of a reset came
 * before it.
 */
export const hasBegun = ({ id, startsAt }: BoardPeriod, event: IdentifiedEvent): boolean =>
  event.id > id ||
  (event.createdAt > startsAt &&
    event.id >= idBefore(id, clocksDifferMs) &&
    event.createdAt.getTime() <= madeAtMs(id) + clocksDifferMs);

/** True if an event was sent in the period; `next`: the period that began after it; null: none did. */
const wasSentIn = (period: BoardPeriod, next: BoardPeriod | null, event: IdentifiedEvent): boolean =>
  hasBegun(period, event) && (next === null || !hasBegun(next, event));

/**
 * Where an event counts that was sent later than it happened: in the period that ran then, unless that is closed; else now or
 * not at all, as the board says. null: it happened before there was the board.
 *
 * @param periods those that were not over when it happened
 */
export function placeOfLate(
  { board, endDate }: Pick<BoardDefinition, 'board' | 'endDate'>,
  periods: readonly BoardPeriod[],
  { occurredAt, createdAt }: Pick<SentEvent, 'createdAt'> & { readonly occurredAt: Date },
): BoardPeriod | Lateness | null {
  if (occurredAt < new Date(board.createdAt)) return null;
  const own = periods.find((period) => period.startsAt <= occurredAt && !isOver(period, occurredAt));
  const end = own === undefined ? null : endOfNewest(own, endDate);
  const isTooLate = createdAt.getTime() - occurredAt.getTime() > lateDaysMax * dayMs;
  const isClosed = end !== null && end.getTime() + board.lateMinutes * 60_000 <= createdAt.getTime();
  if (own !== undefined && !isTooLate && !isClosed) return own;
  return board.lateEvents === 'now' ? 'now' : 'ignored';
}

/**
 * Returns the time by which an event is judged in a period; null: it does not count there.
 *
 * @param next the period that began after it; null: none did
 * @param periods those that were not over when the event happened, if it was sent later
 */
function timeIn(
  definition: Pick<BoardDefinition, 'board' | 'endDate'>,
  { period, next }: { readonly period: BoardPeriod; readonly next: BoardPeriod | null },
  periods: readonly BoardPeriod[],
  { occurredAt, ...sent }: SentEvent,
): Date | null {
  const place = occurredAt === null ? 'now' : placeOfLate(definition, periods, { ...sent, occurredAt });
  if (place === 'now') return wasSentIn(period, next, sent) ? sent.createdAt : null;
  return place === null || place === 'ignored' || place.id !== period.id ? null : occurredAt;
}

/** Returns the events that count in the period, with the time by which each is judged as that of its creation. */
export const eventsIn = <Event extends SentEvent>(
  definition: Pick<BoardDefinition, 'board' | 'endDate'>,
  place: { readonly period: BoardPeriod; readonly next: BoardPeriod | null },
  periods: readonly BoardPeriod[],
  events: readonly Event[],
): Event[] =>
  events.flatMap((event) => {
    const createdAt = timeIn(definition, place, periods, event);
    return createdAt === null ? [] : [{ ...event, createdAt }];
  });

/** Returns the value of an event on a board; null: it does not count there. */
export const worth = (
  definition: BoardDefinition,
  { event, properties }: Pick<GameEvent, 'event' | 'properties'>,
  at: Date,
): number | null => {
  if (event.name !== definition.event.name || !isOpenAt(definition, at)) return null;
  const { metadataConditions, countProperty } = definition.board;
  return satisfies(properties, metadataConditions) ? countOf(event, properties, countProperty) : null;
};

const isOver = ({ endsAt }: Pick<BoardPeriod, 'endsAt'>, now: Date): boolean => endsAt !== null && endsAt <= now;
const hasEnded = (endDate: Date | null, now: Date): boolean => endDate !== null && endDate <= now;

/** True if the newest period is over and another one begins. Choice: none begins once the board has ended. */
export const needsPeriod = ({ period, endDate }: BoardDefinition, now: Date): boolean =>
  isOver(period, now) && !hasEnded(endDate, now);

/** The board ends in the period, before the next one begins. */
const endsWithin = ({ startsAt, endsAt }: BoardPeriod, endDate: Date | null): endDate is Date =>
  endDate !== null && startsAt < endDate && (endsAt === null || endDate < endsAt);

/** When the newest period ends: with the board, where that is earlier; null: neither ends. */
export const endOfNewest = (period: BoardPeriod, endDate: Date | null): Date | null =>
  endsWithin(period, endDate) ? endDate : period.endsAt;

/** When a period that is reset has ended: with the board, where that was earlier. */
export const endOfCut = ({ period, endDate }: Pick<BoardDefinition, 'period' | 'endDate'>, now: Date): Date =>
  endsWithin(period, endDate) && endDate < now ? endDate : now;

/** End of a period that begins or runs at `at`; null: no reset is due, or the board has ended. */
export const endOfPeriod = ({ resetPeriod, endDate }: Pick<Leaderboard, 'resetPeriod' | 'endDate'>, at: Date) =>
  resetPeriod === null || hasEnded(dateOrNull(endDate), at) ? null : periodAt(resetPeriod, at).endsAt;

/** End of the newest period after a change of the board: one that is over, or of a board that has ended, keeps its own. */
export const endAfterChange = (period: BoardPeriod, board: Leaderboard, now: Date): Date | null =>
  isOver(period, now) || hasEnded(dateOrNull(board.endDate), now) ? period.endsAt : endOfPeriod(board, now);

/**
 * Returns the rules that decide which events count for how much, as text; two counts by different rules are never
 * mixed.
 */
export const rulesText = ({ countProperty, metadataConditions }: Leaderboard): string =>
  JSON.stringify({ countProperty, metadataConditions });

/** Problems that a schema cannot express. `path`: where the board stands in the request. */
export const boardProblems = (
  board: CountedEvents & Pick<Leaderboard, 'startDate' | 'endDate'>,
  path: string,
): ErrorDetail[] => [...eventProblems(board, path), ...dateProblems(board, path)];
