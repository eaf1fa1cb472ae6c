/**
 * A lookup whose answers are cached for a moment: what every request asks is read once a second. A cached answer is a
 * lease. Whoever takes it back calls `forgetAfter` in the transaction of the change: this daemon drops its answers at the
 * commit, and the transaction ends only when those of other daemons have expired.
 */
import { LRUCache } from 'lru-cache';
import { atMost } from '../collections/at-most.js';
import type { Database, Transaction } from './database.js';

const keepMs = 1_000;
const entriesMax = 10_000;
/** Time between the start of a lookup and that of its lease, and the coarseness of timers. */
const leaseSlackMs = 50;

export class Remembered<T extends object | string, Question = string> {
  // The promise is cached at the time of asking, so an answer overtaken by `forget` is never cached again.
  private readonly answers: LRUCache<string, Promise<T | null>>;
  private readonly keyOf: (question: Question) => string;
  private readonly keepMs: number;

  /** @param options.keyOf the same text for equal questions; answers are kept for `keepMs` */
  constructor(
    private readonly look: (question: Question) => Promise<T | null>,
    options: { readonly keyOf?: (question: Question) => string; readonly keepMs?: number } = {},
  ) {
    this.keyOf = options.keyOf ?? String;
    this.keepMs = options.keepMs ?? keepMs;
    // Reads the clock for each question: a process that was stopped for a while must not use an answer of before.
    this.answers = new LRUCache({ ...atMost(entriesMax), ttl: this.keepMs, ttlResolution: 0 });
  }

  /** null, "there is none", is not cached. */
  get(question: Question): Promise<T | null> {
    return this.answers.get(this.keyOf(question)) ?? this.renew(question);
  }

  /** The answer of now, cached from here on. */
  renew(question: Question): Promise<T | null> {
    const key = this.keyOf(question);
    const answer = this.look(question);
    this.answers.set(key, answer);
    const drop = () => {
      if (this.answers.peek(key) === answer) this.answers.delete(key);
    };
    answer.then((found) => {
      if (found === null) drop();
    }, drop);
    return answer;
  }

  forget(): void {
    this.answers.clear();
  }

  /** Makes the transaction end only when no daemon answers from before its commit any more. */
  forgetAfter(database: Database, tx: Transaction): void {
    database.afterCommit(tx, () => this.forget());
    database.outlastLeases(tx, this.keepMs + leaseSlackMs);
  }
}
