/**
 * Deletes scores of tallies that are not shown any more, a part at a time with pauses, so that the deletion of a million
 * members delays nobody.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../platform/database/database.js';
import { whileThere } from '../../platform/scheduler/due-work.js';
import type { JobRunner } from '../../platform/scheduler/jobs.js';
import type { Repeat } from '../../platform/scheduler/repeat.js';
import { discardedTally, removeSome } from './discarded-store.js';

const everyMs = 5_000;

export class DiscardedScores {
  private readonly repeat: Repeat;
  private readonly stopping = new AbortController();

  constructor(
    private readonly database: Database,
    jobs: JobRunner,
  ) {
    this.repeat = jobs.repeat(
      'drop-discarded-scores',
      everyMs,
      () => this.remove(),
      whileThere(async () => (await discardedTally(database.read)) !== null),
    );
  }

  start(): void {
    this.repeat.start();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.repeat.stop();
  }

  private async remove(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const tallyId = await discardedTally(this.database.read);
      if (tallyId === null) return;
      const began = performance.now();
      await this.database.transaction((tx) => removeSome(tx, this.database.dialect, tallyId));
      // Half of the time is for others.
      await pause(performance.now() - began, undefined, { signal }).catch(() => {});
    }
  }
}
