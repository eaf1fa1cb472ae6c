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

const samplesPerMs = frameSamples / frameMs;
/** Longer gaps count in time, but only this much silence is inserted: enough to end any utterance. */
const silenceMaxMs = 1_000;
/** Without packets for this long the person is not speaking: clients send none in silence. */
const idleMs = 600;
/** Speech that broke off goes on after a stall this long, of the client or of what is on the way: the taps hold as much. */
const stallMs = 8_000;
/** Clocks that are set back make streams overlap by more. */
const overlapMaxMs = 10_000;

export interface Utterance extends SpeechSegment {
  /** Part of it was said under shadow_mute. */
  shadowMuted: boolean;
  /** What was shown of it while it was spoken; null: nothing. */
  line: LiveLine | null;
}

export class SpeakerStream {
  readonly externalUserId: string;
  lastArrivedAtMs: number;
  /** Time without packets, by the ticks of the bot: a process that stood still has not waited. */
  silentMs = 0;
  /** The person has left the room: nothing is held up any more. */
  hasLeft = false;
  private readonly reorder = new ReorderBuffer<BotPacket>();
  private readonly clock = new StreamClock();
  private readonly segmenter = new Segmenter();
  /** Loudness of what was sent, speech or not. */
  readonly envelope = new Envelope();
  private shadowMuted = false;
  /** Decoded samples short of a whole frame. */
  private rest = new Int16Array(0);
  /** Sequence number and arrival of the last packet. */
  private last: { sequence: number; arrivedAtMs: number } | null = null;
  /** When the last utterance ended. */
  private spokenUntilMs = Number.NEGATIVE_INFINITY;
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

  /** Utterances that this packet has ended; their times are milliseconds since the epoch, and none overlap. */
  onPacket(packet: BotPacket): Utterance[] {
    this.lastArrivedAtMs = packet.arrivedAtMs;
    this.silentMs = 0;
    return this.reorder.push(packet).flatMap((ready) => this.read(ready));
  }

  /** So much time has passed: ends the utterance of a speaker whose packets have stopped. */
  tick(ms: number): Utterance[] {
    this.silentMs += ms;
    const waitMs = this.segmenter.isBreakingOff && !this.hasLeft ? stallMs : idleMs;
    return this.silentMs > waitMs ? this.flush() : [];
  }

  /** Ends the utterance now. */
  flush(): Utterance[] {
    const utterances = this.reorder.flush().flatMap((packet) => this.read(packet));
    const last = this.segmenter.flush();
    return [...utterances, ...this.finished(last)];
  }

  /** Time at which the current utterance began; null: the person is not speaking. */
  get speakingSinceMs(): number | null {
    const { openSinceMs } = this.segmenter;
    return openSinceMs === null ? null : openSinceMs + this.clock.offsetMs;
  }

  close(): void {
    this.detector.close();
    this.decoder.close();
  }

  private read(packet: BotPacket): Utterance[] {
    const { sequence, arrivedAtMs } = packet;
    const frame = this.decrypt(packet.payload);
    if (frame === null) return [];
    const gap = this.gapBefore(packet, frame); // in the order in which the decoder takes them
    const pcm = this.decoder.decode(frame);
    if (pcm === null || pcm.length === 0) return [];
    const utterances = this.isNewBeginning(packet, pcm) ? this.finished(this.segmenter.flush()) : [];
    const durationMs = pcm.length / samplesPerMs;
    const { atMs, latenessMs } = this.clock.place(packet, durationMs);
    utterances.push(...this.cut(gap, atMs - gap.length / samplesPerMs, Number.POSITIVE_INFINITY));
    this.shadowMuted = !packet.audible || (this.segmenter.isOpen && this.shadowMuted);
    utterances.push(...this.cut(pcm, atMs, latenessMs));
    this.last = { sequence, arrivedAtMs };
    return utterances;
  }

  /** After a pause without packets only what broke off there, and goes on at once, is one utterance. */
  private isNewBeginning({ arrivedAtMs }: BotPacket, pcm: Int16Array): boolean {
    return this.last !== null && arrivedAtMs - this.last.arrivedAtMs > idleMs && !this.segmenter.isContinuedBy(pcm);
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
  private gapBefore(packet: BotPacket, frame: Uint8Array): Int16Array {
    if (this.last === null) return new Int16Array(0);
    const missing = Math.round(this.clock.gapBefore(packet) * samplesPerMs);
    const isLoss = ((packet.sequence - this.last.sequence) & 0xffff) > 1;
    const recovered = isLoss && missing > 0 ? this.decoder.recover(missing, frame) : null;
    return recovered ?? new Int16Array(Math.min(missing, silenceMaxMs * samplesPerMs));
  }

  private cut(pcm: Int16Array, atMs: number, latenessMs: number): Utterance[] {
    const samples = joinedPcm([this.rest, pcm]);
    const startMs = atMs - this.rest.length / samplesPerMs;
    const whole = samples.length - (samples.length % frameSamples);
    this.rest = samples.slice(whole);
    const utterances: Utterance[] = [];
    for (let offset = 0; offset < whole; offset += frameSamples) {
      const frame = samples.subarray(offset, offset + frameSamples);
      const frameAtMs = startMs + offset / samplesPerMs;
      this.envelope.push(frame, frameAtMs + this.clock.offsetMs);
      const voiced = this.detector.isSpeech(frame);
      const wasOpen = this.segmenter.isOpen;
      const segment = this.segmenter.push({ pcm: frame, atMs: frameAtMs, latenessMs, voiced });
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
      this.line = this.openLine(openSinceMs + this.clock.offsetMs);
      this.line?.push(this.segmenter.pcm(), this.shadowMuted);
    }
  }

  /** The utterance that has ended; none, where it was too short to be one. */
  private finished(segment: SpeechSegment | null): Utterance[] {
    const { line } = this;
    this.line = null;
    if (segment !== null) return [{ ...this.placed(segment), shadowMuted: this.shadowMuted, line }];
    line?.withdraw();
    return [];
  }

  /** The segment on the clock of the arrivals, after the one before it. */
  private placed(segment: SpeechSegment): SpeechSegment {
    const offsetMs = this.clock.offsetOf(segment.latenessMs);
    const overlapMs = this.spokenUntilMs - (segment.startMs + offsetMs);
    const shiftMs = offsetMs + (overlapMs > 0 && overlapMs < overlapMaxMs ? overlapMs : 0);
    const [startMs, endMs] = [segment.startMs + shiftMs, segment.endMs + shiftMs];
    this.spokenUntilMs = endMs;
    return { ...segment, startMs, endMs, audioStartMs: segment.audioStartMs + shiftMs };
  }
}
