/**
 * Counts everything that one peer sends, RTCP included, and tells when it is a flood. Every packet costs the media library
 * work before the room sees it, and each new source (SSRC) makes all later packets dearer, so such a peer is disconnected.
 * Pure: the time is handed in.
 */
import { RateGate } from './rate-gate.js';
import { isRtcp } from './rtp.js';

/** Four times what a speaker of short frames sends, with its reports. */
const packetsPerSecond = 200;
/** After a network that stood still for seconds everything arrives at once. */
const burstPackets = 600;
/** A client has one source for each line, and a new one when it starts anew. */
const sourcesMax = 16;

export class PacketWatch {
  private readonly gate: RateGate;
  private readonly sources = new Set<number>();

  constructor(nowMs: number) {
    this.gate = new RateGate(packetsPerSecond, nowMs, burstPackets);
  }

  /** Counts a packet. False: it is one of a flood. */
  allows(data: Buffer, nowMs: number): boolean {
    const at = isRtcp(data) ? 4 : 8;
    if (data.length >= at + 4 && this.sources.size <= sourcesMax) this.sources.add(data.readUInt32BE(at));
    return this.gate.allows(nowMs) && this.sources.size <= sourcesMax;
  }
}
