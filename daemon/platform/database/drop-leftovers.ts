/** Overwrites deleted data in the database's files: erased text must not be found on the disk. */
import type { JobRunner } from '../scheduler/jobs.js';
import type { Repeat } from '../scheduler/repeat.js';

interface Leftovers {
  dropLeftovers(): Promise<void>;
}

const everyMs = 60_000;

export const dropLeftovers = (database: Leftovers, jobs: JobRunner): Repeat =>
  jobs.repeat('drop-leftovers', everyMs, () => database.dropLeftovers());
