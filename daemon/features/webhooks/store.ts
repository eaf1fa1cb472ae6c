/** Rows of webhook subscriptions and of the log of deliveries. */
import {
  type DeliveryStatus,
  type WebhookEvent,
  type WebhookSubscription,
  webhookAuthTypes,
} from '../../../src/contract/webhooks.js';
import type { Database, Reader, Transaction } from '../../database/database.js';

export interface SubscriptionRow {
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly url: string;
  readonly events: string;
  readonly description: string | null;
  readonly secret: string;
  readonly authType: string;
  readonly authSecret: string | null;
  readonly apiKeyHeader: string | null;
  readonly basicAuthUsername: string | null;
  readonly customHeaders: string | null;
  readonly payloadFormat: string;
  readonly enabled: boolean;
  readonly disabledAt: Date | null;
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
  readonly status: string;
  readonly attemptsCount: number;
  readonly lastError: string | null;
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
}

const statusOf = (text: string): DeliveryStatus => (text === 'delivered' || text === 'failed' ? text : 'pending');

export const toSubscription = (row: SubscriptionRow): WebhookSubscription => ({
  id: row.id,
  projectId: row.projectId,
  url: row.url,
  events: JSON.parse(row.events),
  description: row.description,
  authType: webhookAuthTypes.find((type) => type === row.authType) ?? 'none',
  apiKeyHeader: row.apiKeyHeader,
  basicAuthUsername: row.basicAuthUsername,
  customHeaders: row.customHeaders === null ? null : JSON.parse(row.customHeaders),
  payloadFormat: row.payloadFormat === 'bare' ? 'bare' : 'event',
  enabled: row.enabled,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

export const toWebhookEvent = (row: WebhookEventRow): WebhookEvent => ({
  id: row.id,
  tenantId: row.tenantId,
  projectId: row.projectId,
  subscriptionId: row.subscriptionId,
  eventId: row.eventId,
  eventType: row.eventType,
  payload: JSON.parse(row.payload),
  status: statusOf(row.status),
  attemptsCount: row.attemptsCount,
  lastError: row.lastError,
  nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
});

export class WebhookStore {
  constructor(private readonly database: Database) {}

  insert = (tx: Transaction, row: SubscriptionRow) => tx.webhookSubscription.create({ data: row });

  list = (projectId: string) =>
    this.database.read.webhookSubscription.findMany({ where: { projectId }, orderBy: { id: 'asc' } });

  find = (projectId: string, id: string, reader: Reader | Transaction = this.database.read) =>
    reader.webhookSubscription.findFirst({ where: { projectId, id } });

  update = (tx: Transaction, id: string, fields: Partial<SubscriptionRow>) =>
    tx.webhookSubscription.update({ where: { id }, data: fields });

  remove = (tx: Transaction, id: string) => tx.webhookSubscription.delete({ where: { id } });

  events = (projectId: string, status: DeliveryStatus | undefined, limit: number, offset: number) =>
    this.database.read.webhookEvent.findMany({
      where: { projectId, ...(status === undefined ? {} : { status }) },
      orderBy: { id: 'desc' },
      take: limit,
      skip: offset,
    });

  event = (projectId: string, id: string) =>
    this.database.read.webhookEvent.findFirst({
      where: { projectId, id },
      include: { attempts: { orderBy: { attempt: 'asc' } } },
    });

  /** Takes a person's words out of what was, or is still to be, delivered, and out of answers that may repeat them. */
  async redact(tx: Transaction, projectId: string, subjectUserId: string): Promise<void> {
    const rows = await tx.webhookEvent.findMany({
      where: { projectId, subjectUserId },
      select: { id: true, payload: true },
    });
    await tx.webhookAttempt.updateMany({
      where: { event: { projectId, subjectUserId } },
      data: { responseSnippet: null },
    });
    for (const { id, payload } of rows) {
      const event = JSON.parse(payload);
      const resourceId = String(event.resourceId);
      const data = { id: resourceId.slice(resourceId.indexOf(':') + 1), redacted: true };
      const redacted = JSON.stringify({ ...event, payload: { action: event.payload.action, data } });
      await tx.webhookEvent.update({ where: { id }, data: { payload: redacted, subjectUserId: null } });
    }
  }
}
