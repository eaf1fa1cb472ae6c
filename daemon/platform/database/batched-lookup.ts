/**
 * Lookups of many requests at the same time, answered by one statement: on PostgreSQL a statement costs the daemon as much as
 * the rest of a short request. A question never joins a lookup that is under way, whose rows may be older than what was
 * acknowledged before it was asked: it waits for the next.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Deadline } from '../lifecycle/deadline.js';

/** A lookup that takes longer, perhaps on a connection that is lost, delays no others. */
const patienceMs = 1_000;
/** Keys of one lookup; more are looked up at the same time by another. */
const keysMax = 500;

interface WaitingLookup<A> {
  readonly keys: Set<string>;
  readonly answer: Promise<ReadonlyMap<string, A>>;
}

export class BatchedLookup<A> {
  private waiting: WaitingLookup<A> | null = null;
  /** Resolves when the last lookup that has begun is over. */
  private last: Promise<unknown> = Promise.resolve();

  /** `lookUp` returns the answer to each key that has one. */
  constructor(private readonly lookUp: (keys: readonly string[]) => Promise<ReadonlyMap<string, A>>) {}

  /** Returns the answers to these keys, and perhaps to others. Keys without an answer are left out. */
  getAll(keys: readonly string[]): Promise<ReadonlyMap<string, A>> {
    this.waiting ??= this.gather();
    const { waiting } = this;
    for (const key of keys) waiting.keys.add(key);
    if (waiting.keys.size >= keysMax) this.waiting = null;
    return waiting.answer;
  }

  private gather(): WaitingLookup<A> {
    const keys = new Set<string>();
    const begin = async () => {
      // Requests that arrive together begin in the same turn of the event loop.
      await Promise.all([new Deadline(patienceMs).met(this.last), nextTurn()]);
      if (this.waiting?.keys === keys) this.waiting = null;
      const answer = this.lookUp([...keys]);
      this.last = answer.catch(() => {});
      return answer;
    };
    return { keys, answer: begin() };
  }
}
