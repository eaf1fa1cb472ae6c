/**
 * Many small requests, one transaction: requests queue for at most a moment, are flushed together, and each is
 * answered after the commit. A request that spoils the batch fails alone.
 */
import { DomainError } from '../../src/contract/errors.js';

export interface GroupCommitLimits {
  /** Longest wait for company. */
  readonly delayMs: number;
  readonly batchMax: number;
  readonly queueMax: number;
}

export const groupCommitLimits: GroupCommitLimits = { delayMs: 2, batchMax: 500, queueMax: 5_000 };

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export class GroupCommit<Item, Outcome> {
  private queue: Waiting<Item, Outcome>[] = [];
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;

  /**
   * `flush` stores all items in one transaction and returns an outcome for each, in their order; when it throws,
   * nothing of the batch may be stored.
   */
  constructor(
    private readonly flush: (items: readonly Item[]) => Promise<readonly Outcome[]>,
    private readonly limits: GroupCommitLimits = groupCommitLimits,
  ) {}

  get waiting(): number {
    return this.queue.length;
  }

  /** Resolves once the item is committed. Throws `overloaded` when the queue is full, or what the item itself caused. */
  submit(item: Item): Promise<Outcome> {
    if (this.queue.length >= this.limits.queueMax) {
      return Promise.reject(new DomainError('overloaded', { retryAfterSeconds: 1 }));
    }
    return new Promise((resolve, reject) => {
      this.queue.push({ item, resolve, reject });
      if (this.running === null) this.schedule();
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

  private start(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.running !== null) return;
    this.running = this.runBatch(this.queue.splice(0, this.limits.batchMax)).finally(() => {
      this.running = null;
      if (this.queue.length > 0) this.schedule();
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
      for (const one of batch) {
        try {
          await this.commit([one]);
        } catch (cause) {
          one.reject(cause);
        }
      }
    }
  }

  private async commit(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    const outcomes = await this.flush(batch.map(({ item }) => item));
    batch.forEach(({ resolve }, index) => {
      resolve(outcomes[index] as Outcome);
    });
  }
}
