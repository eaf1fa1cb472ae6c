/**
 * Opus frames to 16 kHz mono, directly from the decoder: nothing has to be resampled. What was lost is taken from the
 * frame after it where that carries it (in-band FEC), and continued from the sound before it otherwise (RFC 6716).
 */
import { createDecoder, type OpusDecoderHandle } from 'libopus-wasm';
import { sampleRate } from '../recognisers/transcriber.js';

/** Longer losses are not concealed: nobody can tell what was said. Opus allows 120 ms. */
const concealedSamplesMax = (120 * sampleRate) / 1_000;
/** The decoder fills gaps in steps of 2.5 ms. */
const stepSamples = sampleRate / 400;

export class OpusDecoder {
  private constructor(private readonly decoder: OpusDecoderHandle) {}

  /** Loads the codec the first time. To be closed: its memory is not the garbage collector's. */
  static async create(): Promise<OpusDecoder> {
    return new OpusDecoder(await createDecoder({ channels: 1, sampleRate, maxFrameSize: concealedSamplesMax }));
  }

  /** Samples of one frame, or null when it is not Opus. */
  decode(frame: Uint8Array): Int16Array | null {
    return this.attempt(() => this.decoder.decode(frame));
  }

  /** So many samples that were lost directly before this frame, or null when it is not Opus or too much was lost. */
  recover(samples: number, next: Uint8Array): Int16Array | null {
    if (samples % stepSamples !== 0 || samples > concealedSamplesMax) return null;
    return this.attempt(() => this.decoder.decode(next, { decodeFec: true, frameSize: samples }));
  }

  close(): void {
    this.decoder.free();
  }

  private attempt(decode: () => Int16Array): Int16Array | null {
    try {
      return decode();
    } catch {
      return null;
    }
  }
}
