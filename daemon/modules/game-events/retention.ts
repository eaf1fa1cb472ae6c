/**
 * Game events are kept for a number of days, and so are the log entries and deliveries about them. Players' progress
 * stays.
 */

import type { Settings } from '../../platform/config/schema.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import type { RedactableEvent } from '../../platform/events/redaction.js';
import { RedactionWalk } from '../../platform/events/redaction-walk.js';
import type { PersonalData } from '../../platform/scheduler/keep-personal-data.js';
import type { Clock } from '../../platform/time/clock.js';
import { dayMs } from '../../platform/time/spans.js';
import type { EventCounter } from './event-counter.js';
import { EventStore } from './event-store.js';

/** Removes the data of these events from the log and from their deliveries. */
export type RedactEvents = (tx: Transaction, events: readonly RedactableEvent[]) => Promise<void>;

const jobName = 'gameplay-retention';

interface GameEventRetentionNeeds {
  readonly database: Database;
  readonly events: EventStore;
  readonly days: () => number;
  readonly redactEvents: RedactEvents;
  readonly counters: readonly EventCounter[];
  readonly now: Clock;
}

class GameEventRetention {
  private readonly announcements: RedactionWalk;

  constructor(private readonly needs: GameEventRetentionNeeds) {
    this.announcements = new RedactionWalk(jobName, needs.now);
  }

  /** Looks at up to `limit` of the oldest game events; returns how many were removed. */
  async prune(limit: number): Promise<number> {
    const before = this.cutoff();
    const oldest = await this.needs.events.oldest(this.needs.database.read);
    if (oldest === null || oldest >= before) return 0;
    return this.alone(async (tx) => {
      const old = await this.needs.events.before(tx, before, limit);
      for (const counter of this.needs.counters) await counter.keep?.(tx, old);
      return this.needs.events.remove(tx, old);
    });
  }

  /** Redacts what up to `limit` more events of the log contain; returns how many events it looked at. */
  redact(limit: number): Promise<number> {
    const announced = new Set(this.needs.counters.flatMap(({ announces }) => announces));
    return this.alone(async (tx) => {
      const isAboutProgress = (type: string) => announced.has(type);
      const { events, passed } = await this.announcements.next(tx, isAboutProgress, this.cutoff(), limit);
      await this.needs.redactEvents(tx, events);
      return passed;
    });
  }

  /** Does nothing and returns 0 while another daemon does the same. */
  private alone(work: (tx: Transaction) => Promise<number>): Promise<number> {
    return this.needs.database.transaction(async (tx) =>
      (await this.needs.database.isAlone(tx, jobName)) ? work(tx) : 0,
    );
  }

  private cutoff = (): Date => new Date(this.needs.now().getTime() - this.needs.days() * dayMs);
}

export type RetentionDays = Pick<
  Settings,
  'EARSHOT_GAMEPLAY_RETENTION_DAYS' | 'EARSHOT_EVENT_RETENTION_DAYS' | 'EARSHOT_DELIVERY_RETENTION_DAYS'
>;

/** Deletes game events and, where the log would keep them longer, the log entries and deliveries about them. */
export function keptGameEvents(
  database: Database,
  days: RetentionDays,
  { redactEvents, counters }: Pick<GameEventRetentionNeeds, 'redactEvents' | 'counters'>,
  now: Clock,
): PersonalData[] {
  const gameplayDays = () => days.EARSHOT_GAMEPLAY_RETENTION_DAYS;
  const isLoggedLonger = () =>
    Math.max(days.EARSHOT_EVENT_RETENTION_DAYS, days.EARSHOT_DELIVERY_RETENTION_DAYS) > gameplayDays();
  const retention = new GameEventRetention({
    database,
    events: new EventStore(database),
    days: gameplayDays,
    redactEvents,
    counters,
    now,
  });
  return [
    { kind: 'game events', prune: (limit) => retention.prune(limit) },
    { kind: 'events about progress', prune: async (limit) => (isLoggedLonger() ? retention.redact(limit) : 0) },
  ];
}
