import { describe, expect, it } from 'vitest';
import { retryAfterMs, waitAfter } from '../../daemon/modules/webhooks/delivery/schedule.js';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

describe('the wait before the next attempt', () => {
  it.each([
    [1, 5 * second],
    [2, 5 * minute],
    [3, 30 * minute],
    [4, 2 * hour],
    [5, 5 * hour],
    [6, 10 * hour],
    [7, 10 * hour],
  ])('after %i failures is about %i ms', (attempts, step) => {
    expect(waitAfter(attempts, null, 0.5)).toBe(step);
    expect(waitAfter(attempts, null, 0)).toBeCloseTo(step * 0.8);
    expect(waitAfter(attempts, null, 1)).toBeCloseTo(step * 1.2);
  });
  it('is over after eight', () => {
    expect(waitAfter(8, null, 0.5)).toBeNull();
    expect(waitAfter(8, 1_000, 0.5)).toBeNull();
  });
  it.each([
    ['a longer Retry-After', 8 * second, 8 * second],
    ['at most twice the step of it', hour, 10 * second],
    ['never less than the step', 1 * second, 5 * second],
  ])('honours %s', (_, asked, wait) => {
    expect(waitAfter(1, asked, 0.5)).toBe(wait);
  });
});

describe('Retry-After', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  it.each([
    [null, null],
    ['120', 120_000],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', null],
    ['0', null],
    ['soon', null],
  ])('%j means %s ms', (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });
});
