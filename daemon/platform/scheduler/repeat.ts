/** Runs a piece of work again and again, one at a time; stopping waits for it to finish. */
import type { Logger } from '../observability/logger.js';
import { every } from '../time/ticks.js';

export class Repeat {
  private end: (() => void) | null = null;
  private running: Promise<void> | null = null;

  constructor(
    private readonly name: string,
    private readonly everyMs: number,
    private readonly work: () => Promise<void>,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.end = every(this.everyMs, () => this.now());
    this.now();
  }

  async stop(): Promise<void> {
    this.end?.();
    this.end = null;
    await this.running;
  }

  /** Runs it now, unless it is running or stopped. */
  now(): void {
    if (this.end === null) return;
    this.running ??= this.work()
      .catch((error: unknown) => this.log.error({ err: error, job: this.name }, 'a job failed; it will run again'))
      .finally(() => {
        this.running = null;
      });
  }
}
