/**
 * Stores the results of attempts, many in one transaction: attempt, state, health of the receiver and the events about
 * them.
 */

import type { Database, Transaction } from '../../../platform/database/database.js';
import { GroupCommit } from '../../../platform/database/group-commit.js';
import { changesBetween, type EventLog } from '../../../platform/events/log.js';
import type { NewEvent } from '../../../platform/events/logged.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import { setAsideReason } from '../../../platform/set-aside.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { WebhookEventRow } from '../delivery-rows.js';
import { deliveryUpdated } from '../delivery-updated.js';
import { type SubscriptionRow, type SubscriptionStore, toSubscription, withoutAddress } from '../subscription-store.js';
import type { AttemptOutcome } from './attempt.js';
import { goneStatus, healthAfter } from './health.js';
import type { ClaimedDelivery, DeliveryQueue, FinishedDelivery } from './queue-store.js';
import { retryAfterMs, waitAfter } from './schedule.js';

interface Attempted {
  readonly delivery: ClaimedDelivery;
  readonly outcome: AttemptOutcome;
}

/** The state of a delivery after an attempt; `pending`: it will be retried. */
export type DeliveryState = 'delivered' | 'pending' | 'failed';

export class AttemptRecorder {
  private readonly commits: GroupCommit<Attempted, DeliveryState | null>;

  constructor(
    private readonly database: Database,
    private readonly queue: DeliveryQueue,
    private readonly subscriptions: SubscriptionStore,
    private readonly log: EventLog,
    private readonly now: Clock,
  ) {
    this.commits = new GroupCommit('delivery_records', async (batch) => {
      const after = await this.database.transaction((tx) => this.store(tx, batch));
      return batch.map(({ delivery }) => after.get(delivery.id) ?? null);
    });
  }

  /** Resolves, once stored, to the state of the delivery; null: it is claimed by another daemon, or was deleted. */
  record(attempted: Attempted): Promise<DeliveryState | null> {
    return this.commits.submit(attempted);
  }

  /** Ends the attempts at a delivery until somebody sends it again. */
  setAside(delivery: ClaimedDelivery): Promise<void> {
    return this.database.transaction(async (tx) => {
      const content = (await this.queue.mine(tx, [delivery.id])).get(delivery.id);
      if (content === undefined) return;
      await this.queue.setAside(tx, delivery.id, setAsideReason);
      const after = { ...delivery, status: 'set_aside', lastError: setAsideReason, nextAttemptAt: null };
      await this.log.append(tx, deliveryUpdated(delivery, after, content));
    });
  }

  private async store(tx: Transaction, batch: readonly Attempted[]): Promise<Map<string, DeliveryState>> {
    const now = this.now();
    const contents = await this.queue.mine(
      tx,
      batch.map(({ delivery }) => delivery.id),
    );
    const current = await this.concerned(tx, batch);
    /** It failed at an address that the subscription no longer has. */
    const isOfFormer = ({ delivery: { subscription }, outcome }: Attempted) =>
      outcome.error !== null && (current.get(subscription.id) ?? subscription).url !== subscription.url;
    // No row: it was deleted with its subscription during the attempt, or the lease had run out.
    const stored = batch.flatMap((one) => {
      const content = contents.get(one.delivery.id);
      if (content === undefined) return [];
      return [{ ...one, content, after: (isOfFormer(one) ? begunAnew : finished)(one.delivery, one.outcome, now) }];
    });
    if (stored.length === 0) return new Map();
    const attempts = stored.map(({ delivery, outcome, content, after }) => ({
      id: uuidv7(),
      webhookEventId: delivery.id,
      attempt: after.attemptsCount,
      startedAt: outcome.startedAt,
      durationMs: outcome.durationMs,
      statusCode: outcome.statusCode,
      error: outcome.error,
      // Redacted during the attempt: the answer may repeat what was erased.
      responseSnippet: isSame(content.redactedAt, delivery.content.redactedAt) ? outcome.snippet : null,
    }));
    await this.queue.finish(
      tx,
      attempts,
      stored.map(({ after }) => after),
    );
    const atPresent = stored.filter((one) => !isOfFormer(one));
    const disabled = await this.judge(tx, atPresent, [...current.values()], now);
    const updated = stored.map(({ delivery, after, content }) => deliveryUpdated(delivery, after, content));
    await this.log.append(tx, ...updated, ...disabled);
    return new Map(stored.map(({ after }) => [after.id, after.status]));
  }

  /** Returns the subscriptions whose health these attempts may change, by id. */
  private async concerned(tx: Transaction, batch: readonly Attempted[]): Promise<Map<string, SubscriptionRow>> {
    const ids = new Set(batch.filter(isConcerned).map(({ delivery }) => delivery.subscriptionId));
    if (ids.size === 0) return new Map();
    const rows = await this.subscriptions.byIds(tx, [...ids].sort());
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Updates the health of the receivers; returns the events of those that are disabled by it. */
  private async judge(
    tx: Transaction,
    batch: readonly Attempted[],
    subscriptions: readonly SubscriptionRow[],
    now: Date,
  ): Promise<NewEvent[]> {
    const events: NewEvent[] = [];
    for (const before of subscriptions) {
      const after = batch
        .filter(isConcerned)
        .filter(({ delivery }) => delivery.subscriptionId === before.id)
        .reduce((health, { outcome }) => healthAfter<SubscriptionRow>(health, outcome, now), before);
      if (after === before) continue;
      const disabled = before.enabled && !after.enabled;
      const judged = { ...after, updatedAt: disabled ? now : before.updatedAt };
      const { count } = await this.subscriptions.setHealth(tx, before.enabled, judged);
      if (disabled && count > 0) events.push(subscriptionDisabled(before, judged));
    }
    return events;
  }
}

/** The attempt may change the health of its receiver. */
const isConcerned = ({ delivery: { subscription }, outcome }: Attempted): boolean =>
  outcome.error !== null || subscription.failingSince !== null;

const isSame = (one: Date | null, other: Date | null): boolean => one?.getTime() === other?.getTime();

/** The delivery as the attempt leaves it. */
function finished(
  row: WebhookEventRow,
  { error, statusCode, retryAfter }: AttemptOutcome,
  now: Date,
): FinishedDelivery & { readonly status: DeliveryState } {
  const attemptsCount = row.attemptsCount + 1;
  const wait =
    error === null || statusCode === goneStatus
      ? null
      : waitAfter(attemptsCount - row.attemptsBefore, retryAfterMs(retryAfter, now), Math.random());
  return {
    ...row,
    attemptsCount,
    status: error === null ? 'delivered' : wait === null ? 'failed' : 'pending',
    lastError: error,
    nextAttemptAt: wait === null ? null : new Date(now.getTime() + wait),
    finishedAt: wait === null ? now : null,
  };
}

/** The delivery after an attempt at a former address: due at once, with a new schedule. */
const begunAnew = (row: WebhookEventRow, { error }: AttemptOutcome, now: Date): ReturnType<typeof finished> => ({
  ...row,
  attemptsCount: row.attemptsCount + 1,
  attemptsBefore: row.attemptsCount + 1,
  ...({ status: 'pending', lastError: error, nextAttemptAt: now, finishedAt: null } as const),
});

function subscriptionDisabled(before: SubscriptionRow, after: SubscriptionRow): NewEvent {
  const { id, tenantId, projectId } = after;
  const data = withoutAddress(toSubscription(after));
  const changes = changesBetween(withoutAddress(toSubscription(before)), data);
  return {
    type: 'webhook.subscription.disabled',
    tenantId,
    projectId,
    resourceId: `webhook-subscription:${id}`,
    action: 'updated',
    data,
    ...(changes === undefined ? {} : { changes }),
  };
}
