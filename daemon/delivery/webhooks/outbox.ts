/**
 * Writes an outbox row for each subscription of an event, in the event's own transaction: what was announced will be
 * delivered, and what was rolled back never is. News of deliveries themselves never leaves by webhook.
 */
import { uuidv7 } from 'uuidv7';
import { type DomainEvent, matchesPattern } from '../../../src/contract/events.js';
import type { Clock } from '../../clock.js';
import type { AppendHook } from '../../events/log.js';

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
  (now: Clock): AppendHook =>
  async (tx, logged) => {
    const told = logged.filter(({ event }) => event.projectId !== undefined && !event.type.startsWith(ownNews));
    if (told.length === 0) return;
    const projectIds = [...new Set(told.map(({ event }) => event.projectId ?? ''))];
    const subscriptions = await tx.webhookSubscription.findMany({
      where: { projectId: { in: projectIds } },
      select: { id: true, projectId: true, events: true },
    });
    if (subscriptions.length === 0) return;
    const listeners = subscriptions.map((one) => ({ ...one, patterns: JSON.parse(one.events) as string[] }));
    const createdAt = now();
    const rows = told.flatMap(({ event, subjectUserId }) =>
      listeners
        .filter((listener) => hears(listener, event))
        .map((one) => ({
          id: uuidv7(),
          tenantId: event.tenantId,
          projectId: one.projectId,
          subscriptionId: one.id,
          eventId: event.id,
          eventType: event.type,
          payload: JSON.stringify(event),
          subjectUserId,
          status: 'pending',
          attemptsCount: 0,
          nextAttemptAt: createdAt,
          createdAt,
        })),
    );
    if (rows.length > 0) await tx.webhookEvent.createMany({ data: rows });
  };
