import { describe, expect, it } from 'vitest';
import { Resampler } from '../../../src/client/voice/resampler.js';
import type { Recording } from '../../../src/client/voice/wav-file.js';

/** A second of a tone at half of full scale. */
const tone = (rate: number, hertz: number): Recording => ({
  rate,
  length: rate,
  at: (index) => (index < 0 || index >= rate ? 0 : 0.5 * Math.sin((2 * Math.PI * hertz * index) / rate)),
});
/** Loudness without the edges, where the tone begins and ends. */
const loudness = (recording: Recording): number => {
  const pcm = new Resampler(recording).read(4_800, 38_400);
  return Math.sqrt(pcm.reduce((sum, sample) => sum + (sample / 32_768) ** 2, 0) / pcm.length);
};
const full = 0.5 / Math.SQRT2;

describe('Resampler', () => {
  it.each([8_000, 16_000, 22_050, 44_100, 48_000, 96_000])('keeps the time and a voice recorded at %i Hz', (rate) => {
    expect(new Resampler(tone(rate, 440)).length).toBe(48_000);
    expect(loudness(tone(rate, 440))).toBeCloseTo(full, 2);
    expect(loudness(tone(rate, 3_000))).toBeCloseTo(full, 2);
  });

  it('gives a tone back at its own pitch', () => {
    const pcm = new Resampler(tone(16_000, 1_000)).read(4_800, 48);
    const expected = Array.from({ length: 48 }, (_, index) => 16_384 * Math.sin((2 * Math.PI * index) / 48));
    expect(Math.max(...expected.map((sample, index) => Math.abs(sample - (pcm[index] ?? 0))))).toBeLessThan(60);
  });

  it('leaves out what 48 kHz cannot hold', () => {
    expect(loudness(tone(96_000, 30_000))).toBeLessThan(full / 1_000);
  });

  it('reads the same in one piece and in many, and silence behind the end', () => {
    const source = new Resampler(tone(44_100, 700));
    const whole = source.read(0, 1_920);
    expect([...source.read(0, 960), ...source.read(960, 960)]).toEqual([...whole]);
    expect([...source.read(48_100, 4)]).toEqual([0, 0, 0, 0]);
  });
});
