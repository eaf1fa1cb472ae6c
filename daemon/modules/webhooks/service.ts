/** Webhook subscriptions. Their secrets are encrypted and never part of an answer. */

import { DomainError } from '../../../src/contract/errors.js';
import type { WebhookEvent } from '../../../src/contract/webhooks/webhook-events.js';
import {
  type CreateWebhookSubscriptionRequest,
  type PayloadFormat,
  type RotateWebhookSecretRequest,
  subscriptionsMax,
  type UpdateWebhookSubscriptionRequest,
  type WebhookListQuery,
  type WebhookSubscription,
} from '../../../src/contract/webhooks/webhooks.js';
import { isPartOf } from '../../../src/text/fold.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import type { ProjectGrant } from '../../platform/http/caller.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import { leadsElsewhere } from '../../platform/secrets/origin.js';
import type { SecretBox } from '../../platform/secrets/secret-box.js';
import type { Clock } from '../../platform/time/clock.js';
import { authColumns, authHeaders, bringsCredential, openAuth } from './auth.js';
import { toWebhookEvent } from './delivery-rows.js';
import type { DeliveryStore } from './delivery-store.js';
import { refuseUnheard } from './event-patterns.js';
import {
  type SubscriptionRow,
  type SubscriptionStore,
  type SubscriptionValues,
  toSubscription,
  withoutAddress,
} from './subscription-store.js';

/** Deliveries that are deleted in one transaction. */
const removedAtOnce = 500;
/** Deliveries whose schedules begin anew in one transaction. */
const restartedAtOnce = 1_000;

const secretContext = (id: string): string => `webhook:${id}:secret`;

/** A subscription as a delivery needs it. */
export interface OpenSubscription {
  readonly url: string;
  readonly secret: string;
  /** Also signs until `previousSecretUntil`. */
  readonly previousSecret: string | null;
  readonly previousSecretUntil: Date | null;
  readonly payloadFormat: PayloadFormat;
  /** Headers that authenticate the delivery. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface WebhookReader {
  /** True if they may change subscriptions. */
  readonly admin: boolean;
}

const shownTo = ({ admin }: WebhookReader, row: SubscriptionRow): WebhookSubscription =>
  admin ? toSubscription(row) : withoutAddress(toSubscription(row));

interface WebhookServiceNeeds {
  readonly database: Database;
  readonly log: EventLog;
  readonly subscriptions: SubscriptionStore;
  readonly deliveries: DeliveryStore;
  /** Wakes who delivers, after the commit. */
  readonly wake: (tx: Transaction) => void;
  readonly box: SecretBox;
  readonly now: Clock;
}

export class WebhookService {
  constructor(private readonly needs: WebhookServiceNeeds) {}

  /** Throws validation_failed for events that do not exist, webhook_auth_incomplete, webhook_subscription_limit. */
  async create(
    { tenantId, projectId }: ProjectGrant,
    request: CreateWebhookSubscriptionRequest,
  ): Promise<WebhookSubscription> {
    refuseUnheard(request.events, request.ingested);
    const id = uuidv7();
    const createdAt = this.needs.now();
    const row: SubscriptionValues = {
      id,
      tenantId,
      projectId,
      secret: this.seal(id, request.secret),
      previousSecret: null,
      previousSecretUntil: null,
      url: request.url,
      events: [...new Set(request.events)],
      description: request.description ?? null,
      payloadFormat: request.payloadFormat,
      enabled: true,
      disabledAt: null,
      disabledReason: null,
      failingSince: null,
      createdAt,
      updatedAt: createdAt,
      ...authColumns(this.needs.box, id, request.authType, request, {}),
    };
    return this.needs.database.transaction(async (tx) => {
      await this.needs.database.takeTurn(tx, `webhook-subscriptions ${projectId}`);
      if ((await this.needs.subscriptions.count(tx, projectId)) >= subscriptionsMax)
        throw new DomainError('webhook_subscription_limit');
      return toSubscription(await this.needs.subscriptions.insert(tx, row));
    });
  }

  /** Addresses are for those who may change them: others get, and search, what `withoutAddress` leaves. */
  async list(
    projectId: string,
    { search, enabled, failing }: WebhookListQuery,
    reader: WebhookReader,
  ): Promise<WebhookSubscription[]> {
    return (await this.needs.subscriptions.list(projectId))
      .map((row) => shownTo(reader, row))
      .filter(({ url, description }) => isPartOf(search, `${url}\n${description ?? ''}`))
      .filter((one) => enabled === undefined || one.enabled === enabled)
      .filter(({ failingSince }) => failing === undefined || (failingSince !== null) === failing);
  }

  /** Throws webhook_subscription_not_found. */
  async get(projectId: string, id: string, reader: WebhookReader): Promise<WebhookSubscription> {
    return shownTo(reader, await this.existing(projectId, id));
  }

  /**
   * Changes the fields that are sent. Where the subscription is enabled or gets another address, what waits for its next
   * attempt is due at once, with a new schedule. Throws webhook_subscription_not_found, validation_failed for added events that do
   * not exist, webhook_auth_incomplete, secret_needed_again.
   */
  async update(projectId: string, id: string, request: UpdateWebhookSubscriptionRequest): Promise<WebhookSubscription> {
    const beginsAnew = (before: SubscriptionRow, { enabled, url = before.url }: Partial<SubscriptionValues>) =>
      (enabled === true && !before.enabled) || url !== before.url;
    const restartSome = (tx: Transaction) =>
      this.needs.deliveries.restartSome(tx, id, this.needs.now(), restartedAtOnce);
    const known = await this.existing(projectId, id);
    // In batches, before it is enabled: no transaction blocks others for long, and a crash leaves no old schedule behind.
    if (beginsAnew(known, this.changed(known, request)))
      while ((await this.needs.database.transaction(restartSome)) === restartedAtOnce);
    return this.needs.database.transaction(async (tx) => {
      const before = await this.locked(tx, projectId, id);
      const fields = this.changed(before, request);
      if (beginsAnew(before, fields)) {
        while ((await restartSome(tx)) === restartedAtOnce); // what failed in the meantime
        this.needs.wake(tx);
      }
      return toSubscription(await this.needs.subscriptions.update(tx, id, fields));
    });
  }

  private changed(before: SubscriptionRow, request: UpdateWebhookSubscriptionRequest): Partial<SubscriptionValues> {
    const { id } = before;
    const authType = request.authType ?? toSubscription(before).authType;
    const isComplete = request.secret !== undefined && bringsCredential(authType, request);
    if (!isComplete && leadsElsewhere(before.url, request.url ?? before.url))
      throw new DomainError('secret_needed_again');
    const stored = before.authType === authType ? openAuth(this.needs.box, before) : {};
    const sent = {
      apiKeyHeader: before.apiKeyHeader ?? undefined,
      basicAuthUsername: before.basicAuthUsername ?? undefined,
      ...request,
    };
    const { url, secret, events, ingested, description, payloadFormat, enabled } = request;
    const added = (events ?? []).filter((pattern) => !toSubscription(before).events.includes(pattern));
    refuseUnheard(added, ingested);
    const updatedAt = this.needs.now();
    const turned = enabled === undefined || enabled === before.enabled ? null : enabled;
    return {
      ...authColumns(this.needs.box, id, authType, sent, stored),
      ...(url === undefined ? {} : { url }),
      ...(url === undefined || url === before.url ? {} : { failingSince: null }),
      ...(secret === undefined
        ? {}
        : { secret: this.seal(id, secret), previousSecret: null, previousSecretUntil: null }),
      ...(events === undefined ? {} : { events: [...new Set(events)] }),
      ...(description === undefined ? {} : { description }),
      ...(payloadFormat === undefined ? {} : { payloadFormat }),
      ...(turned === true ? { enabled: true, disabledAt: null, disabledReason: null, failingSince: null } : {}),
      ...(turned === false ? { enabled: false, disabledAt: updatedAt, disabledReason: 'requested' } : {}),
      updatedAt,
    };
  }

  /**
   * From now on deliveries carry two signatures, until the grace period is over. A second rotation within it retires
   * the oldest secret at once. Throws webhook_subscription_not_found.
   */
  async rotateSecret(
    projectId: string,
    id: string,
    { secret, graceSeconds }: RotateWebhookSecretRequest,
  ): Promise<WebhookSubscription> {
    return this.needs.database.transaction(async (tx) => {
      const before = await this.locked(tx, projectId, id);
      const updatedAt = this.needs.now();
      const row = await this.needs.subscriptions.update(tx, id, {
        secret: this.seal(id, secret),
        previousSecret: before.secret,
        previousSecretUntil: new Date(updatedAt.getTime() + graceSeconds * 1_000),
        updatedAt,
      });
      return toSubscription(row);
    });
  }

  /** With its deliveries, in batches: no transaction blocks others for long. Throws webhook_subscription_not_found. */
  async remove(projectId: string, id: string): Promise<{ id: string; deleted: true }> {
    await this.existing(projectId, id);
    const removeSome = (tx: Transaction) => this.needs.deliveries.removeOfSubscription(tx, id, removedAtOnce);
    while ((await this.needs.database.transaction(removeSome)) === removedAtOnce);
    return this.needs.database.transaction(async (tx) => {
      await this.locked(tx, projectId, id);
      while ((await removeSome(tx)) === removedAtOnce); // what was queued in the meantime
      await this.needs.subscriptions.remove(tx, id);
      return { id, deleted: true };
    });
  }

  /**
   * Announces an event that goes to this subscription whatever its event types, and answers with its delivery. Throws
   * webhook_subscription_not_found, webhook_subscription_disabled.
   */
  async test({ projectId, tenantId }: ProjectGrant, id: string): Promise<WebhookEvent> {
    return this.needs.database.transaction(async (tx) => {
      const { enabled } = await this.existing(projectId, id, tx);
      if (!enabled) throw new DomainError('webhook_subscription_disabled');
      const [event] = await this.needs.log.append(tx, {
        type: 'webhook.test',
        tenantId,
        projectId,
        resourceId: `webhook-subscription:${id}`,
        action: 'occurred',
        data: { id, message: 'Earshot reaches you.' },
      });
      await this.needs.log.store(tx); // with its delivery
      const delivery = await this.needs.deliveries.deliveryOf(tx, id, event?.id ?? '');
      if (delivery === null) throw new Error('The outbox has no row for a test event.');
      return toWebhookEvent(delivery);
    });
  }

  /** With secrets decrypted, for a delivery. */
  open(row: SubscriptionRow): OpenSubscription {
    const { id, url, secret, previousSecret, previousSecretUntil } = row;
    return {
      url,
      secret: this.needs.box.open(secret, secretContext(id)),
      previousSecret: previousSecret === null ? null : this.needs.box.open(previousSecret, secretContext(id)),
      previousSecretUntil,
      payloadFormat: toSubscription(row).payloadFormat,
      headers: authHeaders(this.needs.box, row),
    };
  }

  private seal(id: string, secret: string): string {
    return this.needs.box.seal(secret, secretContext(id));
  }

  private async locked(tx: Transaction, projectId: string, id: string): Promise<SubscriptionRow> {
    const row = await this.needs.subscriptions.lock(tx, projectId, id);
    if (row === null) throw new DomainError('webhook_subscription_not_found');
    return row;
  }

  private async existing(projectId: string, id: string, tx?: Transaction): Promise<SubscriptionRow> {
    const row = await this.needs.subscriptions.find(projectId, id, tx);
    if (row === null) throw new DomainError('webhook_subscription_not_found');
    return row;
  }
}
