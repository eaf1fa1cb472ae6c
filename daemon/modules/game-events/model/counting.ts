/**
 * How an event changes a counter: (counter, event) → counter, without side effects. Everything that counts events uses
 * this.
 */
import type { Counting } from '../../../../src/contract/gameplay/challenges.js';
import type { GameEventType } from '../../../../src/contract/gameplay/gameplay.js';

/** A running sum has no limits; what is shown of it does. */
export interface RunningSum {
  /** As it is shown: at most 2^53 - 1 from 0, because larger whole numbers are not exact. */
  readonly value: number;
  /** The sum itself, where it lies beyond that. */
  readonly exact: string | null;
}

export interface Counter extends RunningSum {
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

export const sumOf = (value: number): RunningSum => ({ value, exact: null });

const whole = ({ value, exact }: RunningSum): bigint => BigInt(exact ?? value);

/** `sign`: -1 takes the second away. */
export function add(one: RunningSum, other: RunningSum, sign: 1 | -1 = 1): RunningSum {
  const value = one.value + sign * other.value;
  if (one.exact === null && other.exact === null && Number.isSafeInteger(value)) return sumOf(value);
  const exact = whole(one) + BigInt(sign) * whole(other);
  const shown = Math.max(-counterMax, Math.min(Number(exact), counterMax));
  return { value: shown, exact: BigInt(shown) === exact ? null : String(exact) };
}

export const count = (counter: Counter, event: CountedEvent, counting: Counting): Counter => {
  const perSession = counting === 'per-session';
  const restarts = perSession && counter.sessionId !== null && counter.sessionId !== event.sessionId;
  const { value, exact } = restarts ? sumOf(0) : counter;
  const before: RunningSum = { value, exact };
  const { amount } = event;
  const after = amount === null ? before : event.type === 'group' ? sumOf(amount) : add(before, sumOf(amount));
  return { ...after, sessionId: perSession ? event.sessionId : null };
};
