/**
 * The events that this daemon has just stored, as the table holds them, so that the follower need not read them back.
 * Events of other daemons, and of large appends, it reads from the table.
 */
import type { DomainEvent } from '../../../src/contract/events.js';
import type { AppendedRange, LogBatch } from './logged.js';

/** Events of one append that are kept. Where there are more, they are read from the table, a page at a time. */
const rangeMax = 500;
const eventsMax = 2_000;
/** After this time the stored event may have been redacted. */
const keptMs = 100;

interface Kept {
  readonly events: readonly DomainEvent[];
  readonly to: bigint;
  readonly at: number;
}

export class RecentEvents {
  /** By the position after which they lie, the oldest first. */
  private readonly ranges = new Map<bigint, Kept>();
  private count = 0;

  put(events: readonly DomainEvent[], { after, to }: AppendedRange): void {
    if (events.length > rangeMax) return;
    this.ranges.set(after, { events, to, at: performance.now() });
    this.count += events.length;
    this.drop(() => this.count > eventsMax);
  }

  /**
   * The events that lie next after a position, and whether more of them are here; null: they are not here. What lies
   * before them is forgotten.
   */
  read(after: bigint): LogBatch | null {
    const oldest = performance.now() - keptMs;
    this.drop((first, { at }) => first < after || at < oldest);
    const kept = this.ranges.get(after);
    if (kept === undefined) return null;
    const events = kept.events.map((event, index) => ({ position: after + BigInt(index + 1), event }));
    return { events, end: kept.to, more: this.ranges.has(kept.to) };
  }

  private drop(isGone: (first: bigint, kept: Kept) => boolean): void {
    for (const [first, kept] of this.ranges) {
      if (!isGone(first, kept)) return;
      this.ranges.delete(first);
      this.count -= kept.events.length;
    }
  }
}
