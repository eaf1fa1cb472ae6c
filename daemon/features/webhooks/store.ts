/** Rows of webhook subscriptions and of the log of deliveries. */
import {
  type DeliveryStatus,
  deliveryStatuses,
  type WebhookEvent,
  type WebhookEventDetail,
} from '../../../src/contract/webhook-events.js';
import {
  disabledReasons,
  payloadFormats,
  type WebhookSubscription,
  webhookAuthTypes,
} from '../../../src/contract/webhooks.js';
import { oneOf } from '../../database/closed-list.js';
import { type Database, type Reader, sqlTime, type Transaction } from '../../database/database.js';
import { projectInReach } from '../../database/in-reach.js';
import { webhookStatements } from './sql.js';

export interface SubscriptionRow {
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly url: string;
  readonly events: string;
  readonly description: string | null;
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly previousSecretUntil: Date | null;
  readonly authType: string;
  readonly authSecret: string | null;
  readonly apiKeyHeader: string | null;
  readonly basicAuthUsername: string | null;
  readonly customHeaders: string | null;
  readonly payloadFormat: string;
  readonly enabled: boolean;
  readonly disabledAt: Date | null;
  readonly disabledReason: string | null;
  readonly failingSince: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface WebhookEventRow {
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly subscriptionId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly payload: string;
  readonly subjectUserId: string | null;
  readonly status: string;
  readonly attemptsCount: number;
  readonly attemptsBefore: number;
  readonly lastError: string | null;
  readonly nextAttemptAt: Date | null;
  /** null: of its own, not of a replay. */
  readonly replayPosition: bigint | null;
  readonly createdAt: Date;
}

/** What a subscription listens to. */
export interface ListenerRow {
  readonly id: string;
  readonly projectId: string;
  /** JSON array of patterns. */
  readonly events: string;
}

/** A delivery that is pending and has not been attempted; due from `createdAt` on. */
export type NewDelivery = Omit<
  WebhookEventRow,
  'status' | 'attemptsCount' | 'attemptsBefore' | 'lastError' | 'nextAttemptAt'
>;

/** What the log of deliveries is searched by. */
export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly subscriptionId?: string | undefined;
  readonly eventId?: string | undefined;
}

export const toSubscription = (row: SubscriptionRow): WebhookSubscription => ({
  id: row.id,
  projectId: row.projectId,
  url: row.url,
  events: JSON.parse(row.events),
  description: row.description,
  authType: oneOf(webhookAuthTypes, row.authType) ?? 'none',
  apiKeyHeader: row.apiKeyHeader,
  basicAuthUsername: row.basicAuthUsername,
  customHeaders: row.customHeaders === null ? null : JSON.parse(row.customHeaders),
  payloadFormat: oneOf(payloadFormats, row.payloadFormat) ?? 'event',
  enabled: row.enabled,
  disabledReason: oneOf(disabledReasons, row.disabledReason),
  failingSince: row.failingSince?.toISOString() ?? null,
  previousSecretUntil: row.previousSecretUntil?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** All of it but the event, which stays the same as long as the delivery. */
export const toDeliveryState = (row: WebhookEventRow): Omit<WebhookEvent, 'payload'> => ({
  id: row.id,
  tenantId: row.tenantId,
  projectId: row.projectId,
  subscriptionId: row.subscriptionId,
  eventId: row.eventId,
  eventType: row.eventType,
  status: oneOf(deliveryStatuses, row.status) ?? 'pending',
  attemptsCount: row.attemptsCount,
  lastError: row.lastError,
  nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
});

export const toWebhookEvent = (row: WebhookEventRow): WebhookEvent => ({
  ...toDeliveryState(row),
  payload: JSON.parse(row.payload),
});

export interface AttemptRow {
  readonly id: string;
  readonly webhookEventId: string;
  readonly attempt: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly responseSnippet: string | null;
}

export const toDetail = (row: WebhookEventRow & { readonly attempts: readonly AttemptRow[] }): WebhookEventDetail => ({
  ...toWebhookEvent(row),
  deliveries: row.attempts.map(({ webhookEventId: _, startedAt, ...attempt }) => ({
    ...attempt,
    startedAt: startedAt.toISOString(),
  })),
});

export type RedactedDelivery = Pick<WebhookEventRow, 'id' | 'projectId' | 'subjectUserId'>;

export class WebhookStore {
  constructor(private readonly database: Database) {}

  insert = (tx: Transaction, row: SubscriptionRow) => tx.webhookSubscription.create({ data: row });

  count = (tx: Transaction, projectId: string) => tx.webhookSubscription.count({ where: { projectId } });

  list = (projectId: string) =>
    this.database.read.webhookSubscription.findMany({ where: { projectId }, orderBy: { id: 'asc' } });

  find = (projectId: string, id: string, reader: Reader | Transaction = this.database.read) =>
    reader.webhookSubscription.findFirst({ where: { projectId, id } });

  update = (tx: Transaction, id: string, fields: Partial<SubscriptionRow>) =>
    tx.webhookSubscription.update({ where: { id }, data: fields });

  remove = (tx: Transaction, id: string) => tx.webhookSubscription.delete({ where: { id } });

  events = (projectId: string, filter: DeliveryFilter, limit: number, offset: number) =>
    this.database.read.webhookEvent.findMany({
      where: { projectId, ...filter },
      orderBy: { id: 'desc' },
      take: limit,
      skip: offset,
    });

  event = (projectId: string, id: string, reader: Reader | Transaction = this.database.read) =>
    reader.webhookEvent.findFirst({
      where: { projectId, id },
      include: { attempts: { orderBy: { attempt: 'asc' } } },
    });

  deliveryOf = (tx: Transaction, subscriptionId: string, eventId: string) =>
    tx.webhookEvent.findUnique({ where: { subscriptionId_eventId: { subscriptionId, eventId } } });

  /** What all subscriptions of the project got of the event. */
  ofEvent = (projectId: string, eventId: string) =>
    this.database.read.webhookEvent.findMany({
      where: { projectId, eventId },
      orderBy: { id: 'asc' },
      include: { attempts: { orderBy: { attempt: 'asc' } } },
    });

  /** Those of the events that the subscription has rows for. */
  deliveriesOf = (tx: Transaction, subscriptionId: string, eventIds: readonly string[]) =>
    tx.webhookEvent.findMany({ where: { subscriptionId, eventId: { in: [...eventIds] } }, orderBy: { id: 'asc' } });

  /** The subscriptions of the projects. */
  listeners = (tx: Transaction, projectIds: readonly string[]) =>
    tx.$queryRawUnsafe<ListenerRow[]>(webhookStatements[this.database.dialect].listeners, JSON.stringify(projectIds));

  async insertDeliveries(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    const rows = deliveries.map((one) => [
      ...[one.id, one.tenantId, one.projectId, one.subscriptionId, one.eventId, one.eventType, one.payload],
      ...[one.subjectUserId, sqlTime(one.createdAt)],
      ...[one.replayPosition === null ? null : Number(one.replayPosition), sqlTime(one.createdAt)],
    ]);
    await tx.$executeRawUnsafe(webhookStatements[this.database.dialect].insertDeliveries, JSON.stringify(rows));
  }

  /** Puts the delivery into the queue again, unless an attempt is on its way. */
  requeue = (tx: Transaction, { id, attemptsCount }: WebhookEventRow, now: Date) =>
    tx.webhookEvent.updateMany({
      where: { id, leaseOwner: null },
      data: {
        status: 'pending',
        attemptsBefore: attemptsCount,
        nextAttemptAt: now,
        replayPosition: null,
        finishedAt: null,
      },
    });

  /** The same for many, to be sent one after the other in the order of the log. */
  requeueInOrder = (tx: Transaction, subscriptionId: string, eventIds: readonly string[], now: Date) =>
    tx.$executeRawUnsafe(
      webhookStatements[this.database.dialect].requeueInOrder,
      sqlTime(now),
      subscriptionId,
      JSON.stringify(eventIds),
    );

  /** Up to `limit` that have waited for a disabled subscription since before `before`; a disabled tenant loses none. */
  heldSince = (tx: Transaction, before: Date, limit: number) =>
    tx.webhookEvent.findMany({
      where: {
        status: 'pending',
        createdAt: { lt: before },
        subscription: { enabled: false, project: projectInReach },
      },
      take: limit,
    });

  giveUp = (tx: Transaction, ids: readonly string[], lastError: string, now: Date) =>
    tx.webhookEvent.updateMany({
      where: { id: { in: [...ids] }, status: 'pending' },
      data: { status: 'failed', lastError, nextAttemptAt: null, leaseOwner: null, finishedAt: now },
    });

  byIds = (tx: Transaction, ids: readonly string[]) => tx.webhookEvent.findMany({ where: { id: { in: [...ids] } } });

  /** Deletes up to `limit` that were finished before `before`, with their attempts; returns how many. */
  prune = (tx: Transaction, before: Date, limit: number) =>
    tx.$executeRawUnsafe(webhookStatements[this.database.dialect].prune, sqlTime(before), limit);

  /** Takes a person's words out of what was, or is still to be, delivered, and out of answers that may repeat them. */
  async redact(
    tx: Transaction,
    projectId: string,
    { id: participantId, externalUserId: subjectUserId }: { id: string; externalUserId: string },
  ): Promise<void> {
    const named = { subjectUserId: null, payload: { contains: participantId } };
    const rows = await tx.webhookEvent.findMany({
      where: { projectId, OR: [{ subjectUserId }, named] },
      select: { id: true, payload: true },
    });
    for (const row of rows) await this.redactOne(tx, row);
  }

  /** Takes what these events told out of their deliveries and of the answers to them; returns the deliveries as they were. */
  async redactEvents(tx: Transaction, eventIds: readonly string[]): Promise<RedactedDelivery[]> {
    const rows = await tx.webhookEvent.findMany({
      where: { eventId: { in: [...eventIds] } },
      select: { id: true, projectId: true, payload: true, subjectUserId: true },
    });
    for (const row of rows) await this.redactOne(tx, row);
    return rows;
  }

  private async redactOne(tx: Transaction, { id, payload }: { id: string; payload: string }): Promise<void> {
    const event = JSON.parse(payload);
    const resourceId = String(event.resourceId);
    const data = { id: resourceId.slice(resourceId.indexOf(':') + 1), redacted: true };
    const redacted = JSON.stringify({ ...event, payload: { action: event.payload.action, data } });
    await tx.webhookAttempt.updateMany({ where: { webhookEventId: id }, data: { responseSnippet: null } });
    await tx.webhookEvent.update({ where: { id }, data: { payload: redacted, subjectUserId: null } });
  }
}
