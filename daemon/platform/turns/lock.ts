/** A first-come, first-served lock. */
export class Lock {
  private tail: Promise<void> = Promise.resolve();

  /** Resolves, when it is the caller's turn, to a function that releases the lock. */
  async take(): Promise<() => void> {
    const before = this.tail;
    let release: () => void = () => {};
    this.tail = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }

  async hold<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.take();
    try {
      return await work();
    } finally {
      release();
    }
  }
}
