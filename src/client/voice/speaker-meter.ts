/** What one speaker has said so far, in numbers: packets, losses, speech, and how loud they are now. */
import { Decoder } from '@evan/opus';
import { audioLevel, frameMs, sampleRate } from './audio.js';
import type { HeardFrame } from './listener.js';

/** Quieter is not counted as speech, in dBov. */
const speechDb = -50;
/** Without packets for this long the speaker is silent. */
const silentMs = 300;
const silenceDb = -127;
const jumpMax = 3_000;

export class SpeakerMeter {
  private readonly decoder = new Decoder({ channels: 1, sample_rate: sampleRate });
  private last: { stream: string; sequence: number } | null = null;
  private level = silenceDb;
  private heardAtMs = 0;
  packets = 0;
  lost = 0;
  private speechMs = 0;

  /** Samples of the frame at 48 kHz; null when it is not Opus. */
  hear({ opus, stream, sequence, atMs }: HeardFrame): Int16Array | null {
    this.packets += 1;
    const ahead = this.last?.stream === stream ? (sequence - this.last.sequence) & 0xffff : 1;
    if (ahead > 1 && ahead < jumpMax) this.lost += ahead - 1;
    if (ahead < 0x8000) this.last = { stream, sequence };
    const pcm = this.decode(opus);
    if (pcm === null) return null;
    this.level = -audioLevel(pcm);
    this.heardAtMs = atMs;
    if (this.level > speechDb) this.speechMs += frameMs;
    return pcm;
  }

  /** dBov of the last frame; -127 in silence. */
  levelAt(nowMs: number): number {
    return nowMs - this.heardAtMs > silentMs ? silenceDb : this.level;
  }

  get speechSeconds(): number {
    return Math.round(this.speechMs / 100) / 10;
  }

  private decode(opus: Uint8Array): Int16Array | null {
    try {
      return new Int16Array(this.decoder.decode(opus).slice().buffer); // a copy: the decoder uses its memory again
    } catch {
      return null;
    }
  }
}
