/**
 * Tells how much of what somebody sends is the sound of others, who come out of a loudspeaker and back into the microphone:
 * how alike the loudness of the one is to that of another shortly before. Pure.
 */
import { sampleRate } from '../recognisers/transcriber.js';
import { rounded, type TimeSpan } from './signal.js';

const stepMs = 10;
const stepSamples = (sampleRate * stepMs) / 1_000;
/** An echo comes at most this much later: two ways through the room, a jitter buffer, and the air. */
const lagSteps = 500 / stepMs;
/** An utterance lasts up to 20 seconds. */
const keptSteps = 20_500 / stepMs + lagSteps;
/** Shorter sounds are alike by chance. */
const stepsMin = 400 / stepMs;
/** Where more people spoke, those who were loudest at the time are compared. */
const othersMax = 8;

/** Loudness of one stream in the last seconds, in steps of 10 ms; 0 where nothing was sent. */
export class Envelope {
  private readonly levels = new Float32Array(keptSteps);
  /** Number of the step after the last one, counted from the epoch. */
  private end = 0;

  /** `atMs`: time of the first sample. */
  push(pcm: Int16Array, atMs: number): void {
    const first = Math.round(atMs / stepMs);
    for (let offset = 0; offset + stepSamples <= pcm.length; offset += stepSamples) {
      const step = first + offset / stepSamples;
      for (let gap = Math.max(this.end, step - keptSteps); gap < step; gap++) this.levels[gap % keptSteps] = 0;
      let squares = 0;
      for (let index = offset; index < offset + stepSamples; index++) squares += (pcm[index] ?? 0) ** 2;
      // The square root of the amplitude: else one loud vowel would outweigh a sentence.
      this.levels[step % keptSteps] = (squares / stepSamples) ** 0.25;
      this.end = Math.max(this.end, step + 1);
    }
  }

  /** From one time to another, epoch; 0 where nothing is known any more. */
  between(startMs: number, endMs: number): Float32Array {
    const [first, last] = [Math.round(startMs / stepMs), Math.round(endMs / stepMs)];
    return Float32Array.from({ length: Math.max(0, Math.min(last - first, keptSteps)) }, (_, index) => {
      const step = first + index;
      return step < this.end && step >= this.end - keptSteps ? (this.levels[step % keptSteps] ?? 0) : 0;
    });
  }
}

/** 0–1: the highest correlation with one of the others, who spoke up to half a second before; 0: with nobody. */
export function echoShare(own: Envelope, others: readonly Envelope[], { startMs, endMs }: TimeSpan): number {
  const heard = own.between(startMs, endMs);
  if (heard.length < stepsMin) return 0;
  const loudest = others
    .map((other) => other.between(startMs - lagSteps * stepMs, endMs))
    .map((levels) => ({ levels, sum: levels.reduce((sum, level) => sum + level, 0) }))
    .filter(({ sum }) => sum > 0)
    .sort((a, b) => b.sum - a.sum)
    .slice(0, othersMax);
  let most = 0;
  for (const { levels } of loudest)
    for (let lag = 0; lag <= lagSteps; lag++) most = Math.max(most, correlation(heard, levels, lagSteps - lag));
  return rounded(Math.min(1, most));
}

/** Pearson's, of one and as much of the other from a place on; 0 where one of them never changes. */
function correlation(one: Float32Array, other: Float32Array, from: number): number {
  const count = Math.min(one.length, other.length - from);
  let [sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0];
  for (let index = 0; index < count; index++) {
    const [a, b] = [one[index] ?? 0, other[from + index] ?? 0];
    sumA += a;
    sumB += b;
    squaresA += a * a;
    squaresB += b * b;
    products += a * b;
  }
  const spread = (squaresA - sumA ** 2 / count) * (squaresB - sumB ** 2 / count);
  return spread <= 0 ? 0 : (products - (sumA * sumB) / count) / Math.sqrt(spread);
}
