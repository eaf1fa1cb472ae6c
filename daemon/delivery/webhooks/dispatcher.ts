/**
 * Delivers the outbox: signed, logged, retried. At least once, with the same id at each attempt; one endpoint that
 * hangs keeps its own few places busy and nobody else's.
 */
import { uuidv7 } from 'uuidv7';
import { deliveryHeaders } from '../../../src/signing.js';
import type { Clock } from '../../clock.js';
import type { Database, Transaction } from '../../database/database.js';
import type { EventLog } from '../../events/log.js';
import type { WakeUps } from '../../events/wake-ups.js';
import type { OpenSubscription } from '../../features/webhooks/service.js';
import { type SubscriptionRow, toWebhookEvent } from '../../features/webhooks/store.js';
import { Repeat } from '../../jobs/repeat.js';
import type { Logger } from '../../observability/logger.js';
import type { Outbound, OutboundAnswer } from '../outbound.js';
import { type ClaimedDelivery, DeliveryQueue } from './queue.js';
import { retryAfterMs, waitAfter } from './schedule.js';

const concurrencyMax = 64;
const perSubscriptionMax = 4;
const batchMax = 100;
const pollMs = 1_000;
const leaseMs = 60_000;
const heldCheckMs = 60_000;
const snippetBytes = 1_024;
const goneStatus = 410;
/** Failing this long without a success disables a subscription. */
const failingMs = 5 * 86_400_000;

interface Outcome {
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly snippet: string | null;
  readonly retryAfter: string | null;
  readonly durationMs: number;
}

export class WebhookDispatcher {
  private readonly queue: DeliveryQueue;
  private readonly held: Repeat;
  private readonly active = new Map<string, number>();
  private inFlight = 0;
  private readonly running = new Set<Promise<void>>();
  private unsubscribe: (() => void) | null = null;
  private timer: NodeJS.Timeout | null = null;
  private filling: Promise<void> | null = null;
  private again = false;

  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly wakeUps: WakeUps,
    private readonly outbound: Outbound,
    private readonly open: (row: SubscriptionRow) => OpenSubscription,
    private readonly logger: Logger,
    private readonly now: Clock,
  ) {
    this.queue = new DeliveryQueue(database, uuidv7(), leaseMs);
    this.held = new Repeat('drop-held-deliveries', heldCheckMs, () => this.queue.dropHeld(now()), logger);
  }

  start(): void {
    this.unsubscribe = this.wakeUps.onWake(() => this.wake());
    this.timer = setInterval(() => this.wake(), pollMs);
    this.held.start();
    this.wake();
  }

  /** Lets what is on its way arrive; the caller's deadline bounds it. */
  async stop(): Promise<void> {
    this.unsubscribe?.();
    this.unsubscribe = null;
    if (this.timer !== null) clearInterval(this.timer);
    await this.held.stop();
    await this.filling;
    await Promise.all(this.running);
  }

  private wake(): void {
    this.again = true;
    this.filling ??= this.fill().finally(() => {
      this.filling = null;
      if (this.again && this.unsubscribe !== null) this.wake();
    });
  }

  private async fill(): Promise<void> {
    this.again = false;
    try {
      while (this.inFlight < concurrencyMax && this.unsubscribe !== null) {
        const busy = [...this.active].filter(([, count]) => count >= perSubscriptionMax).map(([id]) => id);
        const claimed = await this.queue.claim(this.now(), Math.min(batchMax, concurrencyMax - this.inFlight), busy);
        if (claimed.length === 0) return;
        for (const delivery of claimed) this.launch(delivery);
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'the webhook outbox could not be read; trying again');
    }
  }

  private launch(delivery: ClaimedDelivery): void {
    const { subscriptionId } = delivery;
    this.inFlight += 1;
    this.active.set(subscriptionId, (this.active.get(subscriptionId) ?? 0) + 1);
    const work = this.deliver(delivery)
      .catch((error: unknown) =>
        this.logger.error({ err: error, deliveryId: delivery.id }, 'a webhook attempt could not be recorded'),
      )
      .finally(() => {
        this.running.delete(work);
        this.inFlight -= 1;
        const left = (this.active.get(subscriptionId) ?? 1) - 1;
        if (left === 0) this.active.delete(subscriptionId);
        else this.active.set(subscriptionId, left);
        if (this.unsubscribe !== null) this.wake();
      });
    this.running.add(work);
  }

  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    const startedAt = this.now();
    const outcome = await this.attempt(delivery);
    await this.database.transaction((tx) => this.record(tx, delivery, startedAt, outcome));
    const { id: deliveryId, subscriptionId, eventId } = delivery;
    this.logger.debug(
      { deliveryId, subscriptionId, eventId, status: outcome.statusCode, durationMs: outcome.durationMs },
      'webhook attempted',
    );
  }

  private async attempt({ subscription, eventId, payload }: ClaimedDelivery): Promise<Outcome> {
    const began = performance.now();
    const since = () => Math.round(performance.now() - began);
    try {
      const { url, secret, bare, headers } = this.open(subscription);
      const body = bare ? JSON.stringify(JSON.parse(payload).payload.data) : payload;
      const signed = {
        ...headers,
        ...deliveryHeaders(secret, eventId, body, this.now()),
        'Content-Type': 'application/json',
        'User-Agent': 'earshot',
      };
      const answer = await this.outbound.post(url, signed, body);
      return {
        statusCode: answer.status,
        error: refusalOf(answer),
        snippet: answer.body.slice(0, snippetBytes),
        retryAfter: answer.retryAfter,
        durationMs: since(),
      };
    } catch (error) {
      return { statusCode: null, error: describe(error), snippet: null, retryAfter: null, durationMs: since() };
    }
  }

  /** Attempt, state and the news of them, together. */
  private async record(tx: Transaction, delivery: ClaimedDelivery, startedAt: Date, outcome: Outcome): Promise<void> {
    const now = this.now();
    const attempt = delivery.attemptsCount + 1;
    const { statusCode, error, durationMs } = outcome;
    const wait =
      error === null || statusCode === goneStatus
        ? null
        : waitAfter(attempt, retryAfterMs(outcome.retryAfter, now), Math.random());
    const status = error === null ? 'delivered' : wait === null ? 'failed' : 'pending';
    const still = await tx.webhookEvent.findUnique({ where: { id: delivery.id }, select: { payload: true } });
    if (still === null) return; // deleted with its subscription while it was on its way
    // Redacted while it was on its way: the answer may repeat what was to be forgotten.
    const responseSnippet = still.payload === delivery.payload ? outcome.snippet : null;
    await tx.webhookAttempt.create({
      data: {
        id: uuidv7(),
        webhookEventId: delivery.id,
        attempt,
        startedAt,
        durationMs,
        statusCode,
        error,
        responseSnippet,
      },
    });
    const row = await tx.webhookEvent.update({
      where: { id: delivery.id },
      data: {
        status,
        attemptsCount: attempt,
        lastError: error,
        nextAttemptAt: wait === null ? null : new Date(now.getTime() + wait),
        leaseOwner: null,
        leaseUntil: null,
        finishedAt: status === 'pending' ? null : now,
      },
    });
    await this.judgeSubscription(tx, delivery.subscription, outcome, now);
    const { tenantId, projectId, id } = row;
    await this.log.append(tx, {
      type: 'webhook.delivery.updated',
      tenantId,
      projectId,
      resourceId: `webhook-event:${id}`,
      action: 'updated',
      data: toWebhookEvent(row),
      subjectUserId: row.subjectUserId,
    });
  }

  /** 410 disables at once; failures alone for five days do too. */
  private async judgeSubscription(
    tx: Transaction,
    { id, failingSince }: SubscriptionRow,
    { error, statusCode }: Outcome,
    now: Date,
  ): Promise<void> {
    if (error === null) {
      if (failingSince !== null)
        await tx.webhookSubscription.updateMany({ where: { id }, data: { failingSince: null } });
      return;
    }
    const since = failingSince ?? now;
    const disable = statusCode === goneStatus || now.getTime() - since.getTime() >= failingMs;
    await tx.webhookSubscription.updateMany({
      where: { id },
      data: { failingSince: since, ...(disable ? { enabled: false, disabledAt: now, updatedAt: now } : {}) },
    });
    if (disable) this.logger.warn({ subscriptionId: id, statusCode }, 'webhook subscription disabled');
  }
}

const refusalOf = ({ status }: OutboundAnswer): string | null =>
  status >= 200 && status <= 299 ? null : `the receiver answered ${status}`;

const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer within 15 s';
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
};
