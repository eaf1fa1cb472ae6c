/** The log of deliveries: reads them, sends them again, gives them up, and deletes old ones. */
import { DomainError } from '../../../src/contract/errors.js';
import type { WebhookEvent, WebhookEventDetail } from '../../../src/contract/webhooks/webhook-events.js';
import type { ReplayWebhookEventsRequest, WebhookReplay } from '../../../src/contract/webhooks/webhooks.js';
import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import { dayMs } from '../../platform/spans.js';
import type { DeliveryPages } from './delivery-pages.js';
import { type DeliveryFilter, toDetail, toWebhookEvent } from './delivery-rows.js';
import type { DeliveryStore } from './delivery-store.js';
import { deliveryUpdated } from './delivery-updated.js';
import type { SubscriptionStore } from './subscription-store.js';

/** Pages of the project's events that a replay reads in one call. */
const replayPagesMax = 20;
/** A pending event of a disabled subscription is kept this long. */
const heldDays = 7;

export class DeliveryLog {
  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly subscriptions: SubscriptionStore,
    private readonly deliveries: DeliveryStore,
    private readonly pages: DeliveryPages,
    private readonly now: Clock,
  ) {}

  async list(
    projectId: string,
    filter: DeliveryFilter,
    limit: number,
    offset: number,
  ): Promise<{ rows: WebhookEvent[]; total: number }> {
    const [rows, total] = await Promise.all([
      this.deliveries.events(projectId, filter, limit, offset),
      this.deliveries.count(projectId, filter),
    ]);
    return { rows: rows.map(toWebhookEvent), total };
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
      const before = await this.deliveries.lock(tx, projectId, id);
      if (before === null) throw new DomainError('webhook_event_not_found');
      if (!(await this.deliveries.requeue(tx, before, this.now()))) return toWebhookEvent(before);
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
        this.database.transaction((tx) => this.pages.queue(tx, id, { after: at, to, inOrder: true })),
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
      const waiting = held.map(({ id }) => id);
      const ids = await this.deliveries.giveUp(tx, waiting, `the subscription was disabled for ${heldDays} days`, now);
      const before = new Map(held.map((row) => [row.id, row]));
      const after = await this.deliveries.byIds(tx, ids);
      await this.log.append(tx, ...after.map((row) => deliveryUpdated(before.get(row.id) ?? row, row, row.content)));
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
}
