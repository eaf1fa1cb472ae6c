/**
 * Many small requests, one transaction: requests queue for at most a moment, are flushed together, and each is
 * answered after the commit. A request that spoils the batch fails alone. Shares, such as the projects that requests are
 * of, take turns and fill only their own part of the queue.
 */
import { DomainError } from '../../../src/contract/errors.js';
import { FairQueue, type FairQueueLimits } from '../fair-queue.js';

export interface GroupCommitLimits extends FairQueueLimits {
  /** Longest wait for company. */
  readonly delayMs: number;
  readonly batchMax: number;
}

export const groupCommitLimits: GroupCommitLimits = { delayMs: 2, batchMax: 500, shareMax: 5_000, queueMax: 20_000 };

/** Turns of the event loop that others get before the next batch. Each accepts one new connection, and costs nothing when idle. */
const turnsBetweenBatches = 32;

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export class GroupCommit<Item, Outcome> {
  private readonly queue: FairQueue<Waiting<Item, Outcome>>;
  private timer: NodeJS.Timeout | null = null;
  private next: NodeJS.Immediate | null = null;
  private running: Promise<void> | null = null;

  /**
   * `flush` stores all items in one transaction and returns an outcome for each, in their order; when it throws,
   * nothing of the batch may be stored. `shareOf` names the share that an item is of.
   */
  constructor(
    private readonly flush: (items: readonly Item[]) => Promise<readonly Outcome[]>,
    private readonly limits: GroupCommitLimits = groupCommitLimits,
    private readonly shareOf: (item: Item) => string = () => '',
  ) {
    this.queue = new FairQueue(limits);
  }

  get waiting(): number {
    return this.queue.length;
  }

  /** Throws `overloaded` when the share is full: known before anything is made of what would be refused. */
  requirePlace(share: string): void {
    if (!this.queue.hasPlace(share)) throw new DomainError('overloaded', { retryAfterSeconds: 1 });
  }

  /** Resolves once the item is committed. Throws `overloaded` when its share is full, or what the item itself caused. */
  submit(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      if (!this.queue.push(this.shareOf(item), { item, resolve, reject }))
        return reject(new DomainError('overloaded', { retryAfterSeconds: 1 }));
      if (this.running === null && this.next === null) this.schedule();
    });
  }

  /** Everything that was submitted is committed or refused when this resolves. */
  async drain(): Promise<void> {
    while (this.queue.length > 0 || this.running !== null) {
      if (this.running === null) this.start();
      await this.running;
    }
  }

  private schedule(): void {
    if (this.queue.length >= this.limits.batchMax) {
      this.start();
      return;
    }
    this.timer ??= setTimeout(() => this.start(), this.limits.delayMs);
  }

  /** SQLite answers at once, so batch after batch would let nobody else have the event loop. */
  private giveWay(turns: number): void {
    this.next = setImmediate(() => {
      this.next = null;
      if (turns > 1) this.giveWay(turns - 1);
      else if (this.queue.length > 0 && this.running === null) this.schedule();
    });
  }

  private start(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.running !== null) return;
    this.running = this.runBatch(this.queue.take(this.limits.batchMax)).finally(() => {
      this.running = null;
      if (this.queue.length > 0 && this.next === null) this.giveWay(turnsBetweenBatches);
    });
  }

  private async runBatch(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    try {
      await this.commit(batch);
    } catch (error) {
      if (batch.length === 1) {
        batch[0]?.reject(error);
        return;
      }
      for (const part of this.parts(batch)) await this.runBatch(part);
    }
  }

  /** By share first, so that one who spoils batches slows down nobody else's. */
  private parts(batch: readonly Waiting<Item, Outcome>[]): Waiting<Item, Outcome>[][] {
    const shares = new Map<string, Waiting<Item, Outcome>[]>();
    for (const one of batch) {
      const share = this.shareOf(one.item);
      shares.set(share, [...(shares.get(share) ?? []), one]);
    }
    return shares.size > 1 ? [...shares.values()] : batch.map((one) => [one]);
  }

  private async commit(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    const outcomes = await this.flush(batch.map(({ item }) => item));
    batch.forEach(({ resolve }, index) => {
      resolve(outcomes[index] as Outcome);
    });
  }
}
