/** Deletes transcripts, game events and stored answers that are older than they may be kept, in batches. */
import { setImmediate as pause } from 'node:timers/promises';
import type { Logger } from '../observability/logger.js';
import { Repeat } from './repeat.js';

export interface PersonalData {
  /** What it deletes. */
  readonly kind: string;
  /** Each deletes up to `limit` that are too old, and returns how many. */
  prune(limit: number): Promise<number>;
}

const everyMs = 60_000;
const batchSize = 200;

export const keepPersonalData = (
  kinds: readonly PersonalData[],
  database: { dropLeftovers(): Promise<void> },
  log: Logger,
): Repeat =>
  new Repeat(
    'keep-personal-data',
    everyMs,
    async () => {
      let removed = 0;
      for (const { kind, prune } of kinds) {
        let count = 0;
        for (let some = batchSize; some >= batchSize; count += some) {
          some = await prune(batchSize);
          await pause(); // other work runs between two batches
        }
        if (count > 0) log.info({ kind, count }, 'removed what is older than it may be kept');
        removed += count;
      }
      if (removed > 0) await database.dropLeftovers();
    },
    log,
  );
