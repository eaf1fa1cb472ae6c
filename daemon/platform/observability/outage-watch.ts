/** While requests meet a database that does not answer, the health checks are asked: they log when that began, and when it has ended. */
import { every } from '../time/ticks.js';

const lookEveryMs = 2_000;

export class OutageWatch {
  private stopLooking: (() => void) | null = null;

  /** @param problems of the health checks; empty: all is well */
  constructor(private readonly problems: () => Promise<readonly unknown[]>) {}

  /** The database has failed a request. */
  noticed = (): void => {
    if (this.stopLooking !== null) return;
    this.stopLooking = every(lookEveryMs, () => void this.look());
    void this.look();
  };

  stop = (): void => {
    this.stopLooking?.();
    this.stopLooking = null;
  };

  private async look(): Promise<void> {
    if ((await this.problems()).length === 0) this.stop();
  }
}
