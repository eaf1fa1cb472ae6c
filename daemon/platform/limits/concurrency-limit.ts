/** At most a number of things at the same time: of one owner, and of all owners together. */
import { DomainError } from '../../../src/contract/errors.js';
import type { LimitName } from './catalogue.js';
import { countRefusal } from './refusals.js';

interface ConcurrencyOptions {
  /** Left out: no limit of one. It is read anew at each time. */
  readonly perOwner?: number;
  /** Left out: no limit of all together. */
  readonly max?: number;
  /** Answer where the limit is reached. */
  readonly code: 'rate_limited' | 'overloaded';
  /** Left out: the message of the code. */
  readonly message?: string;
  /** Left out: 1. */
  readonly retryAfterSeconds?: number;
}

export class ConcurrencyLimit {
  private readonly running = new Map<string, number>();
  private total = 0;

  constructor(
    private readonly name: LimitName,
    private readonly options: ConcurrencyOptions,
  ) {}

  /** Begins one more. Returns the function that ends it. Throws the refusal of the limit. */
  enter(owner: string, retryAfterSeconds = this.options.retryAfterSeconds ?? 1): () => void {
    const { perOwner = Number.POSITIVE_INFINITY, max = Number.POSITIVE_INFINITY, code, ...refusal } = this.options;
    if ((this.running.get(owner) ?? 0) >= perOwner || this.total >= max) {
      countRefusal(this.name);
      throw new DomainError(code, { ...refusal, retryAfterSeconds });
    }
    return this.enterAnyway(owner);
  }

  /** As `enter`, for one that takes the place of another, which is about to end. */
  enterAnyway(owner: string): () => void {
    this.running.set(owner, (this.running.get(owner) ?? 0) + 1);
    this.total += 1;
    let isRunning = true;
    return () => {
      if (!isRunning) return;
      isRunning = false;
      this.total -= 1;
      const left = (this.running.get(owner) ?? 1) - 1;
      if (left === 0) this.running.delete(owner);
      else this.running.set(owner, left);
    };
  }

  /** Runs the work as one of those at the same time. Throws the refusal of the limit, and what the work throws. */
  async run<T>(owner: string, work: () => Promise<T>, retryAfterSeconds?: number): Promise<T> {
    const leave = this.enter(owner, retryAfterSeconds);
    try {
      return await work();
    } finally {
      leave();
    }
  }
}
