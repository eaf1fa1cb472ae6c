/** Runs a piece of work again and again, one at a time; stopping waits for it to finish. */
import type { Logger } from '../observability/logger.js';

export class Repeat {
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> | null = null;

  constructor(
    private readonly name: string,
    private readonly everyMs: number,
    private readonly work: () => Promise<void>,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.now(), this.everyMs);
    this.now();
  }

  async stop(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    await this.running;
  }

  /** Runs it now, unless it is running or stopped. */
  now(): void {
    if (this.timer === null) return;
    this.running ??= this.work()
      .catch((error: unknown) => this.log.error({ err: error, job: this.name }, 'a job failed; it will run again'))
      .finally(() => {
        this.running = null;
      });
  }
}
