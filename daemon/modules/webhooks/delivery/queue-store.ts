/**
 * The outbox as a queue. Claiming a row moves the time of its next attempt to the end of a lease, so a daemon that dies
 * with it releases it; until then no other daemon sees it as due. Leases are judged by the daemon's clock. Choice: the
 * clocks of daemons that share a database may differ by up to three quarters of a lease; NTP keeps them far closer.
 */

import type { Database, Transaction } from '../../../platform/database/database.js';
import { sqlTime } from '../../../platform/database/dialect.js';
import { earliestOf } from '../../../platform/scheduler/due-work.js';
import type { LeaseKind } from '../../../platform/turns/leases.js';
import type { AttemptRow, Content, WebhookEventRow } from '../delivery-rows.js';
import type { SubscriptionRow } from '../subscription-store.js';
import { leaseMs } from './limits.js';
import { longestWaitMs } from './schedule.js';
import { attemptRows, deliveryStatements, finishedRows, nextAttempts } from './sql.js';

export interface ClaimedDelivery extends WebhookEventRow {
  readonly content: Content;
  readonly subscription: SubscriptionRow;
  /** How often a daemon crashed during an attempt since one was recorded. */
  readonly crashes: number;
}

/** How an attempt leaves its delivery. */
export interface FinishedDelivery extends WebhookEventRow {
  readonly finishedAt: Date | null;
}

export interface DueDelivery {
  readonly id: string;
  readonly tenantId: string;
  readonly subscriptionId: string;
  /** The endpoint has failed since its last success. */
  readonly failing: boolean;
  /** A daemon crashed during an attempt. */
  readonly suspect: boolean;
}

/** The part of a delivery that a recorder needs. */
type HeldContent = Pick<Content, 'subjectUserId' | 'redactedAt'>;

/** In the form that the databases return. */
interface ClaimedRow
  extends Omit<
    WebhookEventRow,
    'status' | 'nextAttemptAt' | 'attemptsCount' | 'attemptsBefore' | 'replayPosition' | 'createdAt'
  > {
  readonly attemptsCount: number | bigint;
  readonly attemptsBefore: number | bigint;
  readonly crashes: number | bigint;
  readonly replayPosition: number | bigint | null;
  readonly createdAt: string | Date;
}

export class DeliveryQueue {
  private readonly sql;

  constructor(
    private readonly database: Database,
    /** Names this daemon in its leases. */
    private readonly owner: string,
  ) {
    this.sql = deliveryStatements[database.dialect];
  }

  /** Releases the rows that this daemon had claimed and whose attempt is not recorded. */
  async release(now: Date): Promise<void> {
    await this.database.transaction((tx) =>
      tx.webhookEvent.updateMany({
        where: { status: 'pending', leaseOwner: this.owner },
        data: { leaseOwner: null, nextAttemptAt: now },
      }),
    );
  }

  /** Lets the leases of all daemons end at this time, because none of them runs any more. Returns how many there were. */
  async endLeases(at: Date): Promise<number> {
    const where = { finishedAt: null, status: 'pending', leaseOwner: { not: null } };
    return this.database.transaction(
      async (tx) => (await tx.webhookEvent.updateMany({ where, data: { nextAttemptAt: at } })).count,
    );
  }

  readonly leases: LeaseKind = {
    table: 'WebhookEvent',
    lengthMs: leaseMs,
    holder: 'daemon',
    shorten: (latest) => {
      const where = { finishedAt: null, status: 'pending', leaseOwner: { not: null }, nextAttemptAt: { gt: latest } };
      return this.database.transaction(
        async (tx) => (await tx.webhookEvent.updateMany({ where, data: { nextAttemptAt: latest } })).count,
      );
    },
  };

  /**
   * The clock was set back: deliveries that were due by it are due now, and none waits longer than its schedule says.
   * Returns how many there were.
   */
  async bringForward(now: Date): Promise<number> {
    const waiting = { finishedAt: null, status: 'pending', leaseOwner: null };
    const latest = new Date(now.getTime() + longestWaitMs);
    const data = { nextAttemptAt: now };
    return this.database.transaction(async (tx) => {
      const unsent = { ...waiting, attemptsCount: 0, nextAttemptAt: { gt: now } };
      const { count } = await tx.webhookEvent.updateMany({ where: unsent, data });
      const others = { ...waiting, nextAttemptAt: { gt: latest } };
      return count + (await tx.webhookEvent.updateMany({ where: others, data })).count;
    });
  }

  setAsideCount = (): Promise<number> =>
    this.database.read.webhookEvent.count({ where: { finishedAt: null, status: 'set_aside' } });

  setAside = (tx: Transaction, id: string, lastError: string) =>
    tx.webhookEvent.update({
      where: { id },
      data: { status: 'set_aside', lastError, nextAttemptAt: null, leaseOwner: null },
    });

  /** Deliveries that are still attempted, whether due or not; of a tenant or of all. */
  pending(tenantId?: string): Promise<number> {
    const where = { finishedAt: null, status: 'pending', ...(tenantId === undefined ? {} : { tenantId }) };
    return this.database.read.webhookEvent.count({ where });
  }

  /**
   * Returns the due deliveries of enabled subscriptions, oldest first, of each no more than may be in progress at once.
   */
  async due(now: Date): Promise<DueDelivery[]> {
    const at = sqlTime(now);
    type Row = DueDelivery & { readonly failing: unknown; readonly suspect: unknown };
    const rows = await this.database.read.$queryRawUnsafe<Row[]>(this.sql.due, at, at);
    return rows.map(({ failing, suspect, ...row }) => ({
      ...row,
      failing: Boolean(failing),
      suspect: Boolean(suspect),
    }));
  }

  /** The earliest time of a waiting delivery that is sent. */
  nextDue = async (): Promise<Date | null> => {
    type Row = { readonly replayed: string | null; readonly other: string | null };
    const rows = await this.database.read.$queryRawUnsafe<Row[]>(nextAttempts);
    return earliestOf(rows.flatMap(({ replayed, other }) => [replayed, other]));
  };

  /** Claims those that nobody else has claimed meanwhile. A lease of another daemon that has run out counts as its crash. */
  async claim(wanted: readonly Pick<DueDelivery, 'id' | 'suspect'>[], now: Date): Promise<ClaimedDelivery[]> {
    if (wanted.length === 0) return [];
    const leaseEnd = new Date(now.getTime() + leaseMs);
    return this.database.transaction(async (tx) => {
      for (const { id } of wanted.filter(({ suspect }) => suspect))
        await tx.webhookEvent.updateMany({
          where: { id, status: 'pending', nextAttemptAt: { lte: now }, leaseOwner: { not: this.owner } },
          data: { crashes: { increment: 1 } },
        });
      const parameters = [this.owner, sqlTime(leaseEnd), sqlTime(now), JSON.stringify(wanted.map(({ id }) => id))];
      const rows = await tx.$queryRawUnsafe<ClaimedRow[]>(this.sql.claim, ...parameters);
      const ids = JSON.stringify([...new Set(rows.map(({ subscriptionId }) => subscriptionId))]);
      const found = await tx.$queryRawUnsafe<SubscriptionRow[]>(this.sql.subscriptions, ids);
      const subscriptions = new Map(found.map((one) => [one.id, one]));
      const eventIds = [...new Set(rows.map(({ eventId }) => eventId))];
      const sent = await tx.webhookPayload.findMany({ where: { eventId: { in: eventIds } } });
      const contents = new Map(sent.map((one) => [one.eventId, one]));
      return rows.flatMap((row) => {
        const [subscription, content] = [subscriptions.get(row.subscriptionId), contents.get(row.eventId)];
        if (subscription === undefined || content === undefined) return [];
        return [{ ...toPending(row, leaseEnd), crashes: Number(row.crashes), subscription, content }];
      });
    });
  }

  /** Returns the deliveries still claimed by this daemon, with what an erasure may have changed meanwhile. */
  async mine(tx: Transaction, ids: readonly string[]): Promise<Map<string, HeldContent>> {
    type Mine = { readonly id: string; readonly eventId: string };
    type Held = Omit<HeldContent, 'redactedAt'> & {
      readonly eventId: string;
      readonly redactedAt: string | Date | null;
    };
    const rows = await tx.$queryRawUnsafe<Mine[]>(this.sql.mine, this.owner, JSON.stringify(ids));
    const eventIds = [...new Set(rows.map(({ eventId }) => eventId))];
    const held = await tx.$queryRawUnsafe<Held[]>(this.sql.contents, JSON.stringify(eventIds));
    const contents = new Map(
      held.map(({ eventId, subjectUserId, redactedAt }) => [
        eventId,
        { subjectUserId, redactedAt: redactedAt === null ? null : new Date(redactedAt) },
      ]),
    );
    return new Map(
      rows.flatMap(({ id, eventId }) => {
        const content = contents.get(eventId);
        return content === undefined ? [] : [[id, content]];
      }),
    );
  }

  async finish(tx: Transaction, attempts: readonly AttemptRow[], rows: readonly FinishedDelivery[]): Promise<void> {
    await tx.$executeRawUnsafe(this.sql.insertAttempts, attemptRows.text(attempts));
    await tx.$executeRawUnsafe(this.sql.finish, finishedRows.text(rows));
  }
}

const toPending = (row: ClaimedRow, nextAttemptAt: Date): WebhookEventRow => ({
  ...row,
  status: 'pending',
  attemptsCount: Number(row.attemptsCount),
  attemptsBefore: Number(row.attemptsBefore),
  replayPosition: row.replayPosition === null ? null : BigInt(row.replayPosition),
  nextAttemptAt,
  createdAt: new Date(row.createdAt),
});
