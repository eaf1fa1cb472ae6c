/** Trace of one event: the consumers that got it, when, with what result. */
import { z } from 'zod';
import { ItemPath, Timestamp } from '../common.js';
import { DomainEvent } from '../events.js';
import { defineRoute } from '../route.js';
import { DeliveryStatus } from '../webhooks/webhook-events.js';

export const ConsumerTrace = z
  .object({
    kind: z.enum(['webhook', 'subscriber']),
    name: z.string().describe('The webhook subscription, or the durable subscriber inside the daemon'),
    result: DeliveryStatus,
    at: Timestamp.nullable().describe('Last attempt; for a subscriber, when its position was last seen past the event'),
    attempts: z.int().nullable(),
    statusCode: z.int().nullable(),
    error: z.string().nullable(),
    deliveryId: z.string().nullable().describe('Id in the log of webhook events'),
  })
  .meta({ id: 'ConsumerTrace' });
export type ConsumerTrace = z.infer<typeof ConsumerTrace>;

export const EventTrace = z
  .object({ event: DomainEvent, consumers: z.array(ConsumerTrace) })
  .meta({ id: 'EventTrace' });
export type EventTrace = z.infer<typeof EventTrace>;

export const eventTraceRoutes = {
  trace: defineRoute({
    operationId: 'traceEvent',
    summary: 'Show which durable consumers got an event, when, and with what result.',
    group: 'Real-time events',
    method: 'get',
    path: '/api/projects/{projectId}/events/{id}/trace',
    auth: ['apiKey', 'bearer'],
    scope: 'events:read',
    role: 'viewer',
    params: ItemPath,
    success: { status: 200, body: EventTrace },
    errors: ['event_not_found'],
  }),
};
