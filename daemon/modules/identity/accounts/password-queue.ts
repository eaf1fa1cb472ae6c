/**
 * Computes password hashes, which are slow by design: only a few at once, so that the event loop and libuv's threads
 * stay free for other work, and a short queue, so that callers do not time out in it.
 */
import { availableParallelism } from 'node:os';
import { DomainError } from '../../../../src/contract/errors.js';

interface PasswordQueueLimits {
  readonly atOnceMax: number;
  readonly waitingMax: number;
}

/** Libuv has four threads, which also read files and resolve names. */
const threadsMax = 3;
const waitingPerThread = 32;
const retryAfterSeconds = 2;

const atOnceMax = Math.max(1, Math.min(threadsMax, availableParallelism() - 1));
const limitsHere: PasswordQueueLimits = { atOnceMax, waitingMax: atOnceMax * waitingPerThread };

export class PasswordQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  /** A queue of its own, so that a flood from elsewhere neither fills it nor is waited for. */
  private readonly waitingFirst: (() => void)[] = [];

  constructor(private readonly limits: PasswordQueueLimits = limitsHere) {}

  /** Runs the work in its turn, or before all others that are not `isFirst`. Throws overloaded. */
  async run<Outcome>(work: () => Promise<Outcome>, isFirst = false): Promise<Outcome> {
    if (this.running < this.limits.atOnceMax) this.running += 1;
    else await this.wait(isFirst ? this.waitingFirst : this.waiting);
    try {
      return await work();
    } finally {
      const next = this.waitingFirst.shift() ?? this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next(); // the slot passes to the next in the queue
    }
  }

  private wait(queue: (() => void)[]): Promise<void> {
    if (queue.length >= this.limits.waitingMax) throw new DomainError('overloaded', { retryAfterSeconds });
    return new Promise((resolve) => queue.push(resolve));
  }
}
