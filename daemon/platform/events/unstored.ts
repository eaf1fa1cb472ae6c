/**
 * The events that found no room in the database last. Readiness tries them once more: a full disk refuses rows, and still
 * gives out their positions.
 */
import type { PreparedRows } from '../database/bulk-rows.js';
import { isOutage } from '../database/errors.js';

export interface UnstoredBatch {
  readonly count: number;
  readonly rows: readonly PreparedRows[];
}

const takenBack = new Error('The events were stored to see whether they can be.');

export class Unstored {
  private events: UnstoredBatch | null = null;

  /** Stores the events, and keeps them where the database had no room. */
  async watch(events: UnstoredBatch, store: (events: UnstoredBatch) => Promise<bigint>): Promise<bigint> {
    try {
      return await store(events);
    } catch (error) {
      this.keep(events, error);
      throw error;
    }
  }

  /** Keeps the events if the error says that the database had no room for them. */
  keep(events: UnstoredBatch, error: unknown): void {
    if (isOutage(error)) this.events = events;
  }

  /** Events were stored since. */
  clear(): void {
    this.events = null;
  }

  /**
   * Calls `transaction` with the work to do in it: `store` with the events, which takes them back, or `idle` where there are
   * none. Throws where they find no room again.
   */
  async tryAgain<Tx>(
    transaction: (work: (tx: Tx) => Promise<void>) => Promise<void>,
    { store, idle }: { store(tx: Tx, events: UnstoredBatch): Promise<unknown>; idle(tx: Tx): Promise<unknown> },
  ): Promise<void> {
    const { events } = this;
    try {
      await transaction(async (tx) => {
        if (events === null) return void (await idle(tx));
        await store(tx, events);
        throw takenBack;
      });
    } catch (error) {
      if (error !== takenBack) throw error;
    }
    if (this.events === events) this.events = null;
  }
}
