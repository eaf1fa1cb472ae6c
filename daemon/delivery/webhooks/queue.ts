/** The outbox as a queue: rows are claimed under a lease, and given back by whoever lets it run out. */

import type { Database } from '../../database/database.js';
import type { SubscriptionRow, WebhookEventRow } from '../../features/webhooks/store.js';

export interface ClaimedDelivery extends WebhookEventRow {
  readonly subscription: SubscriptionRow;
}

/** A pending event of a disabled subscription is kept this long (contract, section 7). */
const heldDays = 7;
const dayMs = 86_400_000;

export class DeliveryQueue {
  constructor(
    private readonly database: Database,
    private readonly owner: string,
    private readonly leaseMs: number,
  ) {}

  /** Up to `limit` due deliveries, oldest first, skipping the subscriptions that are busy enough. */
  async claim(now: Date, limit: number, busySubscriptions: readonly string[]): Promise<ClaimedDelivery[]> {
    const free = { OR: [{ leaseUntil: null }, { leaseUntil: { lt: now } }] };
    const due = await this.database.read.webhookEvent.findMany({
      where: {
        status: 'pending',
        nextAttemptAt: { lte: now },
        subscriptionId: { notIn: [...busySubscriptions] },
        subscription: { enabled: true },
        ...free,
      },
      orderBy: [{ nextAttemptAt: 'asc' }, { id: 'asc' }],
      take: limit,
      include: { subscription: true },
    });
    if (due.length === 0) return [];
    const leaseUntil = new Date(now.getTime() + this.leaseMs);
    const claimed = await this.database.transaction(async (tx) => {
      const ids: string[] = [];
      for (const { id } of due) {
        const { count } = await tx.webhookEvent.updateMany({
          where: { id, status: 'pending', ...free },
          data: { leaseOwner: this.owner, leaseUntil },
        });
        if (count === 1) ids.push(id);
      }
      return new Set(ids);
    });
    return due.filter(({ id }) => claimed.has(id));
  }

  /** Gives up what has waited too long for a disabled subscription. */
  async dropHeld(now: Date): Promise<void> {
    const before = new Date(now.getTime() - heldDays * dayMs);
    await this.database.transaction((tx) =>
      tx.webhookEvent.updateMany({
        where: { status: 'pending', createdAt: { lt: before }, subscription: { enabled: false } },
        data: {
          status: 'failed',
          lastError: 'the subscription was disabled for 7 days',
          nextAttemptAt: null,
          finishedAt: now,
        },
      }),
    );
  }
}
