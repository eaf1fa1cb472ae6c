/** Ends mutes and closures of rooms whose time is over, as the table says: no restart loses one. */
import type { Logger } from '../../../platform/observability/logger.js';
import { Repeat } from '../../../platform/scheduler/repeat.js';

interface EndingRestrictions {
  /** Ends up to `take`; returns how many there were. */
  expireDue(take: number): Promise<number>;
}

const everyMs = 1_000;
const batchSize = 100;

export const expireRestrictions = (rooms: EndingRestrictions, log: Logger): Repeat =>
  new Repeat(
    'expire-room-restrictions',
    everyMs,
    async () => {
      while ((await rooms.expireDue(batchSize)) === batchSize);
    },
    log,
  );
