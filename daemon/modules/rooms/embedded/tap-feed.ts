/**
 * Sends a tapped room's packets to the daemon in batches. One batch is sent at a time; packets that arrive meanwhile
 * wait in bounded rings, so a busy daemon loses old packets and no memory grows.
 */
import { roomLimits, type SpeakerPacket } from '../media/engine.js';
import type { PacketCounters } from './counters.js';
import { PacketRings } from './packet-rings.js';

const batchPackets = 1_000;

type SendBatch = (packets: SpeakerPacket[], sent: () => void) => void;

export class TapFeed {
  private readonly rings = new PacketRings<SpeakerPacket>(roomLimits.tapRingPackets);
  private underWay = false;

  constructor(
    private readonly send: SendBatch,
    private readonly counters: PacketCounters,
  ) {}

  push(packet: SpeakerPacket): void {
    const before = this.rings.dropped;
    this.rings.push(packet);
    this.counters.drop('tap', this.rings.dropped - before);
  }

  flush(): void {
    if (this.underWay || this.rings.size === 0) return;
    this.underWay = true;
    this.send(this.rings.take(batchPackets), () => {
      this.underWay = false;
    });
  }
}
