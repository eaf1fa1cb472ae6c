/** A recording as Opus frames of 20 ms, the way rooms carry speech: mono, 32 kbit/s, with error correction. */
import { Encoder } from '@evan/opus';
import { audioLevel, frameMs, frameSamples, sampleRate } from './audio.js';
import { Resampler } from './resampler.js';
import type { Recording } from './wav-file.js';

const bitsPerSecond = 32_000;
const expectedLossPercent = 5;

export interface SpeechFrame {
  readonly opus: Uint8Array;
  /** -dBov, 0 loudest to 127 silent. */
  readonly level: number;
}

export const speechSeconds = ({ length, rate }: Recording): number => length / rate;

/** The recording, then so much silence, encoded as it is asked for. */
export function* speechFrames(recording: Recording, silenceMs: number): Generator<SpeechFrame> {
  const source = new Resampler(recording);
  const encoder = new Encoder({ channels: 1, sample_rate: sampleRate, application: 'voip' });
  encoder.bitrate = bitsPerSecond;
  encoder.inband_fec = true;
  encoder.packet_loss = expectedLossPercent;
  const frames = Math.ceil(source.length / frameSamples) + Math.ceil(silenceMs / frameMs);
  for (let index = 0; index < frames; index++) {
    const pcm = source.read(index * frameSamples, frameSamples);
    yield { opus: encoder.encode(pcm).slice(), level: audioLevel(pcm) };
  }
}
