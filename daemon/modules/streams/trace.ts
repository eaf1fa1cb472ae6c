/**
 * The trace of one event: which durable subscriber got it, when, and with what result. Live streams are not recorded.
 */
import { DomainError } from '../../../src/contract/errors.js';
import type { ConsumerTrace, EventTrace } from '../../../src/contract/streams/event-traces.js';
import type { WebhookEventDetail } from '../../../src/contract/webhooks/webhook-events.js';
import type { ConsumerPlace, PositionedEvent } from '../../platform/events/logged.js';

interface TracedLog {
  find(id: string): Promise<PositionedEvent | null>;
  consumers(projectId: string): Promise<ConsumerPlace[]>;
}

interface TracedDeliveries {
  ofEvent(projectId: string, eventId: string): Promise<WebhookEventDetail[]>;
}

const ofWebhook = ({
  id,
  subscriptionId,
  status,
  deliveries,
  attemptsCount,
  lastError,
}: WebhookEventDetail): ConsumerTrace => {
  const last = deliveries.at(-1);
  return {
    kind: 'webhook',
    name: subscriptionId,
    result: status,
    at: last?.startedAt ?? null,
    attempts: attemptsCount,
    statusCode: last?.statusCode ?? null,
    error: lastError,
    deliveryId: id,
  };
};

export class EventTraces {
  constructor(
    private readonly log: TracedLog,
    private readonly deliveries: TracedDeliveries,
  ) {}

  /** Throws event_not_found. */
  async trace(projectId: string, eventId: string): Promise<EventTrace> {
    const found = await this.log.find(eventId);
    if (found === null || found.event.projectId !== projectId) throw new DomainError('event_not_found');
    const webhooks = (await this.deliveries.ofEvent(projectId, eventId)).map(ofWebhook);
    const subscribers = (await this.log.consumers(projectId)).map(({ name, position, updatedAt }): ConsumerTrace => {
      const passed = position >= found.position;
      return {
        kind: 'subscriber',
        name,
        result: passed ? 'delivered' : 'pending',
        at: passed ? updatedAt.toISOString() : null,
        attempts: null,
        statusCode: null,
        error: null,
        deliveryId: null,
      };
    });
    return { event: found.event, consumers: [...webhooks, ...subscribers] };
  }
}
