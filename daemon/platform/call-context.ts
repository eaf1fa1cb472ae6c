/**
 * A value that everything in a call can ask for, however deep. On Node.js 20, every promise of the whole daemon takes two
 * to four times as long while such a value is kept, and Node.js itself never stops once it has begun. Here it is kept only
 * while a call is in progress that has one.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export class CallContext<T> {
  private readonly storage = new AsyncLocalStorage<T>();
  private calls = 0;

  /** The value of the call that asks; undefined: it has none, or has ended. */
  get value(): T | undefined {
    return this.storage.getStore();
  }

  async run<R>(value: T, call: () => Promise<R>): Promise<R> {
    this.calls += 1;
    try {
      return await this.storage.run(value, call);
    } finally {
      this.calls -= 1;
      if (this.calls === 0) this.storage.disable();
    }
  }

  /** Runs work that belongs to no call, whoever begins it. */
  outside<R>(work: () => R): R {
    return this.calls === 0 ? work() : this.storage.exit(work);
  }
}
