/** Webhook subscriptions and their log (contract, section 4). The secrets are sealed and never answered. */
import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import { DomainError } from '../../../src/contract/errors.js';
import type {
  CreateWebhookSubscriptionRequest,
  DeliveryStatus,
  UpdateWebhookSubscriptionRequest,
  WebhookEvent,
  WebhookEventDetail,
  WebhookSubscription,
} from '../../../src/contract/webhooks.js';
import type { Clock } from '../../clock.js';
import type { Database, Transaction } from '../../database/database.js';
import type { ProjectGrant } from '../../http/caller.js';
import type { SecretBox } from '../../secrets/secret-box.js';
import { type SubscriptionRow, toSubscription, toWebhookEvent, type WebhookStore } from './store.js';

/** What the delivery authenticates itself with; sealed as one. */
const AuthSecret = z.object({
  apiKey: z.string().optional(),
  basicAuthPassword: z.string().optional(),
  customHeaders: z.record(z.string(), z.string()).optional(),
});
type AuthSecret = z.infer<typeof AuthSecret>;

const context = (id: string, field: 'secret' | 'auth'): string => `webhook:${id}:${field}`;
const apiKeyHeaderDefault = 'X-API-Key';

/** A subscription as a delivery needs it. */
export interface OpenSubscription {
  readonly url: string;
  readonly secret: string;
  readonly bare: boolean;
  /** Headers that authenticate the delivery. */
  readonly headers: Readonly<Record<string, string>>;
}

export class WebhookService {
  constructor(
    private readonly database: Database,
    private readonly webhooks: WebhookStore,
    private readonly box: SecretBox,
    private readonly now: Clock,
  ) {}

  /** Throws webhook_auth_incomplete. */
  async create(
    { tenantId, projectId }: ProjectGrant,
    request: CreateWebhookSubscriptionRequest,
  ): Promise<WebhookSubscription> {
    const id = uuidv7();
    const createdAt = this.now();
    const base = {
      id,
      tenantId,
      projectId,
      secret: this.box.seal(request.secret, context(id, 'secret')),
      url: request.url,
      events: JSON.stringify([...new Set(request.events)]),
      description: request.description ?? null,
      payloadFormat: request.payloadFormat,
      enabled: true,
      disabledAt: null,
      failingSince: null,
      createdAt,
      updatedAt: createdAt,
    };
    const row = { ...base, ...this.authFields(id, request.authType, request, {}) };
    return toSubscription(await this.database.transaction((tx) => this.webhooks.insert(tx, row)));
  }

  async list(projectId: string): Promise<WebhookSubscription[]> {
    return (await this.webhooks.list(projectId)).map(toSubscription);
  }

  /** Throws webhook_subscription_not_found. */
  async get(projectId: string, id: string): Promise<WebhookSubscription> {
    return toSubscription(await this.existing(projectId, id));
  }

  /** Changes what is sent. Throws webhook_subscription_not_found, webhook_auth_incomplete. */
  async update(projectId: string, id: string, request: UpdateWebhookSubscriptionRequest): Promise<WebhookSubscription> {
    return this.database.transaction(async (tx) => {
      const before = await this.existing(projectId, id, tx);
      return toSubscription(await this.webhooks.update(tx, id, this.changed(before, request)));
    });
  }

  private changed(before: SubscriptionRow, request: UpdateWebhookSubscriptionRequest): Partial<SubscriptionRow> {
    const { id } = before;
    const authType = request.authType ?? toSubscription(before).authType;
    const stored = before.authType === authType ? this.authSecret(before) : {};
    const auth = this.authFields(
      id,
      authType,
      {
        apiKeyHeader: before.apiKeyHeader ?? undefined,
        basicAuthUsername: before.basicAuthUsername ?? undefined,
        ...request,
      },
      stored,
    );
    return {
      ...auth,
      ...(request.url === undefined ? {} : { url: request.url }),
      ...(request.secret === undefined ? {} : { secret: this.box.seal(request.secret, context(id, 'secret')) }),
      ...(request.events === undefined ? {} : { events: JSON.stringify([...new Set(request.events)]) }),
      ...(request.description === undefined ? {} : { description: request.description }),
      ...(request.payloadFormat === undefined ? {} : { payloadFormat: request.payloadFormat }),
      ...(request.enabled === undefined
        ? {}
        : { enabled: request.enabled, disabledAt: request.enabled ? null : this.now(), failingSince: null }),
      updatedAt: this.now(),
    };
  }

  /** Throws webhook_subscription_not_found. */
  async remove(projectId: string, id: string): Promise<{ id: string; deleted: true }> {
    return this.database.transaction(async (tx) => {
      await this.existing(projectId, id, tx);
      await this.webhooks.remove(tx, id);
      return { id, deleted: true };
    });
  }

  async events(
    projectId: string,
    status: DeliveryStatus | undefined,
    limit: number,
    offset: number,
  ): Promise<WebhookEvent[]> {
    return (await this.webhooks.events(projectId, status, limit, offset)).map(toWebhookEvent);
  }

  /** Throws webhook_event_not_found. */
  async event(projectId: string, id: string): Promise<WebhookEventDetail> {
    const row = await this.webhooks.event(projectId, id);
    if (row === null) throw new DomainError('webhook_event_not_found');
    const deliveries = row.attempts.map(({ webhookEventId: _, startedAt, ...attempt }) => ({
      ...attempt,
      startedAt: startedAt.toISOString(),
    }));
    return { ...toWebhookEvent(row), deliveries };
  }

  /** Secrets opened, for a delivery. */
  open(row: SubscriptionRow): OpenSubscription {
    const auth = this.authSecret(row);
    const basic = Buffer.from(`${row.basicAuthUsername ?? ''}:${auth.basicAuthPassword ?? ''}`).toString('base64');
    const headers: Record<string, Record<string, string>> = {
      api_key: { [row.apiKeyHeader ?? apiKeyHeaderDefault]: auth.apiKey ?? '' },
      basic_auth: { Authorization: `Basic ${basic}` },
      custom_headers: auth.customHeaders ?? {},
    };
    return {
      url: row.url,
      secret: this.box.open(row.secret, context(row.id, 'secret')),
      bare: row.payloadFormat === 'bare',
      headers: headers[row.authType] ?? {},
    };
  }

  private authSecret(row: SubscriptionRow): AuthSecret {
    return row.authSecret === null
      ? {}
      : AuthSecret.parse(JSON.parse(this.box.open(row.authSecret, context(row.id, 'auth'))));
  }

  /** Columns of the authentication; what is not sent is kept from `stored`. Throws webhook_auth_incomplete. */
  private authFields(
    id: string,
    authType: WebhookSubscription['authType'],
    sent: AuthSecret & { apiKeyHeader?: string | undefined; basicAuthUsername?: string | undefined },
    stored: AuthSecret,
  ) {
    const none = { authType, authSecret: null, apiKeyHeader: null, basicAuthUsername: null, customHeaders: null };
    const seal = (secret: AuthSecret) => this.box.seal(JSON.stringify(secret), context(id, 'auth'));
    if (authType === 'none') return none;
    if (authType === 'api_key') {
      const apiKey = sent.apiKey ?? stored.apiKey;
      if (apiKey === undefined) throw new DomainError('webhook_auth_incomplete');
      return { ...none, authSecret: seal({ apiKey }), apiKeyHeader: sent.apiKeyHeader ?? apiKeyHeaderDefault };
    }
    if (authType === 'basic_auth') {
      const basicAuthPassword = sent.basicAuthPassword ?? stored.basicAuthPassword;
      if (basicAuthPassword === undefined || sent.basicAuthUsername === undefined)
        throw new DomainError('webhook_auth_incomplete');
      return { ...none, authSecret: seal({ basicAuthPassword }), basicAuthUsername: sent.basicAuthUsername };
    }
    const customHeaders = sent.customHeaders ?? stored.customHeaders;
    if (customHeaders === undefined || Object.keys(customHeaders).length === 0)
      throw new DomainError('webhook_auth_incomplete');
    return { ...none, authSecret: seal({ customHeaders }), customHeaders: JSON.stringify(Object.keys(customHeaders)) };
  }

  private async existing(projectId: string, id: string, tx?: Transaction): Promise<SubscriptionRow> {
    const row = await this.webhooks.find(projectId, id, tx);
    if (row === null) throw new DomainError('webhook_subscription_not_found');
    return row;
  }
}
