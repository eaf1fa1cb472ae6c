/** Webhook subscriptions and the log of what was delivered (contract, sections 4 and 7). */
import { z } from 'zod';
import { Deleted, ItemPath, ProjectPath, pageLimitDefault, pageLimitMax, Timestamp } from './common.js';
import { defineRoute } from './route.js';

export const webhookAuthTypes = ['none', 'api_key', 'basic_auth', 'custom_headers'] as const;
export const WebhookAuthType = z.enum(webhookAuthTypes);
export const PayloadFormat = z.enum(['event', 'bare']);
export const DeliveryStatus = z.enum(['pending', 'delivered', 'failed']);
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

export const WebhookSubscription = z
  .object({
    id: z.string(),
    projectId: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    description: z.string().nullable(),
    authType: WebhookAuthType,
    apiKeyHeader: z.string().nullable(),
    basicAuthUsername: z.string().nullable(),
    customHeaders: z.array(z.string()).nullable().describe('Names only'),
    payloadFormat: PayloadFormat,
    enabled: z.boolean(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'WebhookSubscription' });
export type WebhookSubscription = z.infer<typeof WebhookSubscription>;

const reservedHeaders =
  /^(host|content-length|content-type|connection|transfer-encoding|x-timestamp|x-signature|webhook-.*)$/i;
const HeaderName = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'not a header name')
  .refine((name) => !reservedHeaders.test(name), 'this header is set by the delivery itself');
const HeaderValue = z
  .string()
  .max(2000)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'not a header value');

const Pattern = z
  .string()
  .max(100)
  .regex(/^(\*|[a-z][a-z0-9_-]*(\.[a-z][a-z0-9_-]*)*(\.\*)?)$/, 'write an event type, or a domain with .* behind it');

const subscriptionFields = {
  url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .describe('Where events are sent'),
  secret: z.string().min(8).max(200).describe('Key of the signature'),
  events: z.array(Pattern).min(1).max(50).describe('Types: exact, domain.* or *'),
  description: z.string().max(500).nullish(),
  authType: WebhookAuthType.default('none').describe('How the delivery authenticates itself'),
  apiKey: HeaderValue.optional(),
  apiKeyHeader: HeaderName.optional().describe('Left out: X-API-Key'),
  basicAuthUsername: z.string().max(200).optional(),
  basicAuthPassword: z.string().max(200).optional(),
  customHeaders: z
    .record(HeaderName, HeaderValue)
    .optional()
    .refine((h) => !h || Object.keys(h).length <= 20, 'up to 20 headers'),
  payloadFormat: PayloadFormat.default('event').describe('event: the envelope; bare: its data'),
};

export const CreateWebhookSubscriptionRequest = z
  .object(subscriptionFields)
  .meta({ id: 'CreateWebhookSubscriptionRequest' });
export type CreateWebhookSubscriptionRequest = z.infer<typeof CreateWebhookSubscriptionRequest>;

export const UpdateWebhookSubscriptionRequest = z
  .object({ ...subscriptionFields, authType: WebhookAuthType, payloadFormat: PayloadFormat })
  .partial()
  .extend({ enabled: z.boolean().optional() })
  .meta({ id: 'UpdateWebhookSubscriptionRequest' });
export type UpdateWebhookSubscriptionRequest = z.infer<typeof UpdateWebhookSubscriptionRequest>;

export const WebhookEvent = z
  .object({
    id: z.string(),
    tenantId: z.string(),
    projectId: z.string().nullable(),
    subscriptionId: z.string(),
    eventId: z.string(),
    eventType: z.string(),
    payload: z.unknown().describe('What is sent'),
    status: DeliveryStatus,
    attemptsCount: z.int(),
    lastError: z.string().nullable(),
    nextAttemptAt: Timestamp.nullable(),
    createdAt: Timestamp,
  })
  .meta({ id: 'WebhookEvent' });
export type WebhookEvent = z.infer<typeof WebhookEvent>;

export const WebhookAttempt = z.object({
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

const group = 'Webhooks';
const auth = ['apiKey', 'bearer'] as const;

export const webhookRoutes = {
  create: defineRoute({
    operationId: 'createWebhookSubscription',
    summary: 'Have events sent to an address.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/webhooks/subscriptions',
    auth,
    scope: 'webhooks',
    role: 'admin',
    params: ProjectPath,
    body: CreateWebhookSubscriptionRequest,
    success: { status: 201, body: WebhookSubscription },
    errors: ['webhook_auth_incomplete'],
  }),
  list: defineRoute({
    operationId: 'listWebhookSubscriptions',
    summary: 'List the webhook subscriptions.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/webhooks/subscriptions',
    auth,
    scope: 'webhooks:read',
    role: 'viewer',
    params: ProjectPath,
    success: { status: 200, body: z.array(WebhookSubscription) },
    errors: [],
  }),
  get: defineRoute({
    operationId: 'getWebhookSubscription',
    summary: 'Show a webhook subscription.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/webhooks/subscriptions/{id}',
    auth,
    scope: 'webhooks:read',
    role: 'viewer',
    params: ItemPath,
    success: { status: 200, body: WebhookSubscription },
    errors: ['webhook_subscription_not_found'],
  }),
  update: defineRoute({
    operationId: 'updateWebhookSubscription',
    summary: 'Change what is sent, of a subscription; enable or disable it.',
    group,
    method: 'put',
    path: '/api/projects/{projectId}/webhooks/subscriptions/{id}',
    auth,
    scope: 'webhooks',
    role: 'admin',
    params: ItemPath,
    body: UpdateWebhookSubscriptionRequest,
    success: { status: 200, body: WebhookSubscription },
    errors: ['webhook_subscription_not_found', 'webhook_auth_incomplete'],
  }),
  remove: defineRoute({
    operationId: 'deleteWebhookSubscription',
    summary: 'Delete a webhook subscription with what is still to be sent.',
    group,
    method: 'delete',
    path: '/api/projects/{projectId}/webhooks/subscriptions/{id}',
    auth,
    scope: 'webhooks',
    role: 'admin',
    params: ItemPath,
    success: { status: 200, body: Deleted },
    errors: ['webhook_subscription_not_found'],
  }),
  events: defineRoute({
    operationId: 'listWebhookEvents',
    summary: 'List what was or is to be delivered, newest first.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/webhooks/events',
    auth,
    scope: 'webhooks:read',
    role: 'viewer',
    params: ProjectPath,
    query: z.object({
      status: DeliveryStatus.optional(),
      limit: z.coerce.number().int().min(1).max(pageLimitMax).default(pageLimitDefault),
      offset: z.coerce.number().int().min(0).default(0),
    }),
    success: { status: 200, body: z.array(WebhookEvent) },
    errors: [],
  }),
  event: defineRoute({
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
};
