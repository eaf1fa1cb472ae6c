/**
 * Starts, ends and expires gatherings whose time has come, lets delayed ready marks take effect, and declines expired
 * invitations. What is due is read from the tables, so neither restarts nor clock jumps lose any.
 */
import type { Logger } from '../../platform/observability/logger.js';
import type { NextDue } from '../../platform/scheduler/due-work.js';
import type { JobRunner } from '../../platform/scheduler/jobs.js';
import type { Repeat } from '../../platform/scheduler/repeat.js';
import type { HandledBatch } from './moves.js';
import type { DuePage } from './store.js';

type Job = (page: DuePage) => Promise<HandledBatch>;
interface TimedGatherings {
  readonly moveDue: Job;
  readonly readyDue: Job;
  readonly runOutDue: Job;
  readonly nextDue: NextDue;
}

const everyMs = 1_000;
const batchSize = 200;

export const moveGatherings = (gatherings: TimedGatherings, jobs: JobRunner, log: Logger): Repeat =>
  jobs.repeat(
    'move-gatherings',
    everyMs,
    async () => {
      await handleAll((page) => gatherings.moveDue(page), log);
      await handleAll((page) => gatherings.readyDue(page), log);
      await handleAll((page) => gatherings.runOutDue(page), log);
    },
    gatherings.nextDue,
  );

/** Handles each due gathering; failures are passed over and tried again in the next run. */
async function handleAll(job: Job, log: Logger): Promise<void> {
  for (let skip = 0; ; ) {
    const { size, failures } = await job({ take: batchSize, skip });
    if (failures.length > 0)
      log.error({ err: failures[0], failed: failures.length }, 'gatherings could not be moved; they are tried again');
    if (size < batchSize) return;
    skip += failures.length;
  }
}
