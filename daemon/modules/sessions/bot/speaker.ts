/**
 * One stream of one speaker, from packets to utterances: order → decrypt → decode → fill gaps with silence → detect
 * speech → cut. Never waits; what cannot be read is counted and left out.
 */
import type { FrameCipher } from '../../../../src/media/frame-cipher.js';
import { OpusDecoder } from './opus.js';
import { ReorderBuffer } from './reorder.js';
import { Segmenter, type SpeechSegment } from './segmenter.js';
import type { BotPacket } from './speaker-packet.js';
import { StreamClock } from './stream-clock.js';
import { frameMs, frameSamples, type VoiceDetector } from './voice-activity.js';

const ticksPerSample = 3; // 48 kHz in timestamps, 16 kHz in samples
const samplesPerMs = frameSamples / frameMs;
/** Longer gaps count in time, but only this much silence is inserted: enough to end any utterance. */
const silenceMaxMs = 1_000;
/** Without packets for this long the person is not speaking: clients send none in silence. */
const idleMs = 600;

export interface Utterance extends SpeechSegment {
  /** Part of it was said under shadow_mute. */
  shadowMuted: boolean;
}

export class SpeakerStream {
  readonly externalUserId: string;
  lastArrivedAtMs: number;
  private readonly reorder = new ReorderBuffer();
  private readonly clock = new StreamClock();
  private readonly decoder = new OpusDecoder();
  private readonly segmenter = new Segmenter();
  private shadowMuted = false;
  /** Decoded samples short of a whole frame. */
  private rest = new Int16Array(0);
  /** Timestamp and time directly after the last sample. */
  private end: { timestamp: number; atMs: number } | null = null;

  constructor(
    first: BotPacket,
    private readonly detector: VoiceDetector,
    private readonly cipher: () => FrameCipher | null,
    /** Counts frames that could not be decrypted, and those that could or needed no decryption. */
    private readonly frames: { refused: number; accepted: number },
  ) {
    this.externalUserId = first.externalUserId;
    this.lastArrivedAtMs = first.arrivedAtMs;
  }

  /** Utterances that this packet has ended; their times are milliseconds since the epoch. */
  onPacket(packet: BotPacket): Utterance[] {
    this.lastArrivedAtMs = packet.arrivedAtMs;
    return this.reorder.push(packet).flatMap((ready) => this.read(ready));
  }

  /** Ends the utterance of a speaker whose packets have stopped. */
  flushIfIdle(nowMs: number): Utterance[] {
    return nowMs - this.lastArrivedAtMs > idleMs ? this.flush() : [];
  }

  /** Ends the utterance now. */
  flush(): Utterance[] {
    const utterances = this.reorder.flush().flatMap((packet) => this.read(packet));
    const last = this.segmenter.flush();
    return last === null ? utterances : [...utterances, { ...last, shadowMuted: this.shadowMuted }];
  }

  /** Time at which the current utterance began; null: the person is not speaking. */
  get speakingSinceMs(): number | null {
    return this.segmenter.openSinceMs;
  }

  close(): void {
    this.detector.close();
  }

  private read(packet: BotPacket): Utterance[] {
    const pcm = this.decode(packet.payload);
    if (pcm === null) return [];
    const utterances = this.fillGap(packet.timestamp);
    this.shadowMuted = !packet.audible || (this.segmenter.isOpen && this.shadowMuted);
    const atMs = this.clock.place(packet.timestamp, packet.arrivedAtMs);
    utterances.push(...this.cut(pcm, atMs));
    this.end = { timestamp: packet.timestamp + pcm.length * ticksPerSample, atMs: atMs + pcm.length / samplesPerMs };
    return utterances;
  }

  private decode(payload: Uint8Array): Int16Array | null {
    const cipher = this.cipher();
    const frame = cipher === null ? payload : cipher.open(payload);
    if (frame === null) {
      this.frames.refused++;
      return null;
    }
    this.frames.accepted++;
    return this.decoder.decode(frame);
  }

  /** Inserts silence up to this timestamp: for lost packets, and for those not sent because nothing was said. */
  private fillGap(timestamp: number): Utterance[] {
    if (this.end === null) return [];
    const missing = Math.max(0, (timestamp - this.end.timestamp) | 0) / ticksPerSample;
    const samples = Math.min(Math.round(missing), silenceMaxMs * samplesPerMs);
    return this.cut(new Int16Array(samples), this.end.atMs);
  }

  private cut(pcm: Int16Array, atMs: number): Utterance[] {
    const samples = new Int16Array(this.rest.length + pcm.length);
    samples.set(this.rest);
    samples.set(pcm, this.rest.length);
    const startMs = atMs - this.rest.length / samplesPerMs;
    const whole = samples.length - (samples.length % frameSamples);
    this.rest = samples.slice(whole);
    const utterances: Utterance[] = [];
    for (let offset = 0; offset < whole; offset += frameSamples) {
      const frame = samples.subarray(offset, offset + frameSamples);
      const voiced = this.detector.isSpeech(frame);
      const segment = this.segmenter.push({ pcm: frame, atMs: startMs + offset / samplesPerMs, voiced });
      if (segment !== null) utterances.push({ ...segment, shadowMuted: this.shadowMuted });
    }
    return utterances;
  }
}
