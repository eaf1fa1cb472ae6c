import { describe, expect, it } from 'vitest';
import { levelOf, overlapShare } from '../../../daemon/modules/sessions/bot/signal.js';

const sine = (peak: number) =>
  Int16Array.from({ length: 16_000 }, (_, index) => Math.round(peak * Math.sin(index / 7)));

describe('levelOf', () => {
  it.each([
    ['a sine at full scale: 3 dB below it', [sine(32_767)], -3],
    ['the same at half the amplitude: 6 dB less', [sine(16_384)], -9],
    ['digital silence', [new Int16Array(320)], -96],
    ['nothing', [], -96],
  ])('measures %s', (_, frames, level) => {
    expect(levelOf(frames).levelDbfs).toBeCloseTo(level, 0);
  });

  it('counts samples at full scale', () => {
    const half = Int16Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? 32_767 : 1_000));
    expect(levelOf([half]).clippedShare).toBe(0.5);
    expect(levelOf([sine(20_000)]).clippedShare).toBe(0);
  });
});

describe('overlapShare', () => {
  const span = { startMs: 1_000, endMs: 2_000 };
  it.each([
    [0, []],
    [0, [{ startMs: 0, endMs: 1_000 }]],
    [0.25, [{ startMs: 500, endMs: 1_250 }]],
    [1, [{ startMs: 0, endMs: 9_000 }]],
    [
      0.5,
      [
        { startMs: 1_200, endMs: 1_600 },
        { startMs: 1_100, endMs: 1_400 },
        { startMs: 1_300, endMs: 1_350 },
      ],
    ],
  ])('is %s of the span', (share, others) => {
    expect(overlapShare(span, others)).toBe(share);
  });
});
