/**
 * How an event changes a counter: (counter, event) → counter, without side effects. Everything that counts events uses
 * this.
 */
import type { Counting } from '../../../../src/contract/gameplay/challenges.js';
import type { GameEventType } from '../../../../src/contract/gameplay/gameplay.js';

export interface Counter {
  readonly value: number;
  /** Session of the last event; null before the first one and where sessions do not matter. */
  readonly sessionId: string | null;
}

export interface CountedEvent {
  readonly type: GameEventType;
  /** null: the event has the right name but the counter does not count it; it may still begin another session. */
  readonly amount: number | null;
  readonly sessionId: string;
}

export const counterMax = Number.MAX_SAFE_INTEGER;

/** Choice: a counter stops at 2^53 - 1, because larger whole numbers are not exact. */
const add = (value: number, amount: number): number => Math.min(value + amount, counterMax);

export const count = (counter: Counter, event: CountedEvent, counting: Counting): Counter => {
  const perSession = counting === 'per-session';
  const restarts = perSession && counter.sessionId !== null && counter.sessionId !== event.sessionId;
  const before = restarts ? 0 : counter.value;
  const amount = event.amount;
  const value = amount === null ? before : event.type === 'group' ? amount : add(before, amount);
  return { value, sessionId: perSession ? event.sessionId : null };
};
