/**
 * How an event changes a counter (gameplay interface, counter rules 1–3): (counter, event) → counter, nothing else.
 * Whatever counts events, challenges today, asks here.
 */
import type { Counting } from '../../../src/contract/gameplay/challenges.js';
import type { GameEventType } from '../../../src/contract/gameplay/gameplay.js';

export interface Counter {
  readonly value: number;
  /** Session of the last event; null before the first one and where sessions do not matter. */
  readonly sessionId: string | null;
}

export interface CountedEvent {
  readonly type: GameEventType;
  /** null: an event of the same name that the counter does not count, which may still begin another session. */
  readonly amount: number | null;
  readonly sessionId: string;
}

export const counterMax = Number.MAX_SAFE_INTEGER;

/** Choice: a counter that would pass 2^53 - 1 stays there, since beyond it whole numbers are not exact. */
const add = (value: number, amount: number): number => Math.min(value + amount, counterMax);

export const count = (counter: Counter, event: CountedEvent, counting: Counting): Counter => {
  const perSession = counting === 'per-session';
  const restarts = perSession && counter.sessionId !== null && counter.sessionId !== event.sessionId;
  const before = restarts ? 0 : counter.value;
  const amount = event.amount;
  const value = amount === null ? before : event.type === 'group' ? amount : add(before, amount);
  return { value, sessionId: perSession ? event.sessionId : null };
};
