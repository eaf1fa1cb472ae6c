/**
 * Any rate to 48 kHz by windowed-sinc interpolation: full band, aliases below hearing. Pure. Kernels are computed once
 * for each of the positions between two samples that occur (three for 16 kHz, 160 for 44.1 kHz).
 */
import { sampleRate } from './audio.js';
import type { Recording } from './wav-file.js';

/** Zero crossings on each side of the middle. */
const halfWidth = 16;
/** Part of the narrower of the two bands that is kept. */
const passBand = 0.95;

export class Resampler {
  private readonly kernels = new Map<number, Float64Array>();
  private readonly scale: number;
  private readonly reach: number;
  /** Samples at 48 kHz. */
  readonly length: number;

  constructor(private readonly recording: Recording) {
    this.scale = Math.min(1, sampleRate / recording.rate) * passBand;
    this.reach = Math.ceil(halfWidth / this.scale);
    this.length = Math.ceil((recording.length * sampleRate) / recording.rate);
  }

  /** Samples from `start` on, at 48 kHz and 16 bit; silence behind the end. */
  read(start: number, count: number): Int16Array {
    const { recording } = this;
    const pcm = new Int16Array(count);
    for (let index = 0; index < count; index++) {
      const value = recording.rate === sampleRate ? recording.at(start + index) : this.between(start + index);
      pcm[index] = Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768)));
    }
    return pcm;
  }

  private between(index: number): number {
    const position = index * this.recording.rate;
    const first = Math.floor(position / sampleRate) - this.reach + 1;
    const kernel = this.kernelAt(position % sampleRate);
    let sum = 0;
    for (let tap = 0; tap < kernel.length; tap++) sum += this.recording.at(first + tap) * (kernel[tap] ?? 0);
    return sum;
  }

  /** Weights around a position that lies `phase` 48,000ths behind a sample. */
  private kernelAt(phase: number): Float64Array {
    const known = this.kernels.get(phase);
    if (known !== undefined) return known;
    const { scale, reach } = this;
    const kernel = Float64Array.from({ length: 2 * reach }, (_, tap) => {
      const distance = (tap - reach + 1 - phase / sampleRate) * scale;
      return scale * sinc(distance) * window(distance / halfWidth);
    });
    this.kernels.set(phase, kernel);
    return kernel;
  }
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));
/** Blackman: 0 outside -1 … 1. */
const window = (x: number): number =>
  Math.abs(x) >= 1 ? 0 : 0.42 + 0.5 * Math.cos(Math.PI * x) + 0.08 * Math.cos(2 * Math.PI * x);
