/**
 * Makes deliveries of stored events, a page of the log at a time: for replays, and for appends with too many deliveries
 * for their transaction.
 */

import { webhookHears } from '../../../src/contract/events.js';
import type { Transaction } from '../../platform/database/database.js';
import { asLostRace } from '../../platform/database/errors.js';
import type { EventLog } from '../../platform/events/log.js';
import type { LogOwner } from '../../platform/events/pages.js';
import type { ReadEvent } from '../../platform/events/record.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import type { Clock } from '../../platform/time/clock.js';
import { payloadOf } from './delivery-rows.js';
import type { DeliveryStore } from './delivery-store.js';
import { deliveryUpdated } from './delivery-updated.js';
import { patternsOf, type SubscriptionRow, type SubscriptionStore } from './subscription-store.js';

const idsOf = (events: readonly ReadEvent[]): string[] => events.map(({ event }) => event.id);

interface QueuedRange {
  readonly after: bigint;
  readonly to: bigint;
  /** Each is sent when the one before it has arrived or failed for good, sent before or not. Otherwise only new ones are. */
  readonly inOrder: boolean;
}

export class DeliveryPages {
  constructor(
    private readonly log: EventLog,
    private readonly subscriptions: SubscriptionStore,
    private readonly deliveries: DeliveryStore,
    private readonly now: Clock,
  ) {}

  /**
   * Queues the first page of the range, as far as the subscription gets its events; nothing where it does not exist any
   * more. Deliveries with an attempt in progress stay as they are. Returns how many there are, and the position up to
   * which everything is queued.
   */
  async queue(
    tx: Transaction,
    subscriptionId: string,
    { after, to, inOrder }: QueuedRange,
  ): Promise<{ queued: number; end: bigint }> {
    const [subscription] = await this.subscriptions.byIds(tx, [subscriptionId]);
    if (subscription === undefined) return { queued: 0, end: to };
    const patterns = patternsOf(subscription);
    const parts: LogOwner[] = [{ kind: 'project', id: subscription.projectId }];
    const filter = { hears: (type: string) => webhookHears(patterns, type), resources: [] };
    const { events, end } = await this.log.pages.readLocked(tx, { parts, filter, after, to });
    const known = await this.deliveries.deliveriesOf(tx, subscriptionId, idsOf(events));
    const knownIds = new Set(known.map(({ eventId }) => eventId));
    const isKnown = ({ event }: ReadEvent) => knownIds.has(event.id);
    if (inOrder) await this.sendAgain(tx, subscriptionId, known, events.filter(isKnown));
    const added = events.filter((one) => !isKnown(one));
    await this.add(tx, subscription, inOrder, added);
    return { queued: events.length, end };
  }

  private async sendAgain(
    tx: Transaction,
    subscriptionId: string,
    known: Awaited<ReturnType<DeliveryStore['deliveriesOf']>>,
    events: readonly ReadEvent[],
  ): Promise<void> {
    const places = events.map(({ event, position }) => ({ eventId: event.id, replayPosition: position }));
    const queued = await this.deliveries.requeueInOrder(tx, subscriptionId, places, this.now());
    const before = new Map(known.map((row) => [row.id, row]));
    const changed = await this.deliveries.deliveriesOf(tx, subscriptionId, idsOf(events));
    const after = changed.filter(({ id }) => queued.has(id));
    await this.log.append(tx, ...after.map((row) => deliveryUpdated(before.get(row.id) ?? row, row, row.content)));
  }

  private async add(
    tx: Transaction,
    { id: subscriptionId, tenantId, projectId }: SubscriptionRow,
    inOrder: boolean,
    events: readonly ReadEvent[],
  ): Promise<void> {
    const createdAt = this.now();
    const rows = events.map(({ event, position }) => ({
      id: uuidv7(),
      tenantId,
      projectId,
      subscriptionId,
      eventId: event.id,
      eventType: event.type,
      replayPosition: inOrder ? position : null,
      createdAt,
    }));
    const payloads = events.map((one) => payloadOf(one, projectId));
    await this.deliveries.insertDeliveries(tx, payloads, rows).catch(asLostRace); // another one queues the same range
  }
}
