/** Ends challenges whose time has run out, and reset periods that are over, soon after the time. */
import type { NextDue } from '../../platform/scheduler/due-work.js';
import type { JobRunner } from '../../platform/scheduler/jobs.js';
import type { Repeat } from '../../platform/scheduler/repeat.js';

interface TimedChallenges {
  /** Handles up to `batchSize` that are due; returns how many there were. */
  applyTime(batchSize: number): Promise<number>;
  readonly nextDue: NextDue;
}

const everyMs = 500;
const batchSize = 500;

export const applyChallengeTime = (challenges: TimedChallenges, jobs: JobRunner): Repeat =>
  jobs.repeat(
    'apply-challenge-time',
    everyMs,
    async () => {
      while ((await challenges.applyTime(batchSize)) === batchSize);
    },
    challenges.nextDue,
  );
