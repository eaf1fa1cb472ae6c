/**
 * One stream of one speaker, from packets to utterances: order → decrypt → decode → recover losses, fill pauses with
 * silence → detect speech → cut. Never waits; what cannot be read is counted and left out.
 */

import type { FrameCipher } from '../../../../src/media/frame-cipher.js';
import { joinedPcm } from '../pcm.js';
import { Envelope } from './echo.js';
import type { LiveLine } from './live-line.js';
import type { OpusDecoder } from './opus.js';
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
  /** What was shown of it while it was spoken; null: nothing. */
  line: LiveLine | null;
}

export class SpeakerStream {
  readonly externalUserId: string;
  lastArrivedAtMs: number;
  private readonly reorder = new ReorderBuffer();
  private readonly clock = new StreamClock();
  private readonly segmenter = new Segmenter();
  /** Loudness of what was sent, speech or not. */
  readonly envelope = new Envelope();
  private shadowMuted = false;
  /** Decoded samples short of a whole frame. */
  private rest = new Int16Array(0);
  /** Sequence number of the last packet; timestamp and time directly after its last sample. */
  private end: { sequence: number; timestamp: number; atMs: number } | null = null;
  private line: LiveLine | null = null;

  constructor(
    first: BotPacket,
    private readonly detector: VoiceDetector,
    private readonly decoder: OpusDecoder,
    private readonly cipher: () => FrameCipher | null,
    /** Counts frames that could not be decrypted, and those that could or needed no decryption. */
    private readonly frames: { refused: number; accepted: number },
    /** Follows an utterance that began at this time; null: nobody reads along at the moment. */
    private readonly openLine: (startMs: number) => LiveLine | null = () => null,
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
    return [...utterances, ...this.finished(last)];
  }

  /** Time at which the current utterance began; null: the person is not speaking. */
  get speakingSinceMs(): number | null {
    return this.segmenter.openSinceMs;
  }

  close(): void {
    this.detector.close();
    this.decoder.close();
  }

  private read(packet: BotPacket): Utterance[] {
    const { sequence, timestamp } = packet;
    const frame = this.decrypt(packet.payload);
    if (frame === null) return [];
    const gap = this.gapBefore(packet, frame); // in the order in which the decoder takes them
    const pcm = this.decoder.decode(frame);
    if (pcm === null) return [];
    const utterances = this.end === null ? [] : this.cut(gap, this.end.atMs);
    this.shadowMuted = !packet.audible || (this.segmenter.isOpen && this.shadowMuted);
    const atMs = this.clock.place(packet.timestamp, packet.arrivedAtMs);
    utterances.push(...this.cut(pcm, atMs));
    this.end = {
      ...{ sequence, timestamp: timestamp + pcm.length * ticksPerSample },
      atMs: atMs + pcm.length / samplesPerMs,
    };
    return utterances;
  }

  private decrypt(payload: Uint8Array): Uint8Array | null {
    const cipher = this.cipher();
    const frame = cipher === null ? payload : cipher.open(payload);
    if (frame === null) {
      this.frames.refused++;
      return null;
    }
    this.frames.accepted++;
    return frame;
  }

  /** What was lost before this packet, as far as it can be recovered; silence where nothing was sent, or too much is lost. */
  private gapBefore({ sequence, timestamp }: BotPacket, frame: Uint8Array): Int16Array {
    if (this.end === null) return new Int16Array(0);
    const missing = Math.round(Math.max(0, (timestamp - this.end.timestamp) | 0) / ticksPerSample);
    const isLoss = ((sequence - this.end.sequence) & 0xffff) > 1;
    const recovered = isLoss && missing > 0 ? this.decoder.recover(missing, frame) : null;
    return recovered ?? new Int16Array(Math.min(missing, silenceMaxMs * samplesPerMs));
  }

  private cut(pcm: Int16Array, atMs: number): Utterance[] {
    const samples = joinedPcm([this.rest, pcm]);
    const startMs = atMs - this.rest.length / samplesPerMs;
    const whole = samples.length - (samples.length % frameSamples);
    this.rest = samples.slice(whole);
    const utterances: Utterance[] = [];
    for (let offset = 0; offset < whole; offset += frameSamples) {
      const frame = samples.subarray(offset, offset + frameSamples);
      const frameAtMs = startMs + offset / samplesPerMs;
      this.envelope.push(frame, frameAtMs);
      const voiced = this.detector.isSpeech(frame);
      const wasOpen = this.segmenter.isOpen;
      const segment = this.segmenter.push({ pcm: frame, atMs: frameAtMs, voiced });
      if (segment !== null || (wasOpen && !this.segmenter.isOpen)) utterances.push(...this.finished(segment));
      else this.follow(frame);
    }
    return utterances;
  }

  /** Passes the sound of the current utterance on while it is spoken, from its beginning. */
  private follow(frame: Int16Array): void {
    const { openSinceMs } = this.segmenter;
    if (openSinceMs === null) return;
    if (this.line !== null) this.line.push(frame, this.shadowMuted);
    else {
      this.line = this.openLine(openSinceMs);
      this.line?.push(this.segmenter.pcm(), this.shadowMuted);
    }
  }

  /** The utterance that has ended; none, where it was too short to be one. */
  private finished(segment: SpeechSegment | null): Utterance[] {
    const { line } = this;
    this.line = null;
    if (segment !== null) return [{ ...segment, shadowMuted: this.shadowMuted, line }];
    line?.withdraw();
    return [];
  }
}
