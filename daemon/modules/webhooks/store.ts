/** Rows of webhook subscriptions and of the log of deliveries. */
import {
  type DeliveryStatus,
  deliveryStatuses,
  type WebhookEvent,
  type WebhookEventDetail,
} from '../../../src/contract/webhooks/webhook-events.js';
import {
  disabledReasons,
  payloadFormats,
  type WebhookSubscription,
  webhookAuthTypes,
} from '../../../src/contract/webhooks/webhooks.js';
import { oneOf } from '../../platform/database/closed-list.js';
import { type Database, type Reader, sqlTime, type Transaction } from '../../platform/database/database.js';
import { projectInReach } from '../../platform/database/in-reach.js';
import { rowsAtOnce, someIds, withIds } from '../../platform/database/removal.js';
import type { LoggedEvent } from '../../platform/events/log.js';
import { type NamedPerson, names, redactedPayload, resourceWithout } from '../../platform/events/redaction.js';
import { deliveryRows, payloadRows, webhookStatements } from './sql.js';

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
  readonly status: string;
  readonly attemptsCount: number;
  readonly attemptsBefore: number;
  readonly lastError: string | null;
  readonly nextAttemptAt: Date | null;
  /** null: of the event itself, not of a replay. */
  readonly replayPosition: bigint | null;
  readonly createdAt: Date;
}

/** The payload of an event, shared by all of its subscriptions. */
export interface Content {
  /** JSON envelope. */
  readonly payload: string;
  /** External user id of the person whom the event is about. */
  readonly subjectUserId: string | null;
  /** When a person's data was removed from it. */
  readonly redactedAt: Date | null;
}

export interface NewPayload extends Omit<Content, 'redactedAt'> {
  readonly eventId: string;
  readonly projectId: string;
}

export const payloadOf = ({ event, subjectUserId }: LoggedEvent, projectId: string): NewPayload => ({
  eventId: event.id,
  projectId,
  payload: JSON.stringify(event),
  subjectUserId,
});

/** The event types of a subscription. */
export interface ListenerRow {
  readonly id: string;
  readonly projectId: string;
  /** JSON array of patterns. */
  readonly events: string;
}

/** A pending delivery that has not been attempted; due from `createdAt` on. */
export type NewDelivery = Omit<
  WebhookEventRow,
  'status' | 'attemptsCount' | 'attemptsBefore' | 'lastError' | 'nextAttemptAt'
>;

/** The filters of the log of deliveries. */
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

/** All of it except the payload, which the deliveries of an event share. */
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

export const toWebhookEvent = (row: WebhookEventRow & { readonly content: Content }): WebhookEvent => ({
  ...toDeliveryState(row),
  payload: JSON.parse(row.content.payload),
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

export const toDetail = (
  row: WebhookEventRow & { readonly content: Content; readonly attempts: readonly AttemptRow[] },
): WebhookEventDetail => ({
  ...toWebhookEvent(row),
  deliveries: row.attempts.map(({ webhookEventId: _, startedAt, ...attempt }) => ({
    ...attempt,
    startedAt: startedAt.toISOString(),
  })),
});

export type RedactedDelivery = Pick<WebhookEventRow, 'id' | 'projectId'> & Pick<Content, 'subjectUserId'>;

const aboutWhom = { subjectUserId: true } as const;

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
      include: { content: true },
      orderBy: { id: 'desc' },
      take: limit,
      skip: offset,
    });

  event = (projectId: string, id: string, reader: Reader | Transaction = this.database.read) =>
    reader.webhookEvent.findFirst({
      where: { projectId, id },
      include: { content: true, attempts: { orderBy: { attempt: 'asc' } } },
    });

  deliveryOf = (tx: Transaction, subscriptionId: string, eventId: string) =>
    tx.webhookEvent.findUnique({
      where: { subscriptionId_eventId: { subscriptionId, eventId } },
      include: { content: true },
    });

  /** The deliveries of the event to all subscriptions of the project. */
  ofEvent = (projectId: string, eventId: string) =>
    this.database.read.webhookEvent.findMany({
      where: { projectId, eventId },
      orderBy: { id: 'asc' },
      include: { content: true, attempts: { orderBy: { attempt: 'asc' } } },
    });

  /** Those of the events for which the subscription has rows. */
  deliveriesOf = (tx: Transaction, subscriptionId: string, eventIds: readonly string[]) =>
    tx.webhookEvent.findMany({
      where: { subscriptionId, eventId: { in: [...eventIds] } },
      orderBy: { id: 'asc' },
      include: { content: { select: aboutWhom } },
    });

  /** The subscriptions of the projects. */
  listeners = (tx: Transaction, projectIds: readonly string[]) =>
    tx.$queryRawUnsafe<ListenerRow[]>(webhookStatements[this.database.dialect].listeners, JSON.stringify(projectIds));

  /** Each event's payload once, next to its deliveries. */
  async insertDeliveries(
    tx: Transaction,
    payloads: readonly NewPayload[],
    deliveries: readonly NewDelivery[],
  ): Promise<void> {
    if (deliveries.length === 0) return;
    const sql = webhookStatements[this.database.dialect];
    await tx.$executeRawUnsafe(sql.insertPayloads, payloadRows.text(payloads));
    const unsent = { status: 'pending', attemptsCount: 0, attemptsBefore: 0 };
    const rows = deliveries.map((one) => ({ ...one, ...unsent, nextAttemptAt: one.createdAt }));
    await tx.$executeRawUnsafe(sql.insertDeliveries, deliveryRows.text(rows));
  }

  /** Puts the delivery into the queue again, unless an attempt is in progress. */
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

  /**
   * Up to `limit` that have waited for a disabled subscription since before `before`; deliveries of a disabled tenant
   * are kept.
   */
  heldSince = (tx: Transaction, before: Date, limit: number) =>
    tx.webhookEvent.findMany({
      where: {
        status: 'pending',
        createdAt: { lt: before },
        subscription: { enabled: false, project: projectInReach },
      },
      take: limit,
      include: { content: { select: aboutWhom } },
    });

  giveUp = (tx: Transaction, ids: readonly string[], lastError: string, now: Date) =>
    tx.webhookEvent.updateMany({
      where: { id: { in: [...ids] }, status: 'pending' },
      data: { status: 'failed', lastError, nextAttemptAt: null, leaseOwner: null, finishedAt: now },
    });

  byIds = (tx: Transaction, ids: readonly string[]) =>
    tx.webhookEvent.findMany({ where: { id: { in: [...ids] } }, include: { content: { select: aboutWhom } } });

  /** Deletes up to `limit` that were finished before `before`, with their attempts; returns how many. */
  prune = (tx: Transaction, before: Date, limit: number) => this.forget(tx, { finishedAt: { lt: before } }, limit);

  /** Deletes up to `limit` deliveries of the subscription, with their attempts; returns how many. */
  forgetDeliveries = (tx: Transaction, subscriptionId: string, limit: number) =>
    this.forget(tx, { subscriptionId }, limit);

  private async forget(
    tx: Transaction,
    where: { readonly finishedAt: { readonly lt: Date } } | { readonly subscriptionId: string },
    limit: number,
  ): Promise<number> {
    const sql = webhookStatements[this.database.dialect];
    const found = await tx.webhookEvent.findMany({ where, select: { id: true }, take: limit });
    const ids = JSON.stringify(found.map(({ id }) => id));
    const deleted = await tx.$queryRawUnsafe<{ eventId: string }[]>(sql.deleteDeliveries, ids);
    const eventIds = [...new Set(deleted.map(({ eventId }) => eventId))];
    await tx.$executeRawUnsafe(sql.deleteUnsent, JSON.stringify(eventIds));
    return deleted.length;
  }

  /** Removes a person's data from delivered and pending payloads, and from answers that may repeat it. */
  async redact(tx: Transaction, projectId: string, person: NamedPerson, redactedAt: Date): Promise<void> {
    type Row = Content & { readonly eventId: string };
    const { id: participantId, externalUserId } = person;
    const texts = [participantId, JSON.stringify(externalUserId).slice(1)];
    const { naming } = webhookStatements[this.database.dialect];
    for (const row of await tx.$queryRawUnsafe<Row[]>(naming, projectId, externalUserId, ...texts)) {
      const { resourceId, payload } = JSON.parse(row.payload);
      const isNamed =
        row.subjectUserId !== null || row.payload.includes(participantId) || names({ resourceId, payload }, person);
      if (isNamed) await this.redactOne(tx, row, redactedAt, resourceWithout(resourceId, person));
    }
  }

  /** Removes these events' data from payloads and from the answers; returns the deliveries as they were. */
  async redactEvents(tx: Transaction, eventIds: readonly string[], redactedAt: Date): Promise<RedactedDelivery[]> {
    const rows = await tx.webhookPayload.findMany({
      where: { eventId: { in: [...eventIds] } },
      orderBy: { eventId: 'asc' },
      include: { deliveries: { select: { id: true } } },
    });
    for (const row of rows) await this.redactOne(tx, row, redactedAt);
    return rows.flatMap(({ projectId, subjectUserId, deliveries }) =>
      deliveries.map(({ id }) => ({ id, projectId, subjectUserId })),
    );
  }

  private async redactOne(
    tx: Transaction,
    { eventId, payload }: { eventId: string; payload: string },
    redactedAt: Date,
    resourceId?: string,
  ): Promise<void> {
    const event = JSON.parse(payload);
    const called = resourceId ?? String(event.resourceId);
    const left = JSON.parse(redactedPayload({ resourceId: called, payload: JSON.stringify(event.payload) }));
    const redacted = JSON.stringify({ ...event, resourceId: called, payload: left });
    await tx.webhookPayload.update({
      where: { eventId },
      data: { payload: redacted, subjectUserId: null, redactedAt },
    });
    await tx.webhookAttempt.updateMany({ where: { event: { eventId } }, data: { responseSnippet: null } });
  }

  /** Deliveries of a removed project. */
  removeDeliveries = async (tx: Transaction, projectId: string) =>
    tx.webhookEvent.deleteMany(withIds(await tx.webhookEvent.findMany({ where: { projectId }, ...someIds })));

  /** Payloads that no delivery needs any more. */
  removePayloads = async (tx: Transaction, projectId: string) => {
    const unsent = { projectId, deliveries: { none: {} } };
    const some = await tx.webhookPayload.findMany({ where: unsent, select: { eventId: true }, take: rowsAtOnce });
    return tx.webhookPayload.deleteMany({ where: { eventId: { in: some.map(({ eventId }) => eventId) } } });
  };

  /** What was added while the rest of a project was being removed. */
  forgetProject = (projectId: string) =>
    this.database.transaction((tx) => tx.webhookPayload.deleteMany({ where: { projectId } }));
}
