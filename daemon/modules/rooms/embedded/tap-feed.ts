/**
 * Sends a tapped room's packets to the daemon in batches. One batch is sent at a time; packets that arrive meanwhile
 * wait in bounded rings, so a busy daemon loses old packets and no memory grows.
 */
import { roomLimits, type StampedPacket } from '../media/engine.js';
import type { PacketCounters } from './counters.js';
import { PacketRings } from './packet-rings.js';

const batchPackets = 1_000;

/** `missed`: packets since the last batch that arrived and were dropped. */
type SendBatch = (batch: { packets: StampedPacket[]; missed: number }, sent: () => void) => void;

export class TapFeed {
  private readonly rings = new PacketRings<StampedPacket>(roomLimits.tapRingPackets);
  private underWay = false;
  private missed = 0;

  constructor(
    private readonly send: SendBatch,
    private readonly counters: PacketCounters,
  ) {}

  push(packet: StampedPacket): void {
    const before = this.rings.dropped;
    this.rings.push(packet);
    const dropped = this.rings.dropped - before;
    this.counters.drop('tap', dropped);
    this.missed += dropped;
  }

  /** A packet was dropped before it came here. */
  miss(): void {
    this.missed += 1;
  }

  flush(): void {
    const { missed } = this;
    if (this.underWay || (this.rings.size === 0 && missed === 0)) return;
    this.underWay = true;
    this.missed = 0;
    this.send({ packets: this.rings.take(batchPackets), missed }, () => {
      this.underWay = false;
    });
  }
}
