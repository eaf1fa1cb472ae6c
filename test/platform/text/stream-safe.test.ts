import { describe, expect, it } from 'vitest';
import { compatible } from '../../../daemon/platform/text/compatible.js';
import { foldAccents, foldCase } from '../../../src/text/fold.js';
import { streamSafe } from '../../../src/text/stream-safe.js';

/** Returns marks in the order that takes longest to sort: minutes. */
const marks = (count: number): string => `a${'\u0301'.repeat(count)}${'\u0316'.repeat(count)}`;
const slowestMs = 5_000;

describe('text with thousands of marks on one letter', () => {
  it.each([
    ['compatible', compatible],
    ['foldCase', foldCase],
    ['foldAccents', foldAccents],
  ])('is normalised by %s without delay', (_, normalise) => {
    const begun = performance.now();
    normalise(marks(100_000));
    expect(performance.now() - begun).toBeLessThan(slowestMs);
  });

  it('keeps its letter and its marks', () => {
    expect(foldAccents(marks(1_000))).toBe('a');
    expect(streamSafe(marks(40)).replaceAll('\u034f', '')).toBe(marks(40));
  });

  it('is the only text that is changed', () => {
    const usual = 'Zalgo e\u0301\u0316 한국어 ภาษาไทย \u05d1\u05b0\u05bc';
    expect(streamSafe(usual)).toBe(usual);
  });
});
