/** The engine of gameplay for a simulation: it announces nothing, and keeps of events only what they count. */

import type { Database, Transaction } from '../../../platform/database/database.js';
import { EventLog } from '../../../platform/events/log.js';
import { LocalWakeUps } from '../../../platform/events/wake-ups.js';
import { newId } from '../../../platform/ids/new-id.js';
import { createLogger } from '../../../platform/observability/logger.js';
import type { Clock } from '../../../platform/time/clock.js';
import { gameplayEngine } from '../engine.js';
import { EventStore, type StoredEvent, type SubmittedEvent } from '../event-store.js';

/** Nobody hears of a simulation, so nothing is announced. */
class UnreadLog extends EventLog {
  override readonly isRead = false;

  override append(): Promise<[]> {
    return Promise.resolve([]);
  }
}

/** Nobody rebuilds a leaderboard of a simulation or exports its events, so they are counted and not stored. */
class CountedEvents extends EventStore {
  override insert(_tx: Transaction, events: readonly SubmittedEvent[]): Promise<StoredEvent[]> {
    return Promise.resolve(events.map((event) => ({ ...event, id: newId() })));
  }
}

export type SimulatedEngine = ReturnType<typeof gameplayEngine>;

/** All projects of the database belong to the tenant. */
export function simulatedEngine(database: Database, tenantId: string, now: Clock): SimulatedEngine {
  return gameplayEngine({
    rankMemoryMb: 128,
    database,
    log: new UnreadLog(database, new LocalWakeUps(), now),
    logger: createLogger('error'),
    now,
    tenants: { tenantIn: () => Promise.resolve(tenantId) },
    events: new CountedEvents(database),
  });
}
