/**
 * Puts sanctions into force at their start, and announces their end. What is due is read from the table, so neither
 * restarts nor clock jumps lose one.
 */
import type { NextDue } from '../../../platform/scheduler/due-work.js';
import type { JobRunner } from '../../../platform/scheduler/jobs.js';
import type { Repeat } from '../../../platform/scheduler/repeat.js';

interface ExpiringSanctions {
  /** Puts up to `batchSize` sanctions with a later start into force; returns how many there were. */
  beginDue(batchSize: number): Promise<number>;
  /** Handles up to `batchSize` ended ones; returns how many there were. */
  expireDue(batchSize: number): Promise<number>;
  readonly nextDue: NextDue;
}

const everyMs = 1_000;
const batchSize = 500;

export const expireSanctions = (sanctions: ExpiringSanctions, jobs: JobRunner): Repeat =>
  jobs.repeat(
    'expire-sanctions',
    everyMs,
    async () => {
      while ((await sanctions.beginDue(batchSize)) === batchSize);
      while ((await sanctions.expireDue(batchSize)) === batchSize);
    },
    sanctions.nextDue,
  );
