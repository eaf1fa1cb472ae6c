/**
 * Turns of MQTT connections at being read: each turn of the event loop takes a few packets in all, from one address after
 * the other, and then serves everybody else.
 */

import { limits } from '../../platform/limits/catalogue.js';
import { FairQueue, unlimited } from '../../platform/limits/fair-queue.js';
import { countWait } from '../../platform/limits/refusals.js';

/** Cost of the packets that are read in one turn of the event loop, as `packetCost` counts. */
const costPerTurn = limits.mqtt_packets.max;

export class ReadTurns {
  private left = costPerTurn;
  private next: NodeJS.Immediate | null = null;
  /** It has no limits of its own, because connections have, and each waits once. */
  private readonly waiting = new FairQueue<() => void>('mqtt_packets', unlimited);

  /** Returns the cost that may still be read in this turn of the event loop. */
  get costLeft(): number {
    return Math.max(0, this.left);
  }

  spend(cost: number): void {
    this.left -= cost;
    this.next ??= setImmediate(this.begin);
  }

  /** Calls `resume` in a later turn of the event loop, when it is the share's turn. */
  wait(share: string, resume: () => void): void {
    countWait('mqtt_packets');
    this.waiting.push(share, resume);
    this.next ??= setImmediate(this.begin);
  }

  private readonly begin = (): void => {
    this.next = null;
    this.left = costPerTurn;
    while (this.left > 0) {
      const [resume] = this.waiting.take(1);
      if (resume === undefined) return;
      resume();
    }
    this.next ??= setImmediate(this.begin);
  };
}
