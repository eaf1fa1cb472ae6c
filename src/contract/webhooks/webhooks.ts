/** Webhook subscriptions: where events are sent, and how. */
import { z } from 'zod';
import {
  CalledUrl,
  Deleted,
  EventIdOrTime,
  ItemPath,
  ProjectPath,
  QueryFlag,
  searchQuery,
  Timestamp,
} from '../common.js';
import { defineRoute } from '../route.js';
import { WebhookEvent } from './webhook-events.js';

export const webhookAuthTypes = ['none', 'api_key', 'basic_auth', 'custom_headers'] as const;
export const WebhookAuthType = z.enum(webhookAuthTypes);
export const payloadFormats = ['event', 'bare', 'chat', 'slack', 'discord'] as const;
export const PayloadFormat = z.enum(payloadFormats);
export type PayloadFormat = z.infer<typeof PayloadFormat>;
export const disabledReasons = ['requested', 'gone', 'failing'] as const;

/** Subscriptions of one project: each event may be sent to all of them. */
export const subscriptionsMax = 100;

export const WebhookSubscription = z
  .object({
    id: z.string(),
    projectId: z.string(),
    url: z.string().describe('Whole for those who may change it; for others its host and last characters'),
    events: z.array(z.string()),
    description: z.string().nullable(),
    authType: WebhookAuthType,
    apiKeyHeader: z.string().nullable(),
    basicAuthUsername: z.string().nullable(),
    customHeaders: z.array(z.string()).nullable().describe('Names only'),
    payloadFormat: PayloadFormat,
    enabled: z.boolean(),
    disabledReason: z
      .enum(disabledReasons)
      .nullable()
      .describe('gone: the receiver answered 410; failing: deliveries have failed for 5 days'),
    failingSince: Timestamp.nullable().describe('No delivery has succeeded since'),
    previousSecretUntil: Timestamp.nullable().describe('Until then deliveries are signed by the previous secret too'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'WebhookSubscription' });
export type WebhookSubscription = z.infer<typeof WebhookSubscription>;

const reservedHeaders =
  /^(host|content-length|content-type|connection|transfer-encoding|x-timestamp|x-signature|x-signature-previous|webhook-.*)$/i;
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
  .regex(/^(\*|[a-z][a-z0-9_-]*(\.[a-z][a-z0-9_-]*)*(\.\*)?)$/, 'write an event type, or a domain followed by .*');

/** Base64 of eight bytes or more behind `whsec_`, as Standard Webhooks have it. Other secrets are taken as they are. */
const standardSecret = /^whsec_(?=.{12})(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const isSigningKey = (secret: string): boolean => !secret.startsWith('whsec_') || standardSecret.test(secret);

const subscriptionFields = {
  url: CalledUrl().describe('Address that events are sent to'),
  secret: z
    .string()
    .min(8)
    .max(200)
    .refine(isSigningKey, 'write whsec_ followed by base64 of eight bytes or more')
    .describe('Signing key'),
  events: z.array(Pattern).min(1).max(50).describe('Event types: exact, domain.* or *'),
  ingested: z.boolean().optional().describe('Accept event types that only platform services publish'),
  description: z.string().max(500).nullish().describe('For people: what it is for'),
  authType: WebhookAuthType.default('none').describe('How deliveries authenticate themselves'),
  apiKey: HeaderValue.optional(),
  apiKeyHeader: HeaderName.optional().describe('Default: X-API-Key'),
  basicAuthUsername: z.string().max(200).optional().describe('User name for basic authentication'),
  basicAuthPassword: z.string().max(200).optional(),
  customHeaders: z
    .record(HeaderName, HeaderValue)
    .optional()
    .refine((h) => !h || Object.keys(h).length <= 20, 'up to 20 headers'),
  payloadFormat: PayloadFormat.default('event').describe(
    'event: the envelope; bare: its data; chat: a line of text for Slack and Discord; slack, discord: their own message form',
  ),
};

export const CreateWebhookSubscriptionRequest = z
  .object(subscriptionFields)
  .meta({ id: 'CreateWebhookSubscriptionRequest' });
export type CreateWebhookSubscriptionRequest = z.infer<typeof CreateWebhookSubscriptionRequest>;

export const UpdateWebhookSubscriptionRequest = z
  .object({
    ...subscriptionFields,
    authType: WebhookAuthType.describe('How deliveries authenticate themselves'),
    payloadFormat: PayloadFormat.describe('Form of the body'),
  })
  .partial()
  .extend({ enabled: z.boolean().optional().describe('Whether it delivers') })
  .meta({ id: 'UpdateWebhookSubscriptionRequest' });
export type UpdateWebhookSubscriptionRequest = z.infer<typeof UpdateWebhookSubscriptionRequest>;

export const WebhookListQuery = z.object({
  search: searchQuery('the address or the description'),
  enabled: QueryFlag.optional().describe('Only enabled ones, or only disabled ones'),
  failing: QueryFlag.optional().describe('Only subscriptions whose deliveries fail now, or only the others'),
});
export type WebhookListQuery = z.infer<typeof WebhookListQuery>;

const graceSecondsDefault = 86_400;
const graceSecondsMax = 7 * 86_400;

/** Rotates the signing secret. During the grace period deliveries carry both signatures. */
export const RotateWebhookSecretRequest = z
  .object({
    secret: subscriptionFields.secret.describe('The new signing key'),
    graceSeconds: z
      .int()
      .min(0)
      .max(graceSecondsMax)
      .default(graceSecondsDefault)
      .meta({ unit: 'seconds' })
      .describe('How long the previous key also signs'),
  })
  .meta({ id: 'RotateWebhookSecretRequest' });
export type RotateWebhookSecretRequest = z.infer<typeof RotateWebhookSecretRequest>;

/** Queues stored events again. Answers with what was queued and where to continue. */
export const ReplayWebhookEventsRequest = z
  .object({
    since: EventIdOrTime.optional().describe(
      'Send events after this event id or time; required unless `failed` is set',
    ),
    until: EventIdOrTime.optional().describe('Send events up to and including this event id or time; default: now'),
    failed: z
      .boolean()
      .default(false)
      .describe(
        'Only failed deliveries: given up, set aside, or waiting for their next attempt. All at once, in no order',
      ),
  })
  .refine(({ since, failed }) => failed || since !== undefined, {
    path: ['since'],
    message: 'is needed without failed',
  })
  .meta({ id: 'ReplayWebhookEventsRequest' });
export type ReplayWebhookEventsRequest = z.input<typeof ReplayWebhookEventsRequest>;

export const WebhookReplay = z
  .object({
    queued: z.int().describe('Number of events that are sent again'),
    lastEventId: z.string().nullable().describe('The last event that was examined'),
    complete: z.boolean().describe('false: there is more; ask again with since = lastEventId'),
  })
  .meta({ id: 'WebhookReplay' });
export type WebhookReplay = z.infer<typeof WebhookReplay>;

const group = 'Webhooks';
const auth = ['apiKey', 'bearer'] as const;

export const webhookRoutes = {
  create: defineRoute({
    operationId: 'createWebhookSubscription',
    summary: `Send events to an address; a project has at most ${subscriptionsMax} subscriptions.`,
    group,
    method: 'post',
    path: '/api/projects/{projectId}/webhooks/subscriptions',
    auth,
    scope: 'webhooks',
    role: 'admin',
    params: ProjectPath,
    body: CreateWebhookSubscriptionRequest,
    success: { status: 201, body: WebhookSubscription },
    errors: ['webhook_auth_incomplete', 'webhook_subscription_limit'],
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
    query: WebhookListQuery,
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
    summary: 'Change a subscription; a URL on another server needs the secrets again.',
    group,
    method: 'put',
    path: '/api/projects/{projectId}/webhooks/subscriptions/{id}',
    auth,
    scope: 'webhooks',
    role: 'admin',
    params: ItemPath,
    body: UpdateWebhookSubscriptionRequest,
    success: { status: 200, body: WebhookSubscription },
    errors: ['webhook_subscription_not_found', 'webhook_auth_incomplete', 'secret_needed_again'],
  }),
  remove: defineRoute({
    operationId: 'deleteWebhookSubscription',
    summary: 'Delete a webhook subscription with its pending deliveries.',
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
  rotateSecret: defineRoute({
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate the signing key; for a time, deliveries carry the signatures of both.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/webhooks/subscriptions/{id}/rotate-secret',
    auth,
    scope: 'webhooks',
    role: 'admin',
    params: ItemPath,
    body: RotateWebhookSecretRequest,
    success: { status: 200, body: WebhookSubscription },
    errors: ['webhook_subscription_not_found'],
  }),
  test: defineRoute({
    operationId: 'testWebhookSubscription',
    summary: 'Send a `webhook.test` event to the subscription, like any other event.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/webhooks/subscriptions/{id}/test',
    auth,
    scope: 'webhooks',
    role: 'admin',
    params: ItemPath,
    success: { status: 201, body: WebhookEvent },
    errors: ['webhook_subscription_not_found', 'webhook_subscription_disabled'],
  }),
  replay: defineRoute({
    operationId: 'replayWebhookEvents',
    summary: 'Send a range of the event log to a subscription again, or only what failed.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/webhooks/subscriptions/{id}/replay',
    auth,
    scope: 'webhooks',
    role: 'admin',
    params: ItemPath,
    body: ReplayWebhookEventsRequest,
    success: { status: 200, body: WebhookReplay },
    errors: ['webhook_subscription_not_found', 'replay_range_invalid'],
  }),
};
