/**
 * When the sound of a stream was spoken. A stream's own timestamps are even, but they start anywhere, stand still while a
 * client pauses, jump where it starts anew, and are whatever the client says; arrival times are on our clock, but jitter
 * with the network and come late after a stall. So the timestamps order the sound and the short gaps in it, and how late
 * all of it is counts by arrival: sound is spoken as long before the arrival as the least late packet after it shows. Pure.
 */

const ticksPerMs = 48;
export const driftMaxMs = 100;
/** Late packets are normal on a network; only lateness that lasts for this many packets (a second) is drift. */
export const latePacketsMax = 50;
/** After a pause this long packets that are late count as spoken later, until a packet shows that they were held up. */
const pauseMs = 1_000;

interface TimedPacket {
  /** RTP timestamp, 32 bits at 48 kHz. */
  readonly timestamp: number;
  /** Milliseconds since the epoch. */
  readonly arrivedAtMs: number;
}

interface StreamPosition {
  /** Milliseconds of the stream's own time, which never goes back. */
  readonly atMs: number;
  /** Milliseconds from there to the arrival. */
  readonly latenessMs: number;
}

export class StreamClock {
  /** Timestamp and stream time directly after the last packet. */
  private end: { readonly timestamp: number; readonly atMs: number; readonly arrivedAtMs: number } | null = null;
  private latePackets = 0;
  private leastLatenessMs = Number.POSITIVE_INFINITY;
  /** What is to be added to stream time at the moment, to have the time on the clock of the arrivals. */
  offsetMs = 0;

  /** Returns the milliseconds between the last packet and this one; no more than have passed by arrival. */
  gapBefore({ timestamp, arrivedAtMs }: TimedPacket): number {
    if (this.end === null) return 0;
    const statedMs = signed32(timestamp - this.end.timestamp) / ticksPerMs;
    const passedMs = arrivedAtMs - this.offsetMs - this.end.atMs;
    const isCredible = statedMs >= 0 && statedMs <= Math.max(0, passedMs + driftMaxMs);
    return isCredible ? statedMs : Math.max(0, passedMs);
  }

  place(packet: TimedPacket, durationMs: number): StreamPosition {
    const { timestamp, arrivedAtMs } = packet;
    const atMs = this.end === null ? arrivedAtMs : this.end.atMs + this.gapBefore(packet);
    const latenessMs = arrivedAtMs - atMs;
    const isAfterPause = this.end !== null && arrivedAtMs - this.end.arrivedAtMs > pauseMs;
    this.end = { timestamp: timestamp + durationMs * ticksPerMs, atMs: atMs + durationMs, arrivedAtMs };
    this.follow(latenessMs, isAfterPause);
    return { atMs, latenessMs };
  }

  /** Returns the offset of sound whose least late packet is this late. */
  offsetOf(leastLatenessMs: number): number {
    return Math.abs(leastLatenessMs - this.offsetMs) <= driftMaxMs ? this.offsetMs : leastLatenessMs;
  }

  private follow(latenessMs: number, isAfterPause: boolean): void {
    const laterMs = latenessMs - this.offsetMs;
    if (laterMs < -driftMaxMs || (laterMs > driftMaxMs && isAfterPause)) this.moveTo(latenessMs);
    else if (laterMs <= driftMaxMs) this.moveTo(this.offsetMs);
    else {
      this.latePackets++;
      this.leastLatenessMs = Math.min(this.leastLatenessMs, latenessMs);
      if (this.latePackets >= latePacketsMax) this.moveTo(this.leastLatenessMs);
    }
  }

  private moveTo(offsetMs: number): void {
    this.offsetMs = offsetMs;
    this.latePackets = 0;
    this.leastLatenessMs = Number.POSITIVE_INFINITY;
  }
}

/**
 * Milliseconds, on the clock of the arrivals, at which the sound of each packet began; none before that of the one before it.
 * Small lateness moves nothing: sound without pauses stays without gaps.
 */
export function spokenTimes(packets: readonly (TimedPacket & { readonly durationMs: number })[]): number[] {
  const clock = new StreamClock();
  const positions = packets.map((packet) => clock.place(packet, packet.durationMs));
  let leastMs = Number.POSITIVE_INFINITY;
  const latenesses = positions
    .toReversed()
    .map(({ latenessMs }) => {
      leastMs = Math.min(leastMs, latenessMs);
      return leastMs;
    })
    .toReversed();
  let offsetMs = latenesses[0] ?? 0;
  return positions.map(({ atMs }, index) => {
    const least = latenesses[index] ?? offsetMs;
    if (least - offsetMs > driftMaxMs) offsetMs = least;
    return atMs + offsetMs;
  });
}

const signed32 = (difference: number): number => difference | 0;
