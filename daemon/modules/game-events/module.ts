/** Game events: taken in, counted by whoever counts them, kept for a while and exported. */
import type { Settings } from '../../platform/config/schema.js';
import type { Module } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { EventCounter } from './event-counter.js';
import { EventExport } from './event-export.js';
import { EventStore } from './event-store.js';
import { EventIntake } from './intake.js';
import { gameEventPersonRecords } from './person-records-store.js';
import { keptGameEvents, type RedactEvents, type RetentionDays } from './retention.js';
import { gameEventRouter } from './routes.js';

export interface GameEventPlatform extends Pick<Platform, 'database' | 'log' | 'logger' | 'now'> {
  /** Told of the bytes that a tenant has stored. */
  readonly storage: { readonly quota: { count(tenantId: string, bytes: number): void } };
  readonly settings: RetentionDays &
    Pick<
      Settings,
      'EARSHOT_RATE_LIMIT_GAME_REQUESTS' | 'EARSHOT_RATE_LIMIT_GAME_EVENTS' | 'EARSHOT_RATE_LIMIT_PLAYER_EVENTS'
    >;
}

export interface GameEventNeeds {
  /** In the order in which they count. */
  readonly counters: readonly EventCounter[];
  readonly redactEvents: RedactEvents;
  /** Left out: events are stored as rows. */
  readonly store?: EventStore;
}

export interface GameEvents extends Module {
  readonly intake: EventIntake;
  readonly store: Pick<EventStore, 'countOf'>;
}

export function gameEventsModule(
  { database, log, logger, now, settings, storage }: GameEventPlatform,
  {
    counters,
    redactEvents,
    store = new EventStore(database, (tenantId, bytes) => storage.quota.count(tenantId, bytes)),
  }: GameEventNeeds,
): GameEvents {
  const intake = new EventIntake(database, log, store, counters, logger, now, {
    get requestsPerSecond() {
      return settings.EARSHOT_RATE_LIMIT_GAME_REQUESTS;
    },
    get eventsPerSecond() {
      return settings.EARSHOT_RATE_LIMIT_GAME_EVENTS;
    },
    get eventsPerSecondByPlayer() {
      return settings.EARSHOT_RATE_LIMIT_PLAYER_EVENTS;
    },
  });
  return {
    name: 'game-events',
    intake,
    store,
    routes: gameEventRouter(intake, new EventExport(database)),
    parts: [{ name: 'intake', start: () => store.continueIds(), stop: () => intake.stop() }],
    metrics: [{ name: 'intake_waiting', help: 'Game events waiting to be stored', read: () => intake.waiting }],
    keeps: keptGameEvents(database, settings, { redactEvents, counters }, now),
    personRecords: gameEventPersonRecords(database),
  };
}
