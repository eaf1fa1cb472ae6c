/**
 * One speaker's stream into a room. Protects the others from a hostile sender: size, rate, sanction and form are
 * checked before anybody hears a packet.
 */
import type { FrameCipher } from '../../../../src/media/frame-cipher.js';
import { longestPacketMs, opusDurationMs } from '../../../../src/media/opus-duration.js';
import { type DropCause, roomLimits, type SpeakingPolicy, type Visitor } from '../media/engine.js';
import type { PacketCounters } from './counters.js';
import { isVoiced, Loudness } from './loudness.js';
import { PacketWatch } from './packet-watch.js';
import { RateGate } from './rate-gate.js';
import { Reception } from './reception.js';
import { isRtcp, parseRtp, type RtpPacket } from './rtp.js';
import type { OfferedLine } from './sdp.js';
import type { Voice } from './slots.js';

interface PublicationLinks {
  /** Of a clock that is never set. */
  readonly nowMs: () => number;
  /** Takes a packet's time from the speaker's allowance of seconds per minute. */
  readonly maySpeak: (secondsPerMinute: number, nowMs: number, durationMs: number) => boolean;
  readonly heard: (publication: Publication, packet: RtpPacket, nowMs: number) => void;
  /** A packet was more than a speaker may send, and is heard by nobody. */
  readonly missed: () => void;
  /** The speaker sends far more than speech needs. */
  readonly flooding: () => void;
}

export class Publication {
  private readonly loudness = new Loudness();
  private readonly watch: PacketWatch;
  private readonly gate: RateGate;
  /** Milliseconds of sound: a packet may hold one frame or fifty. */
  private readonly time: RateGate;
  private readonly reception = new Reception();
  /** Sends a report to the speaker. */
  send: (report: Buffer) => void = () => {};

  constructor(
    readonly id: string,
    readonly visitor: Visitor,
    public policy: SpeakingPolicy,
    private readonly cipher: FrameCipher | null,
    private readonly line: OfferedLine,
    private readonly counters: PacketCounters,
    private readonly links: PublicationLinks,
  ) {
    const nowMs = links.nowMs();
    this.watch = new PacketWatch(nowMs);
    const { packetsPerSecond, soundMsPerSecond, stallSeconds } = roomLimits;
    this.gate = new RateGate(packetsPerSecond, nowMs, packetsPerSecond * stallSeconds);
    this.time = new RateGate(soundMsPerSecond, nowMs, soundMsPerSecond * stallSeconds);
  }

  receive(data: Buffer): void {
    const nowMs = this.links.nowMs();
    if (!this.watch.allows(data, nowMs)) this.links.flooding();
    else if (isRtcp(data)) this.reception.reported(data, nowMs);
    else this.sound(data, nowMs);
  }

  private sound(data: Buffer, nowMs: number): void {
    this.counters.packetsIn += 1;
    this.reception.arrived(data, nowMs);
    const packet = this.judge(data, nowMs);
    if (typeof packet === 'string') this.drop(packet);
    else this.links.heard(this, packet, nowMs);
  }

  private drop(cause: DropCause): void {
    this.counters.drop(cause);
    if (cause === 'rate') this.links.missed();
  }

  /** Tells the speaker from time to time how the packets arrive. */
  report(nowMs: number): void {
    const report = this.reception.due(nowMs);
    if (report !== null) this.send(report);
  }

  /** The packet, or why it is dropped. */
  private judge(data: Buffer, nowMs: number): RtpPacket | DropCause {
    if (data.length > roomLimits.packetBytes) return 'size';
    if (!this.gate.allows(nowMs)) return 'rate';
    if (!this.policy.publish) return 'policy';
    const packet = parseRtp(data, this.line.audioLevelId);
    if (packet?.payloadType !== this.line.opusPayloadType) return 'malformed';
    const { cipher } = this;
    const durationMs = opusDurationMs(packet.payload, () =>
      cipher === null ? packet.payload : cipher.open(packet.payload),
    );
    if (durationMs > longestPacketMs) return 'malformed';
    if (!this.time.allows(nowMs, durationMs)) return 'rate';
    return this.isWithinLimit(packet, nowMs, durationMs) ? packet : 'policy';
  }

  /** Under a limit, silence is free and carries no sound; otherwise quiet speech would evade the limit. */
  private isWithinLimit({ audioLevel, payload }: RtpPacket, nowMs: number, durationMs: number): boolean {
    const { speakingSecondsPerMinute: limit } = this.policy;
    return limit === null || (isVoiced(audioLevel, payload.length) && this.links.maySpeak(limit, nowMs, durationMs));
  }

  /**
   * False in an encrypted room for a frame that is not encrypted, encrypted with another key, or altered: nobody may
   * hear it.
   */
  passesSeal({ payload }: RtpPacket): boolean {
    const passes = this.cipher === null || this.cipher.open(payload) !== null;
    if (!passes) this.counters.drop('unsealed');
    return passes;
  }

  /** Describes this packet for the choice of slots. */
  voiceOf(packet: RtpPacket): Voice {
    return { speaker: this.id, ...this.loudness.observe(packet.audioLevel, packet.payload.length) };
  }
}
