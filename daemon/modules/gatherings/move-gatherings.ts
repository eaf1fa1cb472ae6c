/**
 * Starts, ends and expires gatherings whose time has come, lets delayed ready marks take effect, and declines expired
 * invitations. What is due is read from the tables, so neither restarts nor clock jumps lose any.
 */
import type { Logger } from '../../platform/observability/logger.js';
import { Repeat } from '../../platform/scheduler/repeat.js';

export interface TimedGatherings {
  /** Each handles up to `batchSize` due rows, and returns how many there were. */
  moveDue(batchSize: number): Promise<number>;
  readyDue(batchSize: number): Promise<number>;
  runOutDue(batchSize: number): Promise<number>;
}

const everyMs = 1_000;
const batchSize = 200;

export const moveGatherings = (gatherings: TimedGatherings, log: Logger): Repeat =>
  new Repeat(
    'move-gatherings',
    everyMs,
    async () => {
      while ((await gatherings.moveDue(batchSize)) === batchSize);
      while ((await gatherings.readyDue(batchSize)) === batchSize);
      while ((await gatherings.runOutDue(batchSize)) === batchSize);
    },
    log,
  );
