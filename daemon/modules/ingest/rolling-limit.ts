/** At most a number of events in any span of time, not just within fixed windows. Counted in this process. */
import { DomainError } from '../../../src/contract/errors.js';
import { dropWhile } from '../../platform/collections/drop-while.js';

export class RollingLimit {
  /** The times of the last `max` events of each key, oldest first, for keys with an event within the span. */
  private readonly taken = new Map<string, number[]>();

  constructor(
    private readonly max: number,
    private readonly spanMs: number,
    /** Milliseconds of a clock that never goes back. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Throws rate_limited; then nothing is counted. */
  consume(key: string): void {
    const now = this.now();
    dropWhile(this.taken, (times) => now - (times.at(-1) ?? 0) >= this.spanMs);
    const times = this.taken.get(key) ?? [];
    const oldest = times.length < this.max ? undefined : times[0];
    if (oldest !== undefined && now - oldest < this.spanMs)
      throw new DomainError('rate_limited', { retryAfterSeconds: (oldest + this.spanMs - now) / 1000 });
    if (oldest !== undefined) times.shift();
    times.push(now);
    this.taken.delete(key);
    this.taken.set(key, times);
  }
}
