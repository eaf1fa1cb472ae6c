/** Takes what events told out of the log, of their deliveries, and of events about those deliveries that repeated them. */
import type { Clock } from '../../platform/clock.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import { EventRedaction, type EventSubject, type StoredEvent } from '../../platform/events/redaction.js';
import { WebhookStore } from './store.js';

export interface EventForgetting {
  events(tx: Transaction, events: readonly StoredEvent[]): Promise<void>;
  /** Of what these resources' events told, those for which `concerns` holds. */
  resources(
    tx: Transaction,
    projectId: string,
    resources: readonly EventSubject[],
    concerns?: (event: StoredEvent) => boolean,
  ): Promise<void>;
}

export function eventForgetting({ database, now }: { database: Database; now: Clock }): EventForgetting {
  const redaction = new EventRedaction(database);
  const webhooks = new WebhookStore(database);
  const events: EventForgetting['events'] = async (tx, events) => {
    await redaction.redact(tx, events);
    const ids = events.map(({ id }) => id);
    // Earlier versions repeated in the event about a delivery what was delivered.
    for (const { id, projectId, subjectUserId } of await webhooks.redactEvents(tx, ids, now()))
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
