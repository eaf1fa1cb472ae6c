/** How many events a project may submit per second. Counted in this process, by the second. */
import { DomainError } from '../../../src/contract/errors.js';
import type { Clock } from '../../platform/time/clock.js';

export class SecondlyLimit {
  private second = 0;
  private readonly taken = new Map<string, number>();

  constructor(
    /** 0: no limit. */
    private readonly perSecond: number,
    private readonly now: Clock,
  ) {}

  /** Throws rate_limited when `amount` more would pass the limit in this second; then nothing is counted. */
  consume(key: string, amount: number): void {
    const second = Math.floor(this.now().getTime() / 1000);
    if (second !== this.second) {
      this.second = second;
      this.taken.clear();
    }
    const total = (this.taken.get(key) ?? 0) + amount;
    if (this.perSecond > 0 && total > this.perSecond) throw new DomainError('rate_limited', { retryAfterSeconds: 1 });
    this.taken.set(key, total);
  }
}
