/**
 * Removes the data of events from the log, from their deliveries, and from events about those deliveries that repeated
 * it.
 */
import type { Clock } from '../../platform/clock.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import { EventRedaction, type ResourceForgetting, type StoredEvent } from '../../platform/events/redaction.js';
import { DeliveryRedaction } from './redaction-store.js';

export interface EventForgetting extends ResourceForgetting {
  events(tx: Transaction, events: readonly StoredEvent[]): Promise<void>;
}

export function eventForgetting({ database, now }: { database: Database; now: Clock }): EventForgetting {
  const redaction = new EventRedaction(database);
  const deliveries = new DeliveryRedaction(database);
  const events: EventForgetting['events'] = async (tx, events) => {
    await redaction.redact(tx, events);
    const ids = events.map(({ id }) => id);
    // Earlier versions repeated the payload in the event about a delivery.
    for (const { id, projectId, subjectUserId } of await deliveries.redactEvents(tx, ids, now()))
      await redaction.redact(
        tx,
        await redaction.of(tx, projectId, [{ subjectUserId, resourceId: `webhook-event:${id}` }]),
      );
  };
  return {
    events,
    resources: async (tx, projectId, resources, concerns = () => true) =>
      events(tx, (await redaction.of(tx, projectId, resources)).filter(concerns)),
  };
}
