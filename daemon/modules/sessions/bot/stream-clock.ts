/**
 * When a packet was spoken, on the session's clock. A stream's own timestamps are even but start anywhere and run at
 * the speaker's speed; arrival times are on our clock but jitter with the network. So timestamps are anchored to an
 * arrival time, and anchored again where the two have drifted apart. Pure.
 */

const ticksPerMs = 48;
export const driftMaxMs = 100;
/** Late packets are normal on a network; only lateness that lasts for this many packets (a second) is drift. */
export const latePacketsMax = 50;
/** Later than this is not the network: the stream stopped (muted at the source) or jumped. */
const jumpMs = 2_000;

export class StreamClock {
  private anchor: { timestamp: number; atMs: number } | null = null;
  private latePackets = 0;
  private leastLateMs = Number.POSITIVE_INFINITY;

  /** Milliseconds on the clock of `arrivedAtMs` at which the speech of this packet began. */
  place(timestamp: number, arrivedAtMs: number): number {
    if (this.anchor === null) return this.anchorAt(timestamp, arrivedAtMs);
    const atMs = this.anchor.atMs + signed32(timestamp - this.anchor.timestamp) / ticksPerMs;
    const lateMs = arrivedAtMs - atMs;
    if (lateMs < -driftMaxMs || lateMs > jumpMs) return this.anchorAt(timestamp, arrivedAtMs);
    if (lateMs <= driftMaxMs) {
      this.forgetLateness();
      this.anchor = { timestamp, atMs }; // moves with the stream, so that the 32 bits never overflow
      return atMs;
    }
    this.latePackets++;
    this.leastLateMs = Math.min(this.leastLateMs, lateMs);
    return this.latePackets < latePacketsMax ? atMs : this.anchorAt(timestamp, atMs + this.leastLateMs);
  }

  private anchorAt(timestamp: number, atMs: number): number {
    this.anchor = { timestamp, atMs };
    this.forgetLateness();
    return atMs;
  }

  private forgetLateness(): void {
    this.latePackets = 0;
    this.leastLateMs = Number.POSITIVE_INFINITY;
  }
}

const signed32 = (difference: number): number => difference | 0;
