/**
 * A value that any code within a call can read. On Node.js 20, AsyncLocalStorage makes every promise of the daemon two
 * to four times as slow, and stays active once it was used. So here it is active only while a call with a value is in
 * progress.
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

  /** Runs work that belongs to no call, also where a call starts it. */
  outside<R>(work: () => R): R {
    return this.calls === 0 ? work() : this.storage.exit(work);
  }
}
