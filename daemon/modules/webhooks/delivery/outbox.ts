/**
 * Writes an outbox row for each subscription of an event, and the payload once, in the event's own transaction: what
 * was announced will be delivered, and what was rolled back never is. Where there are more than a few hundred rows, the
 * transaction notes only that they are to be made, because other writers wait for it; then the event types count that the
 * subscription has at that time. Events about deliveries are never sent by webhook.
 */

import { type DomainEvent, webhookHears } from '../../../../src/contract/events.js';
import type { Transaction } from '../../../platform/database/database.js';
import { rowsAtOnce } from '../../../platform/database/slices.js';
import { type AppendHook, eventText } from '../../../platform/events/logged.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { Clock } from '../../../platform/time/clock.js';
import { payloadOf } from '../delivery-rows.js';
import type { DeliveryStore } from '../delivery-store.js';
import { type ListenerRow, patternsOf, type SubscriptionStore } from '../subscription-store.js';
import type { WebhookBacklog } from './backlog.js';

/** Events that go only to the subscription that they name. */
const test = 'webhook.test';

type WebhookListener = Pick<ListenerRow, 'id' | 'projectId'> & { readonly patterns: readonly string[] };

const leaves = (type: string): boolean => type === test || webhookHears(['*'], type);

const hears = ({ id, projectId, patterns }: WebhookListener, event: DomainEvent): boolean =>
  event.type === test
    ? event.resourceId === `webhook-subscription:${id}`
    : projectId === event.projectId && webhookHears(patterns, event.type);

export const outbox =
  (
    subscriptions: SubscriptionStore,
    store: DeliveryStore,
    backlog: Pick<WebhookBacklog, 'add'>,
    /** Wakes who delivers, after the commit. */
    wake: (tx: Transaction) => void,
    now: Clock,
  ): AppendHook =>
  async (tx, logged) => {
    // What is about deliveries, such as one that is sent again, may have made some due.
    if (logged.some(({ event }) => event.type.startsWith('webhook.'))) wake(tx);
    const outgoing = logged.filter(({ event }) => event.projectId !== undefined && leaves(event.type));
    if (outgoing.length === 0) return null;
    const projectIds = [...new Set(outgoing.map(({ event }) => event.projectId ?? ''))];
    const found = await subscriptions.listeners(tx, projectIds);
    if (found.length === 0) return null;
    const kinds = [...new Map(outgoing.map(({ event }) => [`${event.projectId} ${event.type}`, event])).values()];
    const listeners = found
      .map((one) => ({ ...one, patterns: patternsOf(one) }))
      .filter((one) => kinds.some((event) => hears(one, event)));
    if (outgoing.length * listeners.length > rowsAtOnce) return (range) => backlog.add(tx, listeners, range);
    const heard = outgoing
      .map((one) => ({ one, concerned: listeners.filter((listener) => hears(listener, one.event)) }))
      .filter(({ concerned }) => concerned.length > 0);
    if (heard.length === 0) return null;
    wake(tx);
    const payloads = heard.map(({ one }) => payloadOf(one, one.event.projectId ?? '', eventText(one)));
    const createdAt = now();
    const deliveries = heard.flatMap(({ one: { event }, concerned }) =>
      concerned.map(({ id: subscriptionId, tenantId, projectId }) => ({
        id: uuidv7(),
        tenantId,
        projectId,
        subscriptionId,
        eventId: event.id,
        eventType: event.type,
        replayPosition: null,
        createdAt,
      })),
    );
    await store.insertDeliveries(tx, payloads, deliveries);
    return null;
  };
