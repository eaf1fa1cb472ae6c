/** The log of webhook deliveries, which is also their queue. */
import { z } from 'zod';
import {
  AfterQuery,
  Id,
  ItemPath,
  madeQuery,
  PageQuery,
  ProjectPath,
  pageLimitDefault,
  pageLimitMax,
  Timestamp,
} from '../common.js';
import { defineRoute } from '../route.js';

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'set_aside'] as const;
export const DeliveryStatus = z
  .enum(deliveryStatuses)
  .describe('set_aside: the daemon crashed twice during an attempt; send it again to retry it');
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

export const WebhookEvent = z
  .object({
    id: z.string(),
    tenantId: z.string(),
    projectId: z.string().nullable(),
    subscriptionId: z.string(),
    eventId: z.string(),
    eventType: z.string(),
    payload: z.unknown().describe('The payload; null if the stored text is damaged'),
    status: DeliveryStatus,
    attemptsCount: z.int(),
    lastError: z.string().nullable(),
    nextAttemptAt: Timestamp.nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: 'WebhookEvent' });
export type WebhookEvent = z.infer<typeof WebhookEvent>;

/** A delivery as events show it: without the payload, which the log holds under `eventId`. */
export const WebhookDelivery = WebhookEvent.omit({ payload: true }).meta({ id: 'WebhookDelivery' });

const WebhookAttempt = z.object({
  id: z.string(),
  attempt: z.int(),
  startedAt: Timestamp,
  durationMs: z.int(),
  statusCode: z.int().nullable(),
  error: z.string().nullable(),
  responseSnippet: z.string().nullable().describe('First KiB of the answer'),
});
export const WebhookEventDetail = WebhookEvent.extend({ deliveries: z.array(WebhookAttempt) }).meta({
  id: 'WebhookEventDetail',
});
export type WebhookEventDetail = z.infer<typeof WebhookEventDetail>;

/** Deliveries of a subscription whose attempts are counted: the newest. */
export const countedDeliveries = 200;

const AttemptCount = z
  .object({
    subscriptionId: z.string(),
    attempts: z.int().describe('Attempts that have ended'),
    failed: z.int().describe('Of them, those that did not arrive'),
  })
  .meta({ id: 'WebhookAttemptCount' });
export type AttemptCount = z.infer<typeof AttemptCount>;

const group = 'Webhooks';
const auth = ['apiKey', 'bearer'] as const;

export const webhookEventRoutes = {
  list: defineRoute({
    operationId: 'listWebhookEvents',
    summary: 'List deliveries, newest first.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/webhooks/events',
    auth,
    scope: 'webhooks:read',
    role: 'viewer',
    params: ProjectPath,
    query: z.object({
      status: DeliveryStatus.optional(),
      subscriptionId: Id.optional().describe('Only deliveries to this subscription'),
      eventId: Id.optional().describe('Only deliveries of this event'),
      eventType: z.string().max(100).optional().describe('Only deliveries of events of this type'),
      ...madeQuery('webhook events created'),
      limit: z.coerce
        .number<number>()
        .int()
        .min(1)
        .max(pageLimitMax)
        .default(pageLimitDefault)
        .describe('Rows to show'),
      offset: PageQuery.shape.offset,
      after: AfterQuery,
    }),
    success: { status: 200, body: z.array(WebhookEvent) },
    errors: [],
  }),
  attempts: defineRoute({
    operationId: 'countWebhookAttempts',
    summary: 'Count the attempts to deliver to each webhook, and those that failed.',
    description: `Attempts of the newest ${countedDeliveries} deliveries of each subscription; a resend begins its count anew.`,
    group,
    method: 'get',
    path: '/api/projects/{projectId}/webhooks/attempts',
    auth,
    scope: 'webhooks:read',
    role: 'viewer',
    params: ProjectPath,
    success: { status: 200, body: z.array(AttemptCount) },
    cursor: ['subscriptionId'],
    errors: [],
  }),
  get: defineRoute({
    operationId: 'getWebhookEvent',
    summary: 'Show a delivery with its attempts.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/webhooks/events/{id}',
    auth,
    scope: 'webhooks:read',
    role: 'viewer',
    params: ItemPath,
    success: { status: 200, body: WebhookEventDetail },
    errors: ['webhook_event_not_found'],
  }),
  resend: defineRoute({
    operationId: 'resendWebhookEvent',
    summary: 'Send an event of the log once more, with attempts of its own.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/webhooks/events/{id}/resend',
    auth,
    scope: 'webhooks',
    role: 'admin',
    params: ItemPath,
    success: { status: 200, body: WebhookEvent },
    errors: ['webhook_event_not_found'],
  }),
};
