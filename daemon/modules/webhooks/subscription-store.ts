/** Rows of webhook subscriptions. */
import { z } from 'zod';
import {
  disabledReasons,
  payloadFormats,
  type WebhookSubscription,
  webhookAuthTypes,
} from '../../../src/contract/webhooks/webhooks.js';
import {
  jsonOf,
  jsonOrNull,
  oneOf,
  timeOrNull,
  type WithValues,
  withJson,
} from '../../platform/database/column-values.js';
import type { Database, Reader, Transaction } from '../../platform/database/database.js';
import { lockRow } from '../../platform/database/row-lock.js';
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

export type SubscriptionValues = WithValues<
  SubscriptionRow,
  { readonly events: readonly string[]; readonly customHeaders: readonly string[] | null }
>;

/** The event types of a subscription. */
export interface ListenerRow {
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string;
  /** JSON array of patterns. */
  readonly events: string;
}

const readPatterns = jsonOf(z.array(z.string()));
/** The event types that a subscription hears. */
export const patternsOf = ({ events }: Pick<SubscriptionRow, 'events'>): string[] => readPatterns(events);

export const toSubscription = (row: SubscriptionRow): WebhookSubscription => ({
  id: row.id,
  projectId: row.projectId,
  url: row.url,
  events: patternsOf(row),
  description: row.description,
  authType: oneOf(webhookAuthTypes, row.authType) ?? 'none',
  apiKeyHeader: row.apiKeyHeader,
  basicAuthUsername: row.basicAuthUsername,
  customHeaders: jsonOrNull(row.customHeaders),
  payloadFormat: oneOf(payloadFormats, row.payloadFormat) ?? 'event',
  enabled: row.enabled,
  disabledReason: oneOf(disabledReasons, row.disabledReason),
  failingSince: timeOrNull(row.failingSince),
  previousSecretUntil: timeOrNull(row.previousSecretUntil),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

const shownCharacters = 4;

/**
 * The subscription with the host and the last characters of its address alone: an address may be all that somebody needs to
 * write where it leads, as those of Slack and Discord are.
 */
export function withoutAddress(subscription: WebhookSubscription): WebhookSubscription {
  const { origin, href } = new URL(subscription.url);
  const isLong = href.length > origin.length + 2 * shownCharacters;
  return { ...subscription, url: isLong ? `${origin}/…${href.slice(-shownCharacters)}` : `${origin}/…` };
}

export class SubscriptionStore {
  constructor(private readonly database: Database) {}

  insert = (tx: Transaction, row: SubscriptionValues) =>
    tx.webhookSubscription.create({ data: withJson(row, 'events', 'customHeaders') });

  count = (tx: Transaction, projectId: string) => tx.webhookSubscription.count({ where: { projectId } });

  /** Counts the subscriptions to which nothing is delivered any more, though nobody asked for it. */
  async failing(projectId: string) {
    const { _count, _min } = await this.database.read.webhookSubscription.aggregate({
      where: {
        projectId,
        failingSince: { not: null },
        OR: [{ enabled: true }, { disabledReason: { in: ['failing', 'gone'] } }],
      },
      _count: { _all: true },
      _min: { failingSince: true },
    });
    return { failing: _count._all, failingSince: timeOrNull(_min.failingSince) };
  }

  list = (projectId: string) =>
    this.database.read.webhookSubscription.findMany({ where: { projectId }, orderBy: { id: 'asc' } });

  find = (projectId: string, id: string, reader: Reader | Transaction = this.database.read) =>
    reader.webhookSubscription.findFirst({ where: { projectId, id } });

  /** The row, locked until the transaction has ended. */
  async lock(tx: Transaction, projectId: string, id: string) {
    await lockRow(tx, this.database.dialect, 'WebhookSubscription', id);
    return this.find(projectId, id, tx);
  }

  update = (tx: Transaction, id: string, fields: Partial<SubscriptionValues>) =>
    tx.webhookSubscription.update({ where: { id }, data: withJson(fields, 'events', 'customHeaders') });

  remove = (tx: Transaction, id: string) => tx.webhookSubscription.delete({ where: { id } });

  /** The subscriptions of the projects. */
  listeners = (tx: Transaction, projectIds: readonly string[]) =>
    tx.$queryRawUnsafe<ListenerRow[]>(webhookStatements[this.database.dialect].listeners, JSON.stringify(projectIds));

  /** In the order in which changes of several subscriptions lock them. */
  byIds = (tx: Transaction, ids: readonly string[]): Promise<SubscriptionRow[]> =>
    tx.webhookSubscription.findMany({ where: { id: { in: [...ids] } }, orderBy: { id: 'asc' } });

  /** Does nothing where the subscription was deleted, enabled, disabled or given another address meanwhile. */
  setHealth = (
    tx: Transaction,
    wasEnabled: boolean,
    { id, url, enabled, disabledAt, disabledReason, failingSince, updatedAt }: SubscriptionRow,
  ) =>
    tx.webhookSubscription.updateMany({
      where: { id, url, enabled: wasEnabled },
      data: { enabled, disabledAt, disabledReason, failingSince, updatedAt },
    });
}
