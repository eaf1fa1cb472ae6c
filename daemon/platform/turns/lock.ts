/** A first-come, first-served lock. */
export class Lock {
  private tail: Promise<void> = Promise.resolve();

  /** Resolves, when it is the caller's turn, to a function that releases the lock. */
  async acquire(): Promise<() => void> {
    const before = this.tail;
    let release: () => void = () => {};
    this.tail = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }

  /** As `acquire`; null: it was not the caller's turn within this time. */
  async takeWithin(ms: number): Promise<(() => void) | null> {
    const taken = this.acquire();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), ms);
    });
    const release = await Promise.race([taken, late]);
    clearTimeout(timer);
    if (release === null) void taken.then((pass) => pass());
    return release;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }
}
