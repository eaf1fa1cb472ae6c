/**
 * The last seconds of sound of each speaker of a room, in memory alone, for the moment in which somebody is reported. Bounded
 * for each speaker, each room and all rooms together: where a bound is reached, the oldest sound of the speaker goes first.
 */
import type { FrameCipher } from '../../../../src/media/frame-cipher.js';
import { limits } from '../../../platform/limits/catalogue.js';
import { FairShare } from '../../../platform/limits/fair-share.js';
import { countRefusal } from '../../../platform/limits/refusals.js';
import { hasPassed } from '../../../platform/time/clock.js';
import type { BotPacket } from './speaker-packet.js';

/** 64 kbit/s of a speaker: more than any client uses for speech. */
const { kibPerSecond, speakers } = limits.evidence_memory.max;
const bytesPerSecond = kibPerSecond * 1_024;
/** Memory that a frame takes besides its bytes, as measured with Node.js 20: objects, the array, its place in lists. */
const frameOverheadBytes = 512;
const secondMs = 1_000;

/** One Opus frame, not encrypted. */
export interface HeldFrame {
  /** RTP sequence number, 16 bits. */
  readonly sequence: number;
  /** RTP timestamp, 32 bits at 48 kHz. */
  readonly timestamp: number;
  readonly arrivedAtMs: number;
  readonly frame: Uint8Array;
}

/** The frames of one stream of one speaker, in the order in which they came. */
export interface HeldSound {
  readonly externalUserId: string;
  readonly frames: readonly HeldFrame[];
}

interface HeldStream {
  readonly externalUserId: string;
  readonly frames: HeldFrame[];
  bytes: number;
}

/** Bytes of memory that all rooms of the daemon take together, in fair shares of tenants. */
export const evidenceMemory = (maxBytes: number): FairShare => new FairShare({ each: maxBytes, together: maxBytes });

export class EvidenceBuffer {
  /** By publication. */
  private readonly streams = new Map<string, HeldStream>();
  private seconds = 0;
  private bytes = 0;

  constructor(
    private readonly memory: FairShare,
    private readonly tenantId: string,
  ) {}

  /** Keeps so many seconds from now on; 0: nothing, and what is held is forgotten. */
  keep(seconds: number): void {
    this.seconds = seconds;
    if (seconds === 0) for (const id of [...this.streams.keys()]) this.drop(id);
  }

  /** Leaves out what others could not hear, and what cannot be decrypted. */
  push({ publicationId, externalUserId, audible, ...packet }: BotPacket, cipher: FrameCipher | null): void {
    if (this.seconds === 0 || !audible) return;
    const frame = cipher === null ? packet.payload : cipher.open(packet.payload);
    if (frame === null) return;
    const { sequence, timestamp, arrivedAtMs } = packet;
    const stream = this.streams.get(publicationId) ?? { externalUserId, frames: [], bytes: 0 };
    this.streams.set(publicationId, stream);
    const speakerMax = this.seconds * bytesPerSecond;
    while (stream.frames.length > 0 && stream.bytes + frame.length > speakerMax) this.shift(stream);
    const isTooMuch = () => this.bytes + frame.length > speakers * speakerMax;
    while (isTooMuch() || !this.memory.acquire(this.tenantId, memoryOf(frame))) {
      if (this.shift(stream)) continue;
      countRefusal('evidence_memory');
      return;
    }
    // A copy: the packet may be a view of a larger batch.
    stream.frames.push({ sequence, timestamp, arrivedAtMs, frame: Uint8Array.from(frame) });
    stream.bytes += frame.length;
    this.bytes += frame.length;
  }

  /** Forgets what is older than the seconds that are held, and what seems to come because the clock was set back. */
  prune(now: Date): void {
    const isOver = (frame: HeldFrame | undefined): boolean =>
      frame !== undefined && hasPassed(this.seconds * secondMs + 1, frame.arrivedAtMs, now);
    for (const [id, stream] of this.streams) {
      while (isOver(stream.frames[0])) this.shift(stream);
      if (stream.frames.length === 0) this.streams.delete(id);
    }
  }

  /** Returns what is held now. */
  held(now: Date): HeldSound[] {
    this.prune(now);
    return [...this.streams.values()].map(({ externalUserId, frames }) => ({ externalUserId, frames: [...frames] }));
  }

  private drop(id: string): void {
    const stream = this.streams.get(id);
    while (stream !== undefined && this.shift(stream));
    this.streams.delete(id);
  }

  /** False: nothing is left. */
  private shift(stream: HeldStream): boolean {
    const oldest = stream.frames.shift();
    if (oldest === undefined) return false;
    stream.bytes -= oldest.frame.length;
    this.bytes -= oldest.frame.length;
    this.memory.release(this.tenantId, memoryOf(oldest.frame));
    return true;
  }
}

const memoryOf = (frame: Uint8Array): number => frame.length + frameOverheadBytes;
