/** The daemon's end of a tap; the process forwards what is said, and a restart of it changes nothing here. */
import { type BotAppearance, type RoomAddress, type RoomTap, roomLimits, type SpeakerPacket } from '../media/engine.js';
import { PacketRings } from './packet-rings.js';

/** All that is said in a room, for one reader. */
export class BufferedTap implements RoomTap {
  private readonly rings = new PacketRings<SpeakerPacket>(roomLimits.tapRingPackets);
  private wake: () => void = () => {};
  private closed = false;

  constructor(
    readonly room: RoomAddress,
    readonly appearance: BotAppearance,
    private readonly onClose: () => void,
    private readonly onKeeps: () => void,
  ) {}

  /** Seconds of sound that the reader holds in memory. */
  keptSeconds = 0;

  private missed = 0;

  get dropped(): number {
    return this.rings.dropped + this.missed;
  }

  /** Returns how many packets were dropped for these; `missed`: how many were before. */
  push(packets: readonly SpeakerPacket[], missed: number): number {
    this.missed += missed;
    const before = this.rings.dropped;
    for (const packet of packets) this.rings.push(packet);
    this.wake();
    return this.rings.dropped - before;
  }

  keeps(seconds: number): void {
    if (seconds === this.keptSeconds) return;
    this.keptSeconds = seconds;
    this.onKeeps();
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.onClose();
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SpeakerPacket, void> {
    for (;;) {
      const packet = this.rings.shift();
      if (packet !== null) yield packet;
      else if (this.closed) return;
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
    }
  }
}
