/** A lock whose owners take turns: one with a thousand waiting pieces of work delays another by one of them. */
import type { LimitName } from '../limits/catalogue.js';
import { FairQueue, unlimited } from '../limits/fair-queue.js';
import { countWait } from '../limits/refusals.js';

/** Work that belongs to no owner shares a turn. */
const nobody = '';

export class Lock {
  private isTaken = false;
  private readonly waiting: FairQueue<() => void>;

  /** Callers are limited before they come here. */
  constructor(private readonly name: LimitName) {
    this.waiting = new FairQueue(name, unlimited);
  }

  /** Resolves, when it is the caller's turn, to a function that releases the lock. */
  async acquire(owner = nobody): Promise<() => void> {
    if (this.isTaken) {
      countWait(this.name);
      await new Promise<void>((resolve) => this.waiting.push(owner, resolve));
    }
    this.isTaken = true;
    return () => this.release();
  }

  /** As `acquire`; null: it was not the caller's turn within this time. */
  async takeWithin(ms: number, owner = nobody): Promise<(() => void) | null> {
    const taken = this.acquire(owner);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), ms);
    });
    const release = await Promise.race([taken, late]);
    clearTimeout(timer);
    if (release === null) void taken.then((pass) => pass());
    return release;
  }

  async run<T>(work: () => Promise<T>, owner = nobody): Promise<T> {
    const release = await this.acquire(owner);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** The lock stays taken where somebody waits: nobody gets in before them. */
  private release(): void {
    const [next] = this.waiting.take(1);
    if (next === undefined) this.isTaken = false;
    else next();
  }
}
