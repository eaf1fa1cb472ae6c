/** The log of deliveries: reads them, sends them again, gives them up, and deletes old ones. */
import { TimestampInput } from '../../../src/contract/common.js';
import { DomainError } from '../../../src/contract/errors.js';
import {
  type AttemptCount,
  countedDeliveries,
  type WebhookEvent,
  type WebhookEventDetail,
} from '../../../src/contract/webhooks/webhook-events.js';
import type { ReplayWebhookEventsRequest, WebhookReplay } from '../../../src/contract/webhooks/webhooks.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import type { RowPage } from '../../platform/database/row-page.js';
import { rowsAtOnce } from '../../platform/database/slices.js';
import type { EventLog } from '../../platform/events/log.js';
import type { Clock } from '../../platform/time/clock.js';
import { dayMs } from '../../platform/time/spans.js';
import type { DeliveryPages } from './delivery-pages.js';
import { type DeliveryFilter, toDetail, toWebhookEvent } from './delivery-rows.js';
import type { DeliveryStore } from './delivery-store.js';
import { deliveryUpdated } from './delivery-updated.js';
import type { SubscriptionRow, SubscriptionStore } from './subscription-store.js';

/** Pages of the project's events that a replay reads in one call. */
const replayPagesMax = 20;
/** A pending event of a disabled subscription is kept this long. */
const heldDays = 7;

interface DeliveryLogNeeds {
  readonly database: Database;
  readonly log: EventLog;
  readonly subscriptions: SubscriptionStore;
  readonly deliveries: DeliveryStore;
  readonly pages: DeliveryPages;
  readonly now: Clock;
}

export class DeliveryLog {
  constructor(private readonly needs: DeliveryLogNeeds) {}

  async list(
    projectId: string,
    filter: DeliveryFilter,
    page: RowPage,
  ): Promise<{ rows: WebhookEvent[]; total: number }> {
    const [rows, total] = await Promise.all([
      this.needs.deliveries.events(projectId, filter, page),
      this.needs.deliveries.count(projectId, filter),
    ]);
    return { rows: rows.map(toWebhookEvent), total };
  }

  /** Counts the attempts of the newest deliveries of each subscription: one that succeeds is the last of its delivery. */
  async attempts(projectId: string): Promise<AttemptCount[]> {
    const counts: AttemptCount[] = [];
    for (const { id: subscriptionId } of await this.needs.subscriptions.list(projectId)) {
      const newest = await this.needs.deliveries.newest(subscriptionId, countedDeliveries);
      const attempts = newest.reduce((sum, one) => sum + one.attemptsCount - one.attemptsBefore, 0);
      const arrived = newest.filter(({ status }) => status === 'delivered').length;
      counts.push({ subscriptionId, attempts, failed: Math.max(0, attempts - arrived) });
    }
    return counts;
  }

  /** Throws webhook_event_not_found. */
  async get(projectId: string, id: string): Promise<WebhookEventDetail> {
    const row = await this.needs.deliveries.event(projectId, id);
    if (row === null) throw new DomainError('webhook_event_not_found');
    return toDetail(row);
  }

  /** The deliveries of an event to all subscriptions of the project. */
  async ofEvent(projectId: string, eventId: string): Promise<WebhookEventDetail[]> {
    return (await this.needs.deliveries.ofEvent(projectId, eventId)).map(toDetail);
  }

  /**
   * Makes the delivery due at once, with a new schedule. During an attempt nothing changes. Throws
   * webhook_event_not_found.
   */
  async resend(projectId: string, id: string): Promise<WebhookEvent> {
    return this.needs.database.transaction(async (tx) => {
      const before = await this.needs.deliveries.lock(tx, projectId, id);
      if (before === null) throw new DomainError('webhook_event_not_found');
      if (!(await this.needs.deliveries.requeue(tx, before, this.needs.now()))) return toWebhookEvent(before);
      const [after = before] = await this.needs.deliveries.byIds(tx, [id]);
      await this.needs.log.append(tx, deliveryUpdated(before, after, before.content));
      return toWebhookEvent({ ...after, content: before.content });
    });
  }

  /**
   * Queues the stored events of the range that the subscription listens to; each is sent when the one before it has
   * arrived or failed for good. Throws webhook_subscription_not_found, replay_range_invalid.
   */
  async replay(
    projectId: string,
    id: string,
    { since, until, failed }: ReplayWebhookEventsRequest,
  ): Promise<WebhookReplay> {
    const subscription = await this.needs.subscriptions.find(projectId, id);
    if (subscription === null) throw new DomainError('webhook_subscription_not_found');
    if (failed || since === undefined) return this.replayFailed(subscription, since, until);
    const from = await this.position(projectId, since);
    const to = until === undefined ? await this.needs.log.head() : await this.position(projectId, until);
    if (from > to) throw new DomainError('replay_range_invalid');
    let at = from;
    let queued = 0;
    for (let page = 0; page < replayPagesMax && at < to; page += 1) {
      const done = await this.needs.log.turns.run(subscription.tenantId, () =>
        this.needs.database.transaction((tx) => this.needs.pages.queue(tx, id, { after: at, to, inOrder: true })),
      );
      queued += done.queued;
      at = done.end;
    }
    const last = await this.needs.log.pages.newestAt([{ kind: 'project', id: projectId }], at);
    return { queued, lastEventId: last === null || last.position <= from ? null : last.id, complete: at >= to };
  }

  /** Makes the deliveries of the span that failed due at once; each has a new schedule. */
  private async replayFailed(
    { id, tenantId, projectId }: Pick<SubscriptionRow, 'id' | 'tenantId' | 'projectId'>,
    since: string | undefined,
    until: string | undefined,
  ): Promise<WebhookReplay> {
    const span = {
      from: since === undefined ? null : await this.place(projectId, since),
      to: until === undefined ? null : await this.place(projectId, until),
    };
    if (span.from !== null && span.to !== null && span.from.position > span.to.position)
      throw new DomainError('replay_range_invalid');
    const replay = { queued: 0, lastEventId: null as string | null, complete: false };
    let after = '';
    for (let pages = 0; pages < replayPagesMax && !replay.complete; ) {
      const { read, queued, last } = await this.needs.log.turns.run(tenantId, () =>
        this.needs.database.transaction((tx) => this.requeueFailed(tx, id, span, after)),
      );
      replay.queued += queued;
      replay.lastEventId = last?.eventId ?? replay.lastEventId;
      replay.complete = read < rowsAtOnce;
      after = last?.id ?? after;
      if (queued > 0) pages += 1;
    }
    return replay;
  }

  /** @param afterId of the last delivery that was looked at */
  private async requeueFailed(tx: Transaction, id: string, span: LogSpan, afterId: string) {
    const now = this.needs.now();
    const found = await this.needs.deliveries.failed(tx, id, { after: afterId, now, limit: rowsAtOnce });
    const positions = await this.needs.log.positionsOf(
      tx,
      found.map(({ eventId }) => eventId),
    );
    const failed = found.filter((row) => isWithin(span, positions.get(row.eventId) ?? null, row.createdAt));
    const queued = await this.needs.deliveries.requeueAll(
      tx,
      failed.map((row) => row.id),
      now,
    );
    const before = new Map(failed.map((row) => [row.id, row]));
    const after = await this.needs.deliveries.byIds(tx, [...queued]);
    await this.needs.log.append(
      tx,
      ...after.map((row) => deliveryUpdated(before.get(row.id) ?? row, row, row.content)),
    );
    return { read: found.length, queued: queued.size, last: found.at(-1) };
  }

  /** Fails deliveries that have waited too long for a disabled subscription; returns how many of at most `limit`. */
  async giveUpHeld(limit: number): Promise<number> {
    const now = this.needs.now();
    return this.needs.database.transaction(async (tx) => {
      const held = await this.needs.deliveries.heldSince(tx, new Date(now.getTime() - heldDays * dayMs), limit);
      const waiting = held.map(({ id }) => id);
      const ids = await this.needs.deliveries.giveUp(
        tx,
        waiting,
        `the subscription was disabled for ${heldDays} days`,
        now,
      );
      const before = new Map(held.map((row) => [row.id, row]));
      const after = await this.needs.deliveries.byIds(tx, ids);
      await this.needs.log.append(
        tx,
        ...after.map((row) => deliveryUpdated(before.get(row.id) ?? row, row, row.content)),
      );
      return held.length;
    });
  }

  /** Deletes what was finished before `before`, with its attempts; returns how many of at most `limit`. */
  prune(before: Date, limit: number): Promise<number> {
    return this.needs.database.transaction((tx) => this.needs.deliveries.prune(tx, before, limit));
  }

  /** The position after which the events following an event or a time begin. Throws replay_range_invalid. */
  private position = async (projectId: string, text: string): Promise<bigint> =>
    (await this.place(projectId, text)).position;

  /** Throws replay_range_invalid. */
  private async place(projectId: string, text: string): Promise<LogPlace> {
    const found = await this.needs.log.find(text);
    if (found !== null && found.event.projectId === projectId)
      return { position: found.position, time: new Date(found.event.timestamp) };
    const { data } = TimestampInput.safeParse(text);
    if (data === undefined) throw new DomainError('replay_range_invalid');
    const time = new Date(data);
    return { position: await this.needs.log.positionBefore(time), time };
  }
}

/** Where an event lies in the log, or what is later than a time begins. */
interface LogPlace {
  readonly position: bigint;
  readonly time: Date;
}

interface LogSpan {
  /** null: from the beginning. */
  readonly from: LogPlace | null;
  /** null: to the end. */
  readonly to: LogPlace | null;
}

/** @param position null: the log does not keep the event any more, and the time of its delivery says where it was */
function isWithin({ from, to }: LogSpan, position: bigint | null, createdAt: Date): boolean {
  if (position === null) return (from === null || createdAt > from.time) && (to === null || createdAt <= to.time);
  return (from === null || position > from.position) && (to === null || position <= to.position);
}
