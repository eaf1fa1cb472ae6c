/**
 * Runs at most one action for each key and interval: the first at once, and of those that follow too soon only the last,
 * at the end of the interval. So subscribers are not flooded, and the last message they get is the current state. A
 * WindowCounter would refuse the last one.
 */
import { countRefusal } from '../../platform/limits/refusals.js';

export class LatestOnly {
  /** Keys whose interval runs, with what waits for its end. */
  private readonly intervals = new Map<string, { timer: NodeJS.Timeout; waiting: (() => void) | null }>();

  /** At `keysMax` keys the oldest interval ends early: the action that waits for it runs at once. */
  constructor(
    private readonly intervalMs: number,
    private readonly keysMax: number,
  ) {}

  run(key: string, action: () => void): void {
    const running = this.intervals.get(key);
    if (running !== undefined) {
      if (running.waiting !== null) countRefusal('ranking_updates');
      running.waiting = action;
      return;
    }
    const [oldest] = this.intervals.size >= this.keysMax ? this.intervals.keys() : [];
    const displaced = oldest === undefined ? null : this.forget(oldest);
    this.begin(key);
    displaced?.();
    action();
  }

  stop(): void {
    for (const { timer } of this.intervals.values()) clearTimeout(timer);
    this.intervals.clear();
  }

  private begin(key: string): void {
    const timer = setTimeout(() => this.end(key), this.intervalMs);
    timer.unref();
    this.intervals.set(key, { timer, waiting: null });
  }

  private end(key: string): void {
    const waiting = this.forget(key);
    if (waiting === null) return;
    this.begin(key);
    waiting();
  }

  /** Returns what waits for the end of the interval. */
  private forget(key: string): (() => void) | null {
    const { timer, waiting = null } = this.intervals.get(key) ?? {};
    clearTimeout(timer);
    this.intervals.delete(key);
    return waiting;
  }
}
