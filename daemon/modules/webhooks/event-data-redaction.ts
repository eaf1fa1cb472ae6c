/**
 * Removes the data of events from the log, from their deliveries, and from events about those deliveries that repeated
 * it.
 */

import type { Database, Transaction } from '../../platform/database/database.js';
import {
  EventRedaction,
  type EventSubject,
  type ResourceRedaction,
  type StoredEvent,
} from '../../platform/events/redaction.js';
import type { Clock } from '../../platform/time/clock.js';
import { DeliveryRedaction } from './redaction-store.js';

export interface EventDataRedaction extends ResourceRedaction {
  events(tx: Transaction, events: readonly StoredEvent[]): Promise<void>;
}

export function eventDataRedaction({ database, now }: { database: Database; now: Clock }): EventDataRedaction {
  const redaction = new EventRedaction(database);
  const deliveries = new DeliveryRedaction(database);
  const events: EventDataRedaction['events'] = async (tx, events) => {
    await redaction.redact(tx, events);
    const ids = events.map(({ id }) => id);
    // Earlier versions repeated the payload in the event about a delivery.
    const repeated = new Map<string, EventSubject[]>();
    for (const { id, projectId, subjectUserId } of await deliveries.redactEvents(tx, ids, now())) {
      const known = repeated.get(projectId) ?? [];
      known.push({ subjectUserId, resourceId: `webhook-event:${id}` });
      repeated.set(projectId, known);
    }
    for (const [projectId, resources] of repeated)
      await redaction.redact(tx, await redaction.of(tx, projectId, resources));
  };
  return {
    events,
    resources: async (tx, projectId, resources, concerns = () => true) =>
      events(tx, (await redaction.of(tx, projectId, resources)).filter(concerns)),
  };
}
