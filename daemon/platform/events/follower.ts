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
/** True if the payload of an event of this type is looked at. */
type PayloadNeed = (type: string) => boolean;
type EarlyListener = (events: readonly DomainEvent[]) => void;

/** The need of a listener that looks at no payload. */
export const noPayload: PayloadNeed = () => false;

export class LogFollower {
  /** With those types of events whose payloads they look at. */
  private readonly listeners = new Map<EventListener, PayloadNeed>();
  private readonly earlyListeners = new Map<EarlyListener, PayloadNeed>();
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

  /** `needs`: asked before the listener is called; where nobody needs a payload, it may be another one. */
  onEvents(listener: EventListener, needs: PayloadNeed = () => true): () => void {
    this.listeners.set(listener, needs);
    return () => this.listeners.delete(listener);
  }

  /**
   * As `onEvents`, but right after the commit where this process has stored them, and therefore not always in order. Each
   * event comes once. The listener must not throw.
   */
  onEventsEarly(listener: EarlyListener, needs: PayloadNeed = () => true): () => void {
    this.earlyListeners.set(listener, needs);
    return () => this.earlyListeners.delete(listener);
  }

  /** Follows from the newest event on, or from `position`. */
  async start(position?: bigint): Promise<void> {
    this.at = position ?? (await this.log.head());
    this.earlyTo = this.at;
    this.log.onStored((events, range) => this.stored(events, range));
    this.unsubscribe = this.wakeUps.onWake(() => this.wake());
    this.endPolls = every(pollMs, () => void this.poll());
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
    for (const listener of this.earlyListeners.keys()) listener(events);
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
    for (const listener of this.earlyListeners.keys()) listener(unheard.map(({ event }) => event));
  }

  private readonly isWanted = (type: string): boolean => {
    for (const needs of this.listeners.values()) if (needs(type)) return true;
    for (const needs of this.earlyListeners.values()) if (needs(type)) return true;
    return false;
  };

  private async poll(): Promise<void> {
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
      // Listeners are asked what they need, and called, without a turn in between, in which a stream may open.
      const part =
        this.recent.read(this.at) ?? (await this.log.follow({ after: this.at, limit: pageSize }))(this.isWanted);
      const { events, end, more } = part;
      if (end === this.at) return;
      this.tellEarly(events, end);
      // All listeners are called without waiting: work that one of them starts must not delay the others.
      await Promise.all([...this.listeners.keys()].map((listener) => this.deliver(listener, events)));
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
