/** Gives up deliveries that a disabled subscription has held too long, and deletes old ones. */

import type { JobRunner } from '../../platform/scheduler/jobs.js';
import type { Repeat } from '../../platform/scheduler/repeat.js';
import type { Clock } from '../../platform/time/clock.js';
import { dayMs } from '../../platform/time/spans.js';

interface KeptDeliveryLog {
  /** Both handle up to `limit` and return how many there were. */
  giveUpHeld(limit: number): Promise<number>;
  prune(before: Date, limit: number): Promise<number>;
}

const everyMs = 60_000;
const batchSize = 500;

export const keepDeliveryLog = (
  deliveries: KeptDeliveryLog,
  retentionDays: () => number,
  now: Clock,
  jobs: JobRunner,
): Repeat =>
  jobs.repeat('keep-delivery-log', everyMs, async () => {
    while ((await deliveries.giveUpHeld(batchSize)) === batchSize);
    const before = new Date(now().getTime() - retentionDays() * dayMs);
    while ((await deliveries.prune(before, batchSize)) === batchSize);
  });
