/**
 * Follows the log for live subscribers: one reader per process passes each event on in order. What this process has stored
 * it has in memory. Wake-ups say when to read; a slow poll finds what a lost wake-up would have announced.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DomainEvent } from '../../../src/contract/events.js';
import type { Logger } from '../observability/logger.js';
import { DueWork, nothingByTime } from '../scheduler/due-work.js';
import { systemClock } from '../time/clock.js';
import { every } from '../time/ticks.js';
import type { EventLog } from './log.js';
import type { AppendedRange, LoggedEvent, PositionedEvent } from './logged.js';
import { RecentEvents } from './recent.js';
import type { WakeUps } from './wake-ups.js';

const pageSize = 500;
const pollMs = 1_000;

export type EventListener = (events: readonly PositionedEvent[]) => void | Promise<void>;
type EarlyListener = (events: readonly DomainEvent[]) => void;

export class LogFollower {
  private readonly listeners = new Set<EventListener>();
  private readonly earlyListeners = new Set<EarlyListener>();
  private readonly recent = new RecentEvents();
  /**
   * Events that this process stored and early listeners already got, ahead of the position up to which the log was
   * read.
   */
  private readonly ahead = new Set<AppendedRange>();
  /** Early listeners have got every event up to here. */
  private earlyTo = 0n;
  private at = 0n;
  private reading: Promise<void> | null = null;
  private again = false;
  private unsubscribe: (() => void) | null = null;
  private readonly changes: DueWork;
  private endPolls: (() => void) | null = null;

  constructor(
    private readonly log: EventLog,
    private readonly wakeUps: WakeUps,
    private readonly logger: Logger,
  ) {
    this.changes = new DueWork(log, systemClock, nothingByTime);
  }

  /** Every event up to here has been passed on. */
  get position(): bigint {
    return this.at;
  }

  onEvents(listener: EventListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * As `onEvents`, but right after the commit where this process has stored them, and therefore not always in order. Each
   * event comes once. The listener must not throw.
   */
  onEventsEarly(listener: EarlyListener): () => void {
    this.earlyListeners.add(listener);
    return () => this.earlyListeners.delete(listener);
  }

  /** Follows from the newest event on, or from `position`. */
  async start(position?: bigint): Promise<void> {
    this.at = position ?? (await this.log.head());
    this.earlyTo = this.at;
    this.log.onStored((events, range) => this.stored(events, range));
    this.unsubscribe = this.wakeUps.onWake(() => this.wake());
    this.endPolls = every(pollMs, () => void this.look());
    this.wake();
  }

  async stop(): Promise<void> {
    this.unsubscribe?.();
    this.endPolls?.();
    await this.reading;
  }

  private stored(logged: readonly LoggedEvent[], range: AppendedRange): void {
    const events = logged.map(({ event }) => event);
    this.recent.put(events, range);
    // They may have been read from the log before this process knew of the commit.
    if (range.to <= this.earlyTo) return;
    this.ahead.add(range);
    for (const listener of this.earlyListeners) listener(events);
  }

  /** Events that another process stored, or whose commit is not known here yet. */
  private tellEarly(events: readonly PositionedEvent[], end: bigint): void {
    const ranges = [...this.ahead];
    const unheard = events.filter(
      ({ position }) => !ranges.some(({ after, to }) => position > after && position <= to),
    );
    this.earlyTo = end;
    for (const range of ranges) if (range.to <= end) this.ahead.delete(range);
    if (unheard.length === 0) return;
    for (const listener of this.earlyListeners) listener(unheard.map(({ event }) => event));
  }

  private async look(): Promise<void> {
    if (await this.changes.mayBeDue()) this.wake();
  }

  private wake(): void {
    this.again = true;
    this.reading ??= this.drain().finally(() => {
      this.reading = null;
      if (this.again && this.unsubscribe !== null) this.wake();
    });
  }

  private async drain(): Promise<void> {
    while (this.again) {
      this.again = false;
      try {
        await this.readOn();
      } catch (error) {
        this.changes.again();
        this.logger.warn({ err: error }, 'the event log could not be read; trying again');
        return;
      }
    }
  }

  private async readOn(): Promise<void> {
    for (;;) {
      const part = this.recent.read(this.at) ?? (await this.log.follow({ after: this.at, limit: pageSize }));
      const { events, end, more } = part;
      if (end === this.at) return;
      this.tellEarly(events, end);
      // All listeners are called without waiting: work that one of them starts must not delay the others.
      await Promise.all([...this.listeners].map((listener) => this.deliver(listener, events)));
      this.at = end;
      if (!more) return;
      await nextTurn(); // catching up over many events must not block the daemon
    }
  }

  /** An error of one listener must not affect the others, and is not retried: it would fail again. */
  private async deliver(listener: EventListener, events: readonly PositionedEvent[]): Promise<void> {
    try {
      await listener(events);
    } catch (error) {
      this.logger.error({ err: error, from: events[0]?.event.id }, 'a listener failed at events of the log');
    }
  }
}
