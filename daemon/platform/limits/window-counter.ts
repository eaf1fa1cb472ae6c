/**
 * At most a number of events of one key in a span of time, counted in this process. A window begins with the first event of
 * a key; a rolling one never lets more through in any span, wherever it begins.
 */
import { DomainError } from '../../../src/contract/errors.js';
import { dropWhile } from '../collections/drop-while.js';
import type { LimitName } from './catalogue.js';
import { countRefusal } from './refusals.js';

interface WindowOptions {
  /** 0: no limit. A function is asked each time. */
  readonly max: number | (() => number);
  readonly windowMs: number;
  readonly rolling?: boolean;
  /** Milliseconds of a clock that nobody sets: a window must not last until a clock that was set back is there again. */
  readonly now?: () => number;
  /** Message of the refusal; left out: that of rate_limited. */
  readonly message?: string;
}

export interface Allowance {
  readonly isRefused: boolean;
  /** How many more may come now. */
  readonly left: number;
  /** Time until as many more may be counted; of a window that does not roll, until it ends. */
  readonly waitMs: number;
}

/** Events that were counted at one time. */
interface Counted {
  readonly atMs: number;
  count: number;
}

interface Window {
  /** Oldest first; one alone where the window does not roll. */
  readonly counted: Counted[];
  total: number;
}

export class WindowCounter {
  /** In the order in which they were last counted, the oldest first. */
  private readonly windows = new Map<string, Window>();
  private readonly now: () => number;

  constructor(
    private readonly name: LimitName,
    private readonly options: WindowOptions,
  ) {
    this.now = options.now ?? (() => performance.now());
  }

  private get max(): number {
    const { max } = this.options;
    return typeof max === 'number' ? max : max();
  }

  /** Counts `amount` more. Throws rate_limited where they would pass the limit; then nothing is counted. */
  consume(key: string, amount = 1): void {
    const { isRefused, waitMs } = this.tryConsume(key, amount);
    if (isRefused) throw this.refusal(waitMs);
  }

  /** As `consume`, for callers that say in every answer how much is left. */
  tryConsume(key: string, amount = 1): Allowance {
    const { max } = this;
    if (max === 0 || amount === 0) return { isRefused: false, left: Infinity, waitMs: 0 };
    const now = this.now();
    const window = this.windowOf(key, now);
    const isRefused = window.total + amount > max;
    if (isRefused) countRefusal(this.name);
    else this.add(key, window, amount, now);
    return { isRefused, left: Math.max(0, max - window.total), waitMs: this.leftMs(window, amount, now) };
  }

  /** Throws rate_limited where the limit is reached; counts nothing. */
  require(key: string): void {
    const now = this.now();
    const window = this.windowOf(key, now);
    if (this.max === 0 || window.total < this.max) return;
    countRefusal(this.name);
    throw this.refusal(this.leftMs(window, 1, now));
  }

  /** Counts, whether the limit is reached or not. */
  count(key: string): void {
    const now = this.now();
    this.add(key, this.windowOf(key, now), 1, now);
  }

  /** Uncounts some of the last events of a key, which came to nothing. */
  giveBack(key: string, amount: number): void {
    const window = this.windowOf(key, this.now());
    for (let left = Math.min(amount, window.total); left > 0; ) {
      const last = window.counted.at(-1);
      if (last === undefined) return;
      const given = Math.min(last.count, left);
      last.count -= given;
      window.total -= given;
      left -= given;
      if (last.count === 0) window.counted.pop();
    }
    if (window.total === 0) this.windows.delete(key);
  }

  private add(key: string, window: Window, amount: number, now: number): void {
    const last = window.counted.at(-1);
    if (last !== undefined && (this.options.rolling !== true || last.atMs === now)) last.count += amount;
    else window.counted.push({ atMs: now, count: amount });
    window.total += amount;
    if (this.options.rolling === true) this.windows.delete(key); // it goes to the end
    this.windows.set(key, window);
  }

  /** The window of the key, without what is over; keys with nothing else are forgotten. */
  private windowOf(key: string, now: number): Window {
    dropWhile(this.windows, ({ counted }) => this.isOver(counted.at(-1), now));
    const window = this.windows.get(key) ?? { counted: [], total: 0 };
    while (this.isOver(window.counted[0], now)) window.total -= window.counted.shift()?.count ?? 0;
    return window;
  }

  private isOver(counted: Counted | undefined, now: number): boolean {
    return counted !== undefined && now - counted.atMs >= this.options.windowMs;
  }

  /** Time until so many more may be counted, or until the window is empty where they never may. */
  private leftMs({ counted, total }: Window, amount: number, now: number): number {
    let over = total + amount - this.max;
    const until = counted.find(({ count }) => {
      over -= count;
      return over <= 0;
    });
    return ((until ?? counted.at(-1))?.atMs ?? now) + this.options.windowMs - now;
  }

  private refusal(leftMs: number): DomainError {
    const { message } = this.options;
    return new DomainError('rate_limited', {
      ...(message === undefined ? {} : { message }),
      retryAfterSeconds: leftMs / 1_000,
    });
  }
}
