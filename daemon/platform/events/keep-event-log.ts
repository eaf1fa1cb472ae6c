/** Deletes events that are older than the log is kept. */
import type { JobRunner } from '../scheduler/jobs.js';
import type { Repeat } from '../scheduler/repeat.js';

interface KeptEventLog {
  /** Deletes up to `limit`; returns how many. */
  prune(limit: number): Promise<number>;
}

const everyMs = 60_000;
const batchSize = 1_000;

export const keepEventLog = (events: KeptEventLog, jobs: JobRunner): Repeat =>
  jobs.repeat('keep-event-log', everyMs, async () => {
    while ((await events.prune(batchSize)) === batchSize);
  });
