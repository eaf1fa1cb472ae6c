/** Puts the packets of one stream back in order, waiting a little for late ones. Pure: time is the packets' own. */

/** Packets held while one is missing: 100 ms of usual packets. */
const heldMax = 5;
/** A jump this large is not loss but a new beginning: the speaker was muted, or their client restarted. */
const jumpMax = 100;
/** So many may be lost at once: a single packet from further ahead is one of an earlier beginning that is much too late. */
const lostMax = 25;
/** After a pause of the stream numbers that come again are a new beginning, too. */
const pauseMaxMs = 1_000;

interface NumberedPacket {
  /** RTP sequence number, 16 bits. */
  readonly sequence: number;
  /** RTP timestamp, 32 bits. */
  readonly timestamp: number;
  readonly arrivedAtMs: number;
}

export class ReorderBuffer<Packet extends NumberedPacket> {
  private next: number | null = null;
  private held = new Map<number, Packet>();
  /** Timestamps of the last packets of this beginning, by their numbers. */
  private readonly timestamps = new Map<number, number>();
  private lastArrivedAtMs = 0;
  /** A packet far from the others: the first of a new beginning if another comes beside it, else one that is much too late. */
  private stray: Packet | null = null;
  private isAfterPause = false;

  /** Packets that are next in order. A packet that comes too late, or twice, is left out. */
  push(packet: Packet): Packet[] {
    const { sequence } = packet;
    this.next ??= sequence;
    const ahead = signed16(sequence - this.next);
    this.isAfterPause ||= packet.arrivedAtMs - this.lastArrivedAtMs > pauseMaxMs;
    this.lastArrivedAtMs = packet.arrivedAtMs;
    const isLate = ahead < 0 && ahead >= -jumpMax && !this.isAfterPause && !this.isOfOthers(packet);
    if (ahead > lostMax || (ahead < 0 && !isLate)) return this.onStray(packet);
    if (ahead < 0) return [];
    this.stray = null;
    this.isAfterPause = false;
    this.held.set(sequence, packet);
    if (this.held.size > heldMax) this.next = this.nearestHeld();
    return this.takeInOrder();
  }

  /** Everything held, in order. */
  flush(): Packet[] {
    const released: Packet[] = [];
    while (this.held.size > 0) {
      this.next = this.nearestHeld();
      released.push(...this.takeInOrder());
    }
    return released;
  }

  private onStray(packet: Packet): Packet[] {
    const before = this.stray;
    this.stray = packet;
    const apart = before === null ? 0 : signed16(packet.sequence - before.sequence);
    if (before === null || apart === 0 || Math.abs(apart) > heldMax) return [];
    const released = this.flush();
    this.stray = null;
    this.isAfterPause = false;
    for (const one of [before, packet]) this.held.set(one.sequence, one);
    this.next = apart > 0 ? before.sequence : packet.sequence;
    this.timestamps.clear();
    return [...released, ...this.takeInOrder()];
  }

  /** True if a packet from behind was never one of these: its number is that of another one, or from before the first. */
  private isOfOthers({ sequence, timestamp }: Packet): boolean {
    const known = this.timestamps.get(sequence);
    if (known !== undefined) return known !== timestamp;
    const [first] = this.timestamps.size < jumpMax ? this.timestamps.keys() : [];
    return first !== undefined && signed16(sequence - first) < -heldMax;
  }

  private remember({ sequence, timestamp }: Packet): void {
    this.timestamps.set(sequence, timestamp);
    const [oldest] = this.timestamps.keys();
    if (this.timestamps.size > jumpMax && oldest !== undefined) this.timestamps.delete(oldest);
  }

  private takeInOrder(): Packet[] {
    const released: Packet[] = [];
    while (this.next !== null) {
      const packet = this.held.get(this.next);
      if (packet === undefined) break;
      this.held.delete(this.next);
      released.push(packet);
      this.remember(packet);
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
