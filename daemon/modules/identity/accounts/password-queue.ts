/**
 * Computes password hashes, which are slow by design: only a few at once, so that the event loop and libuv's threads
 * stay free for other work, and a short queue, so that callers do not time out in it.
 */
import { availableParallelism } from 'node:os';
import { limits } from '../../../platform/limits/catalogue.js';
import { FairQueue } from '../../../platform/limits/fair-queue.js';
import { FairTurns } from '../../../platform/limits/fair-turns.js';

/** A login from a network that the account is known from. */
export interface KnownLogin {
  readonly network: string;
  readonly account: string;
}

/** Libuv has four threads, which also read files and resolve names. */
const threadsMax = 3;

const concurrency = Math.max(1, Math.min(threadsMax, availableParallelism() - 1));
/** More than one network has connections on a small machine, so that nobody in it fills the queue; they wait some seconds. */
const { perThread, ...knownLimits } = limits.password_hashes.max;
const waitingMax = concurrency * perThread;
const anybody = '';

export class PasswordQueue {
  /** A queue of its own, in turn by network and account: a flood from elsewhere neither fills it nor is waited for. */
  private readonly known = new FairQueue<() => void>('password_hashes', knownLimits);
  private readonly others = new FairQueue<() => void>('password_hashes', {
    shareMax: waitingMax,
    queueMax: waitingMax,
  });
  private readonly turns = new FairTurns('password_hashes', {
    concurrency,
    queues: [this.known, this.others],
    refusal: { retryAfterSeconds: 2 },
    isElsewhere: true,
  });

  /** Runs the work in its turn; known logins go before all others. Throws overloaded. */
  run<Outcome>(work: () => Promise<Outcome>, login: KnownLogin | null = null): Promise<Outcome> {
    return login === null
      ? this.turns.run(anybody, work, this.others)
      : this.turns.run(login.network, work, this.known, login.account);
  }
}
