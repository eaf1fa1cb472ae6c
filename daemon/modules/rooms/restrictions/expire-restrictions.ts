/** Ends mutes and closures of rooms whose time is over, as the table says: no restart loses one. */
import type { NextDue } from '../../../platform/scheduler/due-work.js';
import type { JobRunner } from '../../../platform/scheduler/jobs.js';
import type { Repeat } from '../../../platform/scheduler/repeat.js';

interface EndingRestrictions {
  /** Ends up to `take`; returns how many there were. */
  expireDue(take: number): Promise<number>;
  readonly nextDue: NextDue;
}

const everyMs = 1_000;
const batchSize = 100;

export const expireRestrictions = (rooms: EndingRestrictions, jobs: JobRunner): Repeat =>
  jobs.repeat(
    'expire-room-restrictions',
    everyMs,
    async () => {
      while ((await rooms.expireDue(batchSize)) === batchSize);
    },
    rooms.nextDue,
  );
