/**
 * Delivers the outbox, at least once and with the same id at each attempt. Each endpoint has a few places of its own and
 * a single one while it fails, so that one which hangs delays nobody else's deliveries.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../clock.js';
import type { WakeUps } from '../../events/wake-ups.js';
import type { Logger } from '../../observability/logger.js';
import type { Attempts } from './attempt.js';
import { concurrencyMax, perEndpointMax, perFailingEndpointMax, pollMs, stopGraceMs } from './limits.js';
import type { ClaimedDelivery, DeliveryQueue } from './queue.js';
import type { AttemptRecorder, DeliveryState } from './recorder.js';

export interface DispatcherOptions {
  /** No other daemon works on this database: what a dead one had claimed may be taken at once. */
  readonly alone: boolean;
  /** Breaks off what is on its way. */
  readonly interrupt: () => void;
  /** Told of every attempt that is stored, with the time that it took. */
  readonly attempted: (state: DeliveryState, seconds: number) => void;
}

export class WebhookDispatcher {
  /** How many deliveries are on their way, by subscription. */
  private readonly inFlight = new Map<string, number>();
  private readonly running = new Set<Promise<void>>();
  private unsubscribe: (() => void) | null = null;
  private timer: NodeJS.Timeout | null = null;
  private filling: Promise<void> | null = null;
  private again = false;
  private interrupted = false;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly attempts: Attempts,
    private readonly recorder: AttemptRecorder,
    private readonly wakeUps: WakeUps,
    private readonly logger: Logger,
    private readonly now: Clock,
    private readonly options: DispatcherOptions,
  ) {}

  async start(): Promise<void> {
    if (this.options.alone) await this.queue.release(this.now(), 'everybody');
    this.unsubscribe = this.wakeUps.onWake(() => this.wake());
    this.timer = setInterval(() => this.wake(), pollMs);
    this.wake();
  }

  /** Lets what is on its way arrive for a moment; what does not is given back and attempted by whoever comes next. */
  async stop(): Promise<void> {
    this.unsubscribe?.();
    this.unsubscribe = null;
    if (this.timer !== null) clearInterval(this.timer);
    await this.filling;
    const arrived = Promise.all(this.running);
    await Promise.race([arrived, sleep(stopGraceMs, undefined, { ref: false })]);
    this.interrupted = this.running.size > 0;
    this.options.interrupt();
    await arrived;
    if (this.interrupted) await this.queue.release(this.now(), 'mine');
  }

  /** How many attempts are. */
  get underWay(): number {
    return this.running.size;
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
      this.logger.warn({ err: error }, 'the webhook outbox could not be read; trying again');
    }
  }

  /** Launches what is due and has a place; returns how many. */
  private async launchDue(): Promise<number> {
    const free = concurrencyMax - this.running.size;
    if (free <= 0) return 0;
    const now = this.now();
    const chosen: string[] = [];
    const taken = new Map(this.inFlight);
    for (const { id, subscriptionId, failing } of await this.queue.due(now)) {
      const places = taken.get(subscriptionId) ?? 0;
      if (places >= (failing ? perFailingEndpointMax : perEndpointMax)) continue;
      taken.set(subscriptionId, places + 1);
      if (chosen.push(id) === free) break;
    }
    const claimed = await this.queue.claim(chosen, now);
    for (const delivery of claimed) this.launch(delivery);
    return claimed.length;
  }

  private launch(delivery: ClaimedDelivery): void {
    const { subscriptionId } = delivery;
    this.occupy(subscriptionId, 1);
    const work = this.deliver(delivery)
      .catch((error: unknown) =>
        this.logger.error({ err: error, deliveryId: delivery.id }, 'a webhook attempt could not be recorded'),
      )
      .finally(() => {
        this.running.delete(work);
        this.occupy(subscriptionId, -1);
        if (this.unsubscribe !== null) this.wake();
      });
    this.running.add(work);
  }

  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    const outcome = await this.attempts.make(delivery);
    if (this.interrupted && outcome.error !== null) return; // it was not the receiver's fault
    const state = await this.recorder.record({ delivery, outcome });
    const { id: deliveryId, subscriptionId, eventId } = delivery;
    const { statusCode: status, durationMs } = outcome;
    if (state !== null) this.options.attempted(state, durationMs / 1_000);
    this.logger.debug({ deliveryId, subscriptionId, eventId, status, durationMs }, 'webhook attempted');
  }

  private occupy(subscriptionId: string, places: 1 | -1): void {
    const now = (this.inFlight.get(subscriptionId) ?? 0) + places;
    if (now === 0) this.inFlight.delete(subscriptionId);
    else this.inFlight.set(subscriptionId, now);
  }
}
