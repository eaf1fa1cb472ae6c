/**
 * Runs a piece of work again and again, one at a time; stopping waits for it to finish. The log has a line when it begins to
 * fail, and one when it completes again.
 */
import type { Logger } from '../observability/logger.js';
import { type Clock, systemClock } from '../time/clock.js';
import { every } from '../time/ticks.js';

/** Failures of a job in a row. */
export interface JobFailures {
  readonly count: number;
  readonly since: Date;
  /** The last error. */
  readonly message: string;
}

export class Repeat {
  private end: (() => void) | null = null;
  private running: Promise<void> | null = null;
  /** The failures since it has completed last; null: it completed. */
  private failing: JobFailures | null = null;

  constructor(
    readonly name: string,
    private readonly everyMs: number,
    private readonly work: () => Promise<void>,
    private readonly log: Pick<Logger, 'error' | 'info' | 'debug'>,
    private readonly clock: Clock = systemClock,
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
      .then(
        () => this.completed(),
        (error: unknown) => this.failed(error),
      )
      .finally(() => {
        this.running = null;
      });
  }

  get failures(): JobFailures | null {
    return this.failing;
  }

  private completed(): void {
    if (this.failing === null) return;
    this.log.info({ job: this.name, failures: this.failing.count }, 'a job that had failed completed again');
    this.failing = null;
  }

  private failed(error: unknown): void {
    const { count = 0, since = this.clock() } = this.failing ?? {};
    this.failing = { count: count + 1, since, message: error instanceof Error ? error.message : String(error) };
    if (count === 0) this.log.error({ err: error, job: this.name }, 'a job failed; it will run again');
    else this.log.debug({ err: error, job: this.name, failures: count + 1 }, 'a job failed again');
  }
}
