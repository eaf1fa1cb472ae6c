/** Delivers the outbox, at least once and with the same id at each attempt. `Places` decides which delivery is next. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { WakeUps } from '../../../platform/events/wake-ups.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { DueWork } from '../../../platform/scheduler/due-work.js';
import type { Clock } from '../../../platform/time/clock.js';
import { every } from '../../../platform/time/ticks.js';
import { crashesMax, restAfterCrashMs, type SuspectTurns } from '../../../platform/turns/suspect-turns.js';
import type { Attempts } from './attempt.js';
import type { DeliveryHold } from './hold.js';
import { pollMs, stopGraceMs } from './limits.js';
import { Places } from './places.js';
import type { ClaimedDelivery, DeliveryQueue } from './queue-store.js';
import type { AttemptRecorder, DeliveryState } from './recorder.js';

interface DispatcherOptions {
  /** No other daemon works on this database, so leases of an earlier process need not run out. */
  readonly alone: boolean;
  /** Called for every stored attempt, with its duration. */
  readonly attempted: (state: DeliveryState, seconds: number) => void;
}

interface WebhookDispatcherNeeds {
  readonly queue: DeliveryQueue;
  readonly attempts: Attempts;
  readonly recorder: AttemptRecorder;
  readonly suspects: SuspectTurns;
  readonly due: DueWork;
  readonly hold: Pick<DeliveryHold, 'isHeld'>;
  readonly wakeUps: WakeUps;
  readonly logger: Logger;
  readonly now: Clock;
  readonly options: DispatcherOptions;
}

export class WebhookDispatcher {
  private readonly places = new Places();
  /** Attempts in progress, and what ends each early. */
  private readonly running = new Map<Promise<void>, AbortController>();
  private unsubscribe: (() => void) | null = null;
  private endPolls: (() => void) | null = null;
  private filling: Promise<void> | null = null;
  private again = false;
  private interrupted = false;

  constructor(private readonly needs: WebhookDispatcherNeeds) {}

  async start(): Promise<void> {
    if (this.needs.hold.isHeld)
      this.needs.logger.warn('webhooks wait since a restore: `earshotd webhooks release` sends them');
    if (this.needs.options.alone) await this.endLeases();
    await this.needs.queue.bringForward(this.needs.now()); // the clock may have been ahead before
    this.unsubscribe = this.needs.wakeUps.onWake(() => this.wake(), 'deliveries');
    this.endPolls = every(pollMs, () => void this.poll());
    this.wake();
  }

  /**
   * Waits a moment for attempts in progress; those that do not finish are released and attempted again by another start
   * or daemon.
   */
  async stop(): Promise<void> {
    this.unsubscribe?.();
    this.unsubscribe = null;
    this.endPolls?.();
    await this.filling;
    const arrived = Promise.all(this.running.keys());
    await Promise.race([arrived, sleep(stopGraceMs, undefined, { ref: false })]);
    this.interrupted = this.running.size > 0;
    for (const attempt of this.running.values()) attempt.abort();
    await arrived;
    if (this.interrupted) await this.needs.queue.release(this.needs.now());
  }

  /** An earlier process ended without giving them back. */
  private async endLeases(): Promise<void> {
    const { queue, now, logger } = this.needs;
    const count = await queue.endLeases(new Date(now().getTime() + restAfterCrashMs));
    if (count > 0)
      logger.warn({ count }, 'the daemon crashed during these webhook attempts; they are retried, one at a time');
  }

  /** How many attempts are in progress. */
  get underWay(): number {
    return this.running.size;
  }

  private async poll(): Promise<void> {
    if (await this.needs.due.mayBeDue()) this.wake();
  }

  private wake(): void {
    this.again = true;
    this.filling ??= this.fill().finally(() => {
      this.filling = null;
      if (this.again && this.unsubscribe !== null) this.wake();
    });
  }

  private async fill(): Promise<void> {
    try {
      while (this.again && this.unsubscribe !== null) {
        await nextTurn(); // attempts that were recorded together free their places together
        this.again = false;
        if ((await this.launchDue()) > 0) this.again = true;
      }
    } catch (error) {
      this.again = false;
      this.needs.due.again();
      this.needs.logger.warn({ err: error }, 'the webhook outbox could not be read; trying again');
    }
  }

  /** Starts attempts for what is due and has a place; returns how many. */
  private async launchDue(): Promise<number> {
    if (this.places.isFull || this.needs.hold.isHeld) return 0;
    const now = this.needs.now();
    const chosen = this.places.choose(this.needs.suspects.admit(await this.needs.queue.due(now)));
    const claimed = await this.needs.queue.claim(chosen, now);
    for (const delivery of claimed) this.launch(delivery);
    return claimed.length;
  }

  private launch(delivery: ClaimedDelivery): void {
    const giveBack = this.places.acquire(delivery);
    const attempt = new AbortController();
    const work = this.deliver(delivery, attempt.signal)
      .catch((error: unknown) => {
        this.needs.logger.error({ err: error, deliveryId: delivery.id }, 'a webhook attempt could not be recorded');
        return null;
      })
      .then((arrived) => {
        this.running.delete(work);
        this.needs.suspects.end(delivery.id);
        giveBack(arrived);
        if (this.unsubscribe !== null) this.wake();
      });
    this.running.set(work, attempt);
  }

  /** Makes one attempt. Returns true if it arrived; null: the attempt was aborted. */
  private async deliver(delivery: ClaimedDelivery, interrupted: AbortSignal): Promise<boolean | null> {
    if (delivery.crashes >= crashesMax) {
      await this.needs.recorder.setAside(delivery);
      return null;
    }
    const outcome = await this.needs.attempts.make(delivery, interrupted);
    if (this.interrupted && outcome.error !== null) return null; // not the receiver's fault
    const state = await this.needs.recorder.record({ delivery, outcome });
    const { id: deliveryId, subscriptionId, eventId } = delivery;
    const { statusCode: status, durationMs } = outcome;
    if (state !== null) this.needs.options.attempted(state, durationMs / 1_000);
    this.needs.logger.debug({ deliveryId, subscriptionId, eventId, status, durationMs }, 'webhook attempted');
    return outcome.error === null;
  }
}
