/** Deletes what modules keep for a limited time, once it is older than that, in batches. */
import { setImmediate as pause } from 'node:timers/promises';
import type { Logger } from '../observability/logger.js';
import type { JobRunner } from './jobs.js';
import { Repeat } from './repeat.js';

export interface PersonalData {
  /** Kind of data that is deleted. */
  readonly kind: string;
  /** Each deletes up to `limit` that are too old, and returns how many. */
  prune(limit: number): Promise<number>;
}

const job = 'keep-personal-data';
const everyMs = 60_000;
const batchSize = 200;

export const keepPersonalData = (
  kinds: readonly PersonalData[],
  database: { dropLeftovers(): Promise<void> },
  jobs: Pick<JobRunner, 'run'>,
  log: Logger,
): Repeat =>
  new Repeat(
    job,
    everyMs,
    async () => {
      let removed = 0;
      for (const one of kinds)
        await jobs.run({ job, subject: one.kind, projectId: null }, async () => {
          removed += await pruned(one, log);
        });
      if (removed > 0) await database.dropLeftovers();
    },
    log,
  );

/** A kind that cannot be deleted now, and is tried again at the next time, keeps no other from being deleted. */
async function pruned(data: PersonalData, log: Logger): Promise<number> {
  const { kind } = data;
  let count = 0;
  try {
    for (let some = batchSize; some >= batchSize; count += some) {
      some = await data.prune(batchSize);
      await pause(); // other work runs between two batches
    }
  } catch (error) {
    log.error({ err: error, kind }, 'expired data could not be removed; trying again');
  }
  if (count > 0) log.info({ kind, count }, 'removed expired data');
  return count;
}
