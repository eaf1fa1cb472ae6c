/** The log of deliveries: read, sent again, given up, and deleted when they are old. */
import { uuidv7 } from 'uuidv7';
import { DomainError } from '../../../src/contract/errors.js';
import { webhookHears } from '../../../src/contract/events.js';
import type { WebhookEvent, WebhookEventDetail } from '../../../src/contract/webhooks/webhook-events.js';
import type { ReplayWebhookEventsRequest, WebhookReplay } from '../../../src/contract/webhooks/webhooks.js';
import type { Clock } from '../../platform/clock.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import { asLostRace } from '../../platform/database/errors.js';
import type { EventLog } from '../../platform/events/log.js';
import type { LogPart } from '../../platform/events/pages.js';
import type { ReadEvent } from '../../platform/events/record.js';
import { type DeliveryFilter, payloadOf, toDetail, toWebhookEvent } from './delivery-rows.js';
import type { DeliveryStore } from './delivery-store.js';
import { deliveryUpdated } from './delivery-updated.js';
import type { SubscriptionRow, SubscriptionStore } from './subscription-store.js';

/** Pages of the project's events that a replay reads in one call. */
const replayPagesMax = 20;
const dayMs = 86_400_000;
/** A pending event of a disabled subscription is kept this long. */
const heldDays = 7;

export class DeliveryLog {
  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly subscriptions: SubscriptionStore,
    private readonly deliveries: DeliveryStore,
    private readonly now: Clock,
  ) {}

  async list(projectId: string, filter: DeliveryFilter, limit: number, offset: number): Promise<WebhookEvent[]> {
    return (await this.deliveries.events(projectId, filter, limit, offset)).map(toWebhookEvent);
  }

  /** Throws webhook_event_not_found. */
  async get(projectId: string, id: string): Promise<WebhookEventDetail> {
    const row = await this.deliveries.event(projectId, id);
    if (row === null) throw new DomainError('webhook_event_not_found');
    return toDetail(row);
  }

  /** The deliveries of an event to all subscriptions of the project. */
  async ofEvent(projectId: string, eventId: string): Promise<WebhookEventDetail[]> {
    return (await this.deliveries.ofEvent(projectId, eventId)).map(toDetail);
  }

  /**
   * Makes the delivery due at once, with a new schedule. During an attempt nothing changes. Throws
   * webhook_event_not_found.
   */
  async resend(projectId: string, id: string): Promise<WebhookEvent> {
    return this.database.transaction(async (tx) => {
      const before = await this.deliveries.event(projectId, id, tx);
      if (before === null) throw new DomainError('webhook_event_not_found');
      await this.deliveries.requeue(tx, before, this.now());
      const [after = before] = await this.deliveries.byIds(tx, [id]);
      await this.log.append(tx, deliveryUpdated(before, after, before.content));
      return toWebhookEvent({ ...after, content: before.content });
    });
  }

  /**
   * Queues the stored events of the range that the subscription listens to; each is sent when the one before it has
   * arrived or failed for good. Throws webhook_subscription_not_found, replay_range_invalid.
   */
  async replay(projectId: string, id: string, { since, until }: ReplayWebhookEventsRequest): Promise<WebhookReplay> {
    const subscription = await this.subscriptions.find(projectId, id);
    if (subscription === null) throw new DomainError('webhook_subscription_not_found');
    const from = await this.position(projectId, since);
    const to = until === undefined ? await this.log.head() : await this.position(projectId, until);
    if (from > to) throw new DomainError('replay_range_invalid');
    let at = from;
    let queued = 0;
    for (let page = 0; page < replayPagesMax && at < to; page += 1) {
      const done = await this.log.turns.run(subscription.tenantId, () =>
        this.database.transaction((tx) => this.replayPage(tx, projectId, id, at, to)),
      );
      queued += done.queued;
      at = done.end;
    }
    const last = await this.log.pages.newestAt([{ kind: 'project', id: projectId }], at);
    return { queued, lastEventId: last === null || last.position <= from ? null : last.id, complete: at >= to };
  }

  /** Fails deliveries that have waited too long for a disabled subscription; returns how many of at most `limit`. */
  async giveUpHeld(limit: number): Promise<number> {
    const now = this.now();
    return this.database.transaction(async (tx) => {
      const held = await this.deliveries.heldSince(tx, new Date(now.getTime() - heldDays * dayMs), limit);
      const ids = held.map(({ id }) => id);
      await this.deliveries.giveUp(tx, ids, `the subscription was disabled for ${heldDays} days`, now);
      const after = new Map((await this.deliveries.byIds(tx, ids)).map((row) => [row.id, row]));
      await this.log.append(tx, ...held.map((row) => deliveryUpdated(row, after.get(row.id) ?? row, row.content)));
      return held.length;
    });
  }

  /** Deletes what was finished before `before`, with its attempts; returns how many of at most `limit`. */
  prune(before: Date, limit: number): Promise<number> {
    return this.database.transaction((tx) => this.deliveries.prune(tx, before, limit));
  }

  /** The position after which the events following an event or a time begin. Throws replay_range_invalid. */
  private async position(projectId: string, place: string): Promise<bigint> {
    const found = await this.log.find(place);
    if (found !== null && found.event.projectId === projectId) return found.position;
    const time = new Date(place);
    if (!/^\d{4}-\d\d-\d\d/.test(place) || Number.isNaN(time.getTime())) throw new DomainError('replay_range_invalid');
    return this.log.positionBefore(time);
  }

  /** Queues the next page of the project's events; nothing where the subscription does not exist any more. */
  private async replayPage(
    tx: Transaction,
    projectId: string,
    id: string,
    after: bigint,
    to: bigint,
  ): Promise<{ queued: number; end: bigint }> {
    const subscription = await this.subscriptions.find(projectId, id, tx);
    if (subscription === null) return { queued: 0, end: to };
    const patterns: string[] = JSON.parse(subscription.events);
    const parts: LogPart[] = [{ kind: 'project', id: projectId }];
    const filter = { hears: (type: string) => webhookHears(patterns, type), resources: [] };
    const { events, end } = await this.log.pages.readLocked(tx, { parts, filter, after, to });
    await this.queue(tx, subscription, events);
    return { queued: events.length, end };
  }

  private async queue(tx: Transaction, { id, tenantId, projectId }: SubscriptionRow, events: readonly ReadEvent[]) {
    const now = this.now();
    const ids = events.map(({ event }) => event.id);
    const known = await this.deliveries.deliveriesOf(tx, id, ids);
    const knownIds = new Set(known.map(({ eventId }) => eventId));
    const again = events.filter(({ event }) => knownIds.has(event.id));
    await this.deliveries.requeueInOrder(
      tx,
      id,
      again.map(({ event, position }) => ({ eventId: event.id, replayPosition: position })),
      now,
    );
    const added = events.filter(({ event }) => !knownIds.has(event.id));
    const payloads = added.map((one) => payloadOf(one, projectId));
    const rows = added.map(({ event, position }) => ({
      id: uuidv7(),
      tenantId,
      projectId,
      subscriptionId: id,
      eventId: event.id,
      eventType: event.type,
      replayPosition: position,
      createdAt: now,
    }));
    await this.deliveries.insertDeliveries(tx, payloads, rows).catch(asLostRace); // another request replays the same range
    const changed = new Map((await this.deliveries.deliveriesOf(tx, id, [...knownIds])).map((row) => [row.id, row]));
    await this.log.append(tx, ...known.map((row) => deliveryUpdated(row, changed.get(row.id) ?? row, row.content)));
  }
}
