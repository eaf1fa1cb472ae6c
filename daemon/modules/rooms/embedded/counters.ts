/** Counts of the room process; the daemon reads them through `stats`. */
import type { DropCause } from '../media/engine.js';

export class PacketCounters {
  packetsIn = 0;
  packetsForwarded = 0;
  readonly packetsDropped: Record<DropCause, number> = {
    rate: 0,
    size: 0,
    policy: 0,
    malformed: 0,
    slots: 0,
    unsent: 0,
    unsealed: 0,
    tap: 0,
  };

  drop(cause: DropCause, count = 1): void {
    this.packetsDropped[cause] += count;
  }
}
