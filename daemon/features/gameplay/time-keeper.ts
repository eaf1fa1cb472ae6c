/** Ends what has run out of time, soon after it has: challenges with a duration, and reset periods. */
import type { Logger } from 'pino';
import type { PlayerChallenges } from './player-challenges.js';

const intervalMs = 500;
const batchMax = 500;

export class TimeKeeper {
  private timer: NodeJS.Timeout | null = null;
  private working: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly challenges: PlayerChallenges,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.timer = setTimeout(() => {
      this.working = this.work().finally(() => {
        if (!this.stopped) this.start();
      });
    }, intervalMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.working;
  }

  private async work(): Promise<void> {
    try {
      let applied = batchMax;
      while (applied === batchMax && !this.stopped) applied = await this.challenges.applyTime(batchMax);
    } catch (error) {
      this.log.warn({ err: error }, 'challenges whose time has run out could not be ended; trying again');
    }
  }
}
