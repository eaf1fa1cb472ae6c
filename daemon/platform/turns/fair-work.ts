/**
 * Work for many, one piece after the other: shares take turns, and each keeps its order. What fails is tried again for a
 * while, because the database may be away for a moment. What may wait is limited.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../../src/contract/errors.js';
import { limits } from '../limits/catalogue.js';
import { FairQueue } from '../limits/fair-queue.js';
import type { Logger } from '../observability/logger.js';

const attemptsMax = 8;
const pauseMs = 2_000;

export class FairWork<Item> {
  private readonly queue = new FairQueue<Item>('room_records', limits.room_records.max);
  private readonly stopping = new AbortController();
  private working: Promise<void> | null = null;

  /** @param lost the sentence that is logged about work that could not be done */
  constructor(
    private readonly work: (item: Item) => Promise<void>,
    private readonly lost: string,
    private readonly log: Logger,
    private readonly pause = pauseMs,
  ) {}

  add(share: string, item: Item): void {
    if (!this.queue.push(share, item)) this.log.error({ share }, `${this.lost}: the queue is full`);
    else this.working ??= this.run();
  }

  /** Does what waits; what fails now is not tried again. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.working;
  }

  private async run(): Promise<void> {
    for (let [item] = this.queue.take(1); item !== undefined; [item] = this.queue.take(1)) await this.carryOut(item);
    this.working = null;
  }

  private async carryOut(item: Item): Promise<void> {
    const { signal } = this.stopping;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.work(item);
      } catch (err) {
        if (err instanceof DomainError || attempt >= attemptsMax || signal.aborted)
          return this.log.error({ err }, this.lost);
        await sleep(this.pause, undefined, { signal }).catch(() => {});
      }
    }
  }
}
