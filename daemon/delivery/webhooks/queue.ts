/**
 * The outbox as a queue. Claiming a row moves the time of its next attempt to the end of a lease, so that whoever dies
 * with it gives it back; nobody else sees it as due until then. Leases are judged by the daemon's clock. Choice: clocks
 * of daemons that share a database may differ by three quarters of a lease, which NTP keeps to a thousandth of that.
 */
import { type Database, sqlTime, type Transaction } from '../../database/database.js';
import type { AttemptRow, SubscriptionRow, WebhookEventRow } from '../../features/webhooks/store.js';
import { leaseMs } from './limits.js';
import { deliveryStatements } from './sql.js';

export interface ClaimedDelivery extends WebhookEventRow {
  readonly subscription: SubscriptionRow;
}

/** How an attempt leaves its delivery. */
export interface FinishedDelivery extends WebhookEventRow {
  readonly finishedAt: Date | null;
}

export interface DueSubscription {
  readonly id: string;
  readonly failing: boolean;
}

const timeOrNull = (time: Date | null): string | null => (time === null ? null : sqlTime(time));

export class DeliveryQueue {
  private readonly sql;

  constructor(
    private readonly database: Database,
    /** Names this daemon in its leases. */
    private readonly owner: string,
  ) {
    this.sql = deliveryStatements[database.dialect];
  }

  /** Gives back what this daemon (null: whoever there was before it) had claimed and not attempted to the end. */
  async release(now: Date, of: 'mine' | 'everybody'): Promise<void> {
    await this.database.transaction((tx) =>
      tx.webhookEvent.updateMany({
        where: { status: 'pending', leaseOwner: of === 'mine' ? this.owner : { not: null } },
        data: { leaseOwner: null, nextAttemptAt: now },
      }),
    );
  }

  /** The enabled subscriptions that something is due for. */
  async due(now: Date): Promise<DueSubscription[]> {
    const at = sqlTime(now);
    type Row = { id: string; failingSince: unknown };
    const rows = await this.database.read.$queryRawUnsafe<Row[]>(this.sql.dueSubscriptions, at, at);
    return rows.map(({ id, failingSince }) => ({ id, failing: failingSince !== null }));
  }

  /** Ids of the replayed delivery whose turn it is, unless one is on its way, and of up to `limit` others that are due. */
  async dueOf(subscriptionId: string, now: Date, limit: number, replaying: boolean): Promise<string[]> {
    const pending = { subscriptionId, status: 'pending' };
    const { webhookEvent } = this.database.read;
    const rows = await webhookEvent.findMany({
      where: { ...pending, replayPosition: null, nextAttemptAt: { lte: now } },
      orderBy: [{ nextAttemptAt: 'asc' }, { id: 'asc' }],
      take: limit,
      select: { id: true },
    });
    const first = replaying
      ? null
      : await webhookEvent.findFirst({
          where: { ...pending, replayPosition: { not: null } },
          orderBy: { replayPosition: 'asc' },
          select: { id: true, nextAttemptAt: true },
        });
    const isDue = first !== null && first.nextAttemptAt !== null && first.nextAttemptAt <= now;
    return [...(isDue ? [first] : []), ...rows].map(({ id }) => id);
  }

  /** Takes those that nobody has taken meanwhile. */
  async claim(ids: readonly string[], now: Date): Promise<ClaimedDelivery[]> {
    if (ids.length === 0) return [];
    const claimed = await this.database.transaction((tx) =>
      tx.webhookEvent.updateManyAndReturn({
        where: { id: { in: [...ids] }, status: 'pending', nextAttemptAt: { lte: now } },
        data: { leaseOwner: this.owner, nextAttemptAt: new Date(now.getTime() + leaseMs) },
        include: { subscription: true },
      }),
    );
    return claimed.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
  }

  /** Those that are still this daemon's, as they are now. */
  async mine(tx: Transaction, ids: readonly string[]): Promise<Map<string, WebhookEventRow>> {
    const rows = await tx.webhookEvent.findMany({ where: { id: { in: [...ids] }, leaseOwner: this.owner } });
    return new Map(rows.map((row) => [row.id, row]));
  }

  async finish(tx: Transaction, attempts: readonly AttemptRow[], rows: readonly FinishedDelivery[]): Promise<void> {
    const attempted = attempts.map((one) => [
      ...[one.id, one.webhookEventId, one.attempt, sqlTime(one.startedAt), one.durationMs],
      ...[one.statusCode, one.error, one.responseSnippet],
    ]);
    await tx.$executeRawUnsafe(this.sql.insertAttempts, JSON.stringify(attempted));
    const finished = rows.map((row) => [
      ...[row.id, row.status, row.attemptsCount, row.lastError],
      ...[timeOrNull(row.nextAttemptAt), timeOrNull(row.finishedAt)],
    ]);
    await tx.$executeRawUnsafe(this.sql.finish, JSON.stringify(finished));
  }
}
