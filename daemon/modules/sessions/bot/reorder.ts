/** Puts the packets of one stream back in order, waiting a little for late ones. Pure: time is the packets' own. */
import type { BotPacket } from './speaker-packet.js';

/** Packets held while one is missing: 100 ms of usual packets. */
const heldMax = 5;
/** A jump this large is not loss but a new beginning: the speaker was muted, or their client restarted. */
const jumpMax = 100;
/** So is a pause of the stream. */
const pauseMaxMs = 1_000;

export class ReorderBuffer {
  private next: number | null = null;
  private held = new Map<number, BotPacket>();
  private lastArrivedAtMs = 0;

  /** Packets that are next in order. A packet that comes too late, or twice, is left out. */
  push(packet: BotPacket): BotPacket[] {
    const { sequence } = packet;
    const ahead = this.next === null ? 0 : signed16(sequence - this.next);
    const paused = packet.arrivedAtMs - this.lastArrivedAtMs > pauseMaxMs;
    this.lastArrivedAtMs = packet.arrivedAtMs;
    if (this.next === null || paused || Math.abs(ahead) > jumpMax) {
      const released = this.flush();
      this.next = successor(sequence);
      return [...released, packet];
    }
    if (ahead < 0) return [];
    this.held.set(sequence, packet);
    if (this.held.size > heldMax) this.next = this.nearestHeld();
    return this.takeInOrder();
  }

  /** Everything held, in order; the next packet begins anew. */
  flush(): BotPacket[] {
    const released: BotPacket[] = [];
    while (this.held.size > 0) {
      this.next = this.nearestHeld();
      released.push(...this.takeInOrder());
    }
    this.next = null;
    return released;
  }

  private takeInOrder(): BotPacket[] {
    const released: BotPacket[] = [];
    while (this.next !== null) {
      const packet = this.held.get(this.next);
      if (packet === undefined) break;
      this.held.delete(this.next);
      released.push(packet);
      this.next = successor(this.next);
    }
    return released;
  }

  private nearestHeld(): number {
    const from = this.next ?? 0;
    const distances = [...this.held.keys()].map((sequence) => signed16(sequence - from));
    return (from + Math.min(...distances)) & 0xffff;
  }
}

const successor = (sequence: number): number => (sequence + 1) & 0xffff;
const signed16 = (difference: number): number => (difference << 16) >> 16;
