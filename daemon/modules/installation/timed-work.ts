/**
 * Work at the times of a cron expression, one run at a time. What was missed, because the daemon did not run then, is done after
 * the start.
 */
import { Cron } from 'croner';
import type { Clock } from '../../platform/time/clock.js';
import { every } from '../../platform/time/ticks.js';

interface TimedWorkNeeds {
  /** Five fields of cron, in the time zone of the machine. */
  readonly times: string;
  /** When it was done. */
  readonly done: () => Promise<readonly Date[]>;
  readonly work: () => Promise<void>;
  readonly failed: (error: unknown) => void;
  readonly now: Clock;
}

const lookEveryMs = 5_000;

export class TimedWork {
  private readonly cron: Cron;
  private readonly startedAt: Date;
  private triedAt: Date | null = null;
  private isBusy = false;
  private repeated: () => void = () => {};

  constructor(private readonly needs: TimedWorkNeeds) {
    this.cron = new Cron(needs.times, { paused: true });
    this.startedAt = needs.now();
  }

  start(): void {
    this.repeated = every(lookEveryMs, () => void this.look());
  }

  stop(): void {
    this.repeated();
  }

  /** When it is due next, in the past where it is due by now. Where it was neither done nor tried, it counts from the start. */
  async nextAt(): Promise<Date | null> {
    const now = this.needs.now();
    // Times ahead are of a clock that was set back since.
    const past = [...(await this.needs.done()), this.triedAt ?? []].flat().filter((at) => at <= now);
    const first = this.startedAt <= now ? this.startedAt : now;
    return this.cron.nextRun(past.reduce((last, at) => (at > last ? at : last), past[0] ?? first));
  }

  /** Does the work if it is due. Never rejects. */
  async look(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      const next = await this.nextAt();
      if (next === null || next > this.needs.now()) return;
      this.triedAt = this.needs.now();
      await this.needs.work();
    } catch (error) {
      this.needs.failed(error);
    } finally {
      this.isBusy = false;
    }
  }
}
