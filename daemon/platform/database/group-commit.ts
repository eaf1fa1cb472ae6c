/**
 * Stores many small requests in one transaction. Requests wait until there are as many as the last time, or for a
 * moment at most; each is answered after the commit. A request that makes the batch fail is refused alone; when the
 * database cannot be reached, all of the batch fail. Shares, such as the tenants of the requests, take turns by the cost of
 * their requests and fill only their own part of the queue.
 */
import { DomainError } from '../../../src/contract/errors.js';
import { addTo } from '../collections/add-to.js';
import { type LimitName, limits } from '../limits/catalogue.js';
import { FairQueue, type FairQueueLimits } from '../limits/fair-queue.js';
import { countRefusal } from '../limits/refusals.js';
import { isOutage } from './errors.js';
import { confirmed, currentRecord, outside, type RequestRecord } from './request-record.js';

interface GroupCommitLimits extends FairQueueLimits {
  /** Longest wait for other requests. */
  readonly delayMs: number;
  readonly batchMax: number;
}

const pace = { delayMs: 2, batchMax: 500 };

/** Limits of queues, by what stands in the catalogue of them. */
type QueueName = {
  [Name in LimitName]: (typeof limits)[Name] extends { readonly max: FairQueueLimits } ? Name : never;
}[LimitName];

/**
 * Turns of the event loop for other work before the next batch. Each accepts one new connection, and costs nothing when
 * idle.
 */
const turnsBetweenBatches = 32;

interface Sharing<Item> {
  /** Names the share of an item, such as its tenant. */
  readonly shareOf?: (item: Item) => string;
  /** Names the part of the share, such as the project. */
  readonly partOf?: (item: Item) => string;
  /** Returns the cost of storing the item, at least 1. */
  readonly costOf?: (item: Item) => number;
  /** A batch ends with the item that makes it cost as much. */
  readonly costMax?: number;
}

interface QueuedItem<Item, Outcome> {
  readonly item: Item;
  readonly record: RequestRecord | undefined;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export class GroupCommit<Item, Outcome> {
  private readonly limits: GroupCommitLimits;
  private readonly queue: FairQueue<QueuedItem<Item, Outcome>>;
  private timer: NodeJS.Timeout | null = null;
  private soon: NodeJS.Immediate | null = null;
  private next: NodeJS.Immediate | null = null;
  /** How many the last batch had: clients that wait for their answers come again as many. */
  private usual = 1;
  private running: Promise<void> | null = null;

  private readonly shareOf: (item: Item) => string;
  private readonly partOf: (item: Item) => string;
  private readonly costMax: number;

  /**
   * `flush` stores items in one transaction and returns an outcome for each that it has stored, in their order: all of
   * them, or the first ones where the batch turns out to be too large. When it throws, nothing of the batch may be stored.
   */
  constructor(
    private readonly name: QueueName,
    private readonly flush: (items: readonly Item[]) => Promise<readonly Outcome[]>,
    own: Partial<GroupCommitLimits> = {},
    { shareOf = () => '', partOf = () => '', costOf = () => 1, costMax = Infinity }: Sharing<Item> = {},
  ) {
    this.limits = { ...pace, ...limits[name].max, ...own };
    this.queue = new FairQueue(name, this.limits, ({ item }) => costOf(item));
    this.shareOf = shareOf;
    this.partOf = partOf;
    this.costMax = costMax;
  }

  get waiting(): number {
    return this.queue.length;
  }

  /** Throws `overloaded` when the share is full, before any work is done for the request. */
  requirePlace(share: string, part?: string): void {
    if (this.queue.hasPlace(share, part)) return;
    countRefusal(this.name);
    throw new DomainError('overloaded', { retryAfterSeconds: 1 });
  }

  /**
   * Resolves once the item is committed. Throws `overloaded` when its share is full, or the error of the item itself.
   */
  submit(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const queued = { item, record: currentRecord(), resolve, reject };
      if (!this.queue.push(this.shareOf(item), queued, this.partOf(item)))
        return reject(new DomainError('overloaded', { retryAfterSeconds: 1 }));
      // A batch belongs to no request, not to the one that it begins with.
      if (this.running === null && this.next === null) outside(() => this.schedule());
    });
  }

  /** Resolves when everything that was submitted is committed or refused. */
  async drain(): Promise<void> {
    while (this.queue.length > 0 || this.running !== null) {
      if (this.running === null) outside(() => this.start());
      await this.running;
    }
  }

  private schedule(): void {
    if (this.queue.length >= this.limits.batchMax) {
      this.start();
      return;
    }
    this.timer ??= setTimeout(() => this.start(), this.limits.delayMs);
    // At the end of this turn, since more may come in it: the events of one request are submitted one by one.
    if (this.queue.length >= this.usual) this.soon ??= setImmediate(() => this.start());
  }

  /** SQLite answers synchronously, so batch after batch would keep the event loop busy. */
  private giveWay(turns: number): void {
    this.next = setImmediate(() => {
      this.next = null;
      if (turns > 1) this.giveWay(turns - 1);
      else if (this.queue.length > 0 && this.running === null) this.schedule();
    });
  }

  private start(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    if (this.soon !== null) clearImmediate(this.soon);
    this.timer = null;
    this.soon = null;
    if (this.running !== null) return;
    const batch = this.queue.take(this.limits.batchMax, this.costMax);
    this.usual = batch.length;
    this.running = this.runConfirmed(batch).finally(() => {
      this.running = null;
      if (this.queue.length > 0 && this.next === null) this.giveWay(turnsBetweenBatches);
    });
  }

  private async runConfirmed(batch: readonly QueuedItem<Item, Outcome>[]): Promise<void> {
    const allowed = await confirmed(batch);
    if (allowed.length > 0) await this.runBatch(allowed);
  }

  private async runBatch(batch: readonly QueuedItem<Item, Outcome>[]): Promise<void> {
    try {
      await this.commit(batch);
    } catch (error) {
      if (batch.length === 1 || isOutage(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      for (const part of this.parts(batch)) await this.runBatch(part);
    }
  }

  /** By share first, so that one share with failing items slows down only itself. */
  private parts(batch: readonly QueuedItem<Item, Outcome>[]): QueuedItem<Item, Outcome>[][] {
    const shares = new Map<string, QueuedItem<Item, Outcome>[]>();
    for (const one of batch) {
      addTo(shares, JSON.stringify([this.shareOf(one.item), this.partOf(one.item)]), one);
    }
    return shares.size > 1 ? [...shares.values()] : batch.map((one) => [one]);
  }

  private async commit(batch: readonly QueuedItem<Item, Outcome>[]): Promise<void> {
    const outcomes = await this.flush(batch.map(({ item }) => item));
    outcomes.forEach((outcome, index) => {
      batch[index]?.resolve(outcome);
    });
    const rest = batch.slice(outcomes.length).reverse();
    for (const one of rest) this.queue.putBack(this.shareOf(one.item), one, this.partOf(one.item));
  }
}
