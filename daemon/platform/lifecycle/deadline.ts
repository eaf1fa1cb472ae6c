/** A time by which several pieces of work, one after the other, must have ended; otherwise they are abandoned. */
export class Deadline {
  private readonly endsAt: number;

  constructor(withinMs: number) {
    this.endsAt = performance.now() + withinMs;
  }

  /** Resolves to true if the work ended in time. Rejects when the work does. */
  async met(work: Promise<unknown>): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, Math.max(0, this.endsAt - performance.now()), false);
    });
    try {
      return await Promise.race([work.then(() => true), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
