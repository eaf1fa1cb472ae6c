/** The log of deliveries, read and written. */
import type { Database, Reader, Transaction } from '../../platform/database/database.js';
import { sqlTime } from '../../platform/database/dialect.js';
import { projectInReach } from '../../platform/database/in-reach.js';
import { madeWithin } from '../../platform/database/made-within.js';
import { lockRow } from '../../platform/database/row-lock.js';
import { newestFirst, type RowPage } from '../../platform/database/row-page.js';
import type { DeliveryFilter, NewDelivery, NewPayload, WebhookEventRow } from './delivery-rows.js';
import { deliveryRows, payloadRows, replayRows, webhookStatements } from './sql.js';

const aboutWhom = { subjectUserId: true } as const;

const whereOf = (projectId: string, { since, until, ...fields }: DeliveryFilter) => ({
  projectId,
  ...fields,
  ...madeWithin({ since, until }),
});

export class DeliveryStore {
  constructor(private readonly database: Database) {}

  events = (projectId: string, filter: DeliveryFilter, page: RowPage) =>
    this.database.read.webhookEvent.findMany({
      ...newestFirst(whereOf(projectId, filter), page),
      include: { content: true },
    });

  count = (projectId: string, filter: DeliveryFilter) =>
    this.database.read.webhookEvent.count({ where: whereOf(projectId, filter) });

  /** State and attempts of the newest deliveries of a subscription, as its events came. */
  newest = (subscriptionId: string, take: number) =>
    this.database.read.webhookEvent.findMany({
      where: { subscriptionId },
      orderBy: { eventId: 'desc' },
      take,
      select: { status: true, attemptsCount: true, attemptsBefore: true },
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

  /** Returns the subscription's deliveries of these events. */
  deliveriesOf = (tx: Transaction, subscriptionId: string, eventIds: readonly string[]) =>
    tx.webhookEvent.findMany({
      where: { subscriptionId, eventId: { in: [...eventIds] } },
      orderBy: { id: 'asc' },
      include: { content: { select: aboutWhom } },
    });

  /** Each event's payload once, next to its deliveries. */
  async insertDeliveries(
    tx: Transaction,
    payloads: readonly NewPayload[],
    deliveries: readonly NewDelivery[],
  ): Promise<void> {
    if (deliveries.length === 0) return;
    const sql = webhookStatements[this.database.dialect];
    await this.database.write(tx, sql.insertPayloads, await payloadRows.prepare(this.database.dialect, payloads));
    const rows = deliveries.map((one) => ({
      status: 'pending',
      attemptsCount: 0,
      attemptsBefore: 0,
      nextAttemptAt: one.createdAt,
      ...one, // last: fields that are added to a copy cost twenty times as much
    }));
    await this.database.write(tx, sql.insertDeliveries, await deliveryRows.prepare(this.database.dialect, rows));
  }

  /** The row, locked until the transaction has ended. */
  async lock(tx: Transaction, projectId: string, id: string) {
    await lockRow(tx, this.database.dialect, 'WebhookEvent', id);
    return this.event(projectId, id, tx);
  }

  /** Puts the delivery into the queue again. false: an attempt is in progress. */
  async requeue(tx: Transaction, { id, status, attemptsCount }: WebhookEventRow, now: Date): Promise<boolean> {
    const queued = { status: 'pending', nextAttemptAt: now, replayPosition: null, finishedAt: null };
    const suspect = status === 'set_aside' ? { crashes: 1 } : {};
    const data = { ...queued, ...suspect, attemptsBefore: attemptsCount };
    return (await tx.webhookEvent.updateMany({ where: { id, leaseOwner: null }, data })).count > 0;
  }

  /**
   * Queues many deliveries again, to be sent one after the other in the order of the log. Returns the ids of those
   * queued.
   */
  async requeueInOrder(
    tx: Transaction,
    subscriptionId: string,
    events: readonly { eventId: string; replayPosition: bigint }[],
    now: Date,
  ): Promise<ReadonlySet<string>> {
    const parameters = [sqlTime(now), replayRows.text(events), subscriptionId];
    const statement = webhookStatements[this.database.dialect].requeueInOrder;
    const rows = await tx.$queryRawUnsafe<{ id: string }[]>(statement, ...parameters);
    return new Set(rows.map(({ id }) => id));
  }

  /** Up to `limit` deliveries behind an id that failed: given up, set aside, or waiting for their next attempt. Oldest first. */
  failed = (
    tx: Transaction,
    subscriptionId: string,
    { after, now, limit }: { readonly after: string; readonly now: Date; readonly limit: number },
  ) =>
    tx.webhookEvent.findMany({
      where: {
        subscriptionId,
        leaseOwner: null,
        id: { gt: after },
        OR: [
          { status: { in: ['failed', 'set_aside'] } },
          { status: 'pending', lastError: { not: null }, nextAttemptAt: { gt: now } },
        ],
      },
      orderBy: { id: 'asc' },
      take: limit,
      include: { content: { select: aboutWhom } },
    });

  /** Makes the deliveries due at once, each with a new schedule. Returns the ids of those queued. */
  async requeueAll(tx: Transaction, ids: readonly string[], now: Date): Promise<ReadonlySet<string>> {
    const statement = webhookStatements[this.database.dialect].requeue;
    const rows = await tx.$queryRawUnsafe<{ id: string }[]>(statement, sqlTime(now), JSON.stringify(ids));
    return new Set(rows.map(({ id }) => id));
  }

  /** Begins the schedules of some deliveries anew that wait for their next attempt; returns how many. */
  restartSome = (tx: Transaction, subscriptionId: string, now: Date, limit: number): Promise<number> =>
    tx.$executeRawUnsafe(
      webhookStatements[this.database.dialect].restart,
      ...[sqlTime(now), subscriptionId, sqlTime(now), limit],
    );

  /**
   * Up to `limit` that have waited since before `before` for a subscription that was disabled before it, however old their
   * events are; deliveries of a disabled tenant are kept.
   */
  heldSince = (tx: Transaction, before: Date, limit: number) =>
    tx.webhookEvent.findMany({
      where: {
        status: 'pending',
        nextAttemptAt: { lt: before },
        subscription: { enabled: false, disabledAt: { lt: before }, project: projectInReach },
      },
      take: limit,
      include: { content: { select: aboutWhom } },
    });

  /** Returns the ids of those that were still pending. */
  async giveUp(tx: Transaction, ids: readonly string[], lastError: string, now: Date): Promise<string[]> {
    const rows = await tx.webhookEvent.updateManyAndReturn({
      where: { id: { in: [...ids] }, status: 'pending' },
      data: { status: 'failed', lastError, nextAttemptAt: null, leaseOwner: null, finishedAt: now },
      select: { id: true },
    });
    return rows.map(({ id }) => id);
  }

  byIds = (tx: Transaction, ids: readonly string[]) =>
    tx.webhookEvent.findMany({ where: { id: { in: [...ids] } }, include: { content: { select: aboutWhom } } });

  /** Deletes up to `limit` that were finished before `before`, with their attempts; returns how many. */
  prune = (tx: Transaction, before: Date, limit: number) => this.remove(tx, { finishedAt: { lt: before } }, limit);

  /** Deletes up to `limit` deliveries of the subscription, with their attempts; returns how many. */
  removeOfSubscription = (tx: Transaction, subscriptionId: string, limit: number) =>
    this.remove(tx, { subscriptionId }, limit);

  private async remove(
    tx: Transaction,
    where: { readonly finishedAt: { readonly lt: Date } } | { readonly subscriptionId: string },
    limit: number,
  ): Promise<number> {
    const sql = webhookStatements[this.database.dialect];
    const found = await tx.webhookEvent.findMany({ where, select: { id: true }, take: limit });
    const ids = JSON.stringify(found.map(({ id }) => id));
    const deleted = await tx.$queryRawUnsafe<{ eventId: string }[]>(sql.deleteDeliveries, ids);
    const eventIds = [...new Set(deleted.map(({ eventId }) => eventId))];
    await tx.$queryRawUnsafe(sql.lockPayloads, JSON.stringify(eventIds));
    await tx.$executeRawUnsafe(sql.deleteUnsent, JSON.stringify(eventIds));
    return deleted.length;
  }
}
