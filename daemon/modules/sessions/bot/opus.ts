/** Opus frames to 16 kHz mono, directly from the decoder: nothing has to be resampled. */
import { Decoder } from '@evan/opus';
import { sampleRate } from '../recognisers/transcriber.js';

export class OpusDecoder {
  private readonly decoder = new Decoder({ channels: 1, sample_rate: sampleRate });

  /** Samples of one frame, or null when it is not Opus. */
  decode(frame: Uint8Array): Int16Array | null {
    if (frame.length === 0) return null;
    try {
      const bytes = this.decoder.decode(frame);
      return new Int16Array(bytes.slice().buffer); // a copy: the decoder uses its memory again
    } catch {
      return null;
    }
  }
}
