/**
 * Writes an outbox row for each subscription of an event, in the event's own transaction: what was announced will be
 * delivered, and what was rolled back never is. News of deliveries themselves never leaves by webhook.
 */
import { uuidv7 } from 'uuidv7';
import { type DomainEvent, matchesPattern } from '../../../src/contract/events.js';
import type { Clock } from '../../clock.js';
import type { AppendHook } from '../../events/log.js';
import type { WebhookStore } from '../../features/webhooks/store.js';

const ownNews = 'webhook.delivery.';
/** Goes to the subscription that it names, and to no other. */
const test = 'webhook.test';

interface Listener {
  readonly id: string;
  readonly projectId: string;
  readonly patterns: readonly string[];
}

const hears = ({ id, projectId, patterns }: Listener, event: DomainEvent): boolean =>
  event.type === test
    ? event.resourceId === `webhook-subscription:${id}`
    : projectId === event.projectId && patterns.some((pattern) => matchesPattern(event.type, pattern));

export const outbox =
  (webhooks: WebhookStore, now: Clock): AppendHook =>
  async (tx, logged) => {
    const told = logged.filter(({ event }) => event.projectId !== undefined && !event.type.startsWith(ownNews));
    if (told.length === 0) return;
    const projectIds = [...new Set(told.map(({ event }) => event.projectId ?? ''))];
    const subscriptions = await webhooks.listeners(tx, projectIds);
    const listeners = subscriptions.map((one) => ({ ...one, patterns: JSON.parse(one.events) as string[] }));
    const createdAt = now();
    const deliveries = told.flatMap(({ event, subjectUserId }) => {
      const concerned = listeners.filter((listener) => hears(listener, event));
      const payload = concerned.length === 0 ? '' : JSON.stringify(event);
      return concerned.map(({ id: subscriptionId, projectId }) => ({
        ...{ id: uuidv7(), tenantId: event.tenantId, projectId, subscriptionId },
        ...{ eventId: event.id, eventType: event.type, payload, subjectUserId },
        ...{ replayPosition: null, createdAt },
      }));
    });
    await webhooks.insertDeliveries(tx, deliveries);
  };
