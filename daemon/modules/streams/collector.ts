/**
 * Collects what goes out to all streams: the first item leaves at once, those that follow soon leave together. The more streams
 * there are, the longer a write takes and the more it collects, so that writing to streams leaves most of the time to what
 * they wait for.
 */
import { flushIntervalMaxMs, flushIntervalMs, pendingMax } from './limits.js';

/** After a write, for so many times as long as it took, items are collected. */
const restPerWrite = 3;

export class Collector<Item> {
  private pending: Item[] = [];
  private timer: NodeJS.Timeout | null = null;

  /** @param write gets at least one item, in their order */
  constructor(private readonly write: (items: readonly Item[]) => void) {}

  push(items: readonly Item[]): void {
    for (const item of items) this.pending.push(item);
    if (this.timer === null || this.pending.length >= pendingMax) this.flush();
  }

  /** Writes what was collected; nothing is written after it until the next item comes. */
  stop(): void {
    this.flush();
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.pending.length === 0) return;
    const items = this.pending;
    this.pending = [];
    const beganMs = performance.now();
    this.write(items);
    const restMs = (performance.now() - beganMs) * restPerWrite;
    this.timer = setTimeout(() => this.flush(), Math.min(Math.max(flushIntervalMs, restMs), flushIntervalMaxMs));
  }
}
