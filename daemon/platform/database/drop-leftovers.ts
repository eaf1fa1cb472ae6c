/** Overwrites deleted data in the database's files: erased text must not be found on the disk. */
import type { Logger } from '../observability/logger.js';
import { Repeat } from '../scheduler/repeat.js';

interface Leftovers {
  dropLeftovers(): Promise<void>;
}

const everyMs = 60_000;

export const dropLeftovers = (database: Leftovers, log: Logger): Repeat =>
  new Repeat('drop-leftovers', everyMs, () => database.dropLeftovers(), log);
