/**
 * Removes the data of events from the log, from their deliveries, and from events about those deliveries that repeated
 * it.
 */
import { addTo } from '../../platform/collections/add-to.js';
import type { Transaction } from '../../platform/database/database.js';
import type {
  EventRedaction,
  EventSubject,
  RedactableEvent,
  ResourceRedaction,
} from '../../platform/events/redaction.js';
import type { Clock } from '../../platform/time/clock.js';
import type { DeliveryRedaction } from './redaction-store.js';

export class EventDataRedaction implements ResourceRedaction {
  constructor(
    private readonly log: EventRedaction,
    private readonly deliveries: DeliveryRedaction,
    private readonly now: Clock,
  ) {}

  readonly events = async (tx: Transaction, events: readonly RedactableEvent[]): Promise<void> => {
    await this.log.redact(tx, events);
    const ids = events.map(({ id }) => id);
    // Earlier versions repeated the payload in the event about a delivery.
    const repeated = new Map<string, EventSubject[]>();
    for (const { id, projectId, subjectUserId } of await this.deliveries.redactEvents(tx, ids, this.now()))
      addTo(repeated, projectId, { subjectUserId, resourceId: `webhook-event:${id}` });
    for (const [projectId, resources] of repeated)
      await this.log.redact(tx, await this.log.eventsOf(tx, projectId, resources));
  };

  async resources(
    tx: Transaction,
    projectId: string,
    resources: readonly EventSubject[],
    concerns: (event: RedactableEvent) => boolean = () => true,
  ): Promise<void> {
    await this.events(tx, (await this.log.eventsOf(tx, projectId, resources)).filter(concerns));
  }
}
