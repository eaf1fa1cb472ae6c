/**
 * Computes password hashes, which are slow by design: only a few at once, so that the event loop and libuv's threads
 * stay free for other work, and a short queue, so that callers do not time out in it.
 */
import { availableParallelism } from 'node:os';
import { DomainError } from '../../../../src/contract/errors.js';
import { FairQueue, type FairQueueLimits } from '../../../platform/limits/fair-queue.js';
import { countRefusal } from '../../../platform/limits/refusals.js';

interface PasswordQueueLimits {
  readonly atOnceMax: number;
  readonly waitingMax: number;
  /** For logins from known networks: those of one account and network, and all together. */
  readonly known: FairQueueLimits;
}

/** A login from a network that the account is known from. */
export interface KnownLogin {
  readonly network: string;
  readonly account: string;
}

/** Libuv has four threads, which also read files and resolve names. */
const threadsMax = 3;
const waitingPerThread = 32;
const retryAfterSeconds = 2;

const atOnceMax = Math.max(1, Math.min(threadsMax, availableParallelism() - 1));
/** More than one network has connections on a small machine, so that nobody in it fills the queue; they wait some seconds. */
const known: FairQueueLimits = { shareMax: 256, queueMax: 1_024 };
const limitsHere: PasswordQueueLimits = { atOnceMax, waitingMax: atOnceMax * waitingPerThread, known };

export class PasswordQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  /** A queue of its own, in turn by network and account: a flood from elsewhere neither fills it nor is waited for. */
  private readonly waitingFirst: FairQueue<() => void>;

  constructor(private readonly limits: PasswordQueueLimits = limitsHere) {
    this.waitingFirst = new FairQueue('password_hashes', limits.known);
  }

  /** Runs the work in its turn; known logins go before all others. Throws overloaded. */
  async run<Outcome>(work: () => Promise<Outcome>, login: KnownLogin | null = null): Promise<Outcome> {
    if (this.running < this.limits.atOnceMax) this.running += 1;
    else await this.wait(login);
    try {
      return await work();
    } finally {
      const [next = this.waiting.shift()] = this.waitingFirst.take(1);
      if (next === undefined) this.running -= 1;
      else next(); // the slot passes to the next in the queue
    }
  }

  private wait(login: KnownLogin | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const isQueued =
        login === null
          ? this.waiting.length < this.limits.waitingMax && this.waiting.push(resolve) > 0
          : this.waitingFirst.push(login.network, resolve, login.account);
      if (!isQueued && login === null) countRefusal('password_hashes'); // the other queue counts its own
      if (!isQueued) reject(new DomainError('overloaded', { retryAfterSeconds }));
    });
  }
}
