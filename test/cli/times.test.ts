import { describe, expect, it } from 'vitest';
import { NotUnderstood, parseDuration, parseTime, relative } from '../../src/cli/times.js';

const now = new Date('2026-01-01T12:00:00.000Z');

describe('durations', () => {
  it.each([
    ['90', 90],
    ['30s', 30],
    ['10m', 600],
    ['2h30m', 9_000],
    ['7d', 604_800],
    ['1w', 604_800],
  ])('%s is %i seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  it.each(['', 'm', '10 m', '-5m', '1.5h', 'ten'])('refuses "%s"', (text) => {
    expect(() => parseDuration(text)).toThrow(NotUnderstood);
  });
});

describe('times', () => {
  it('takes ISO times and times from now on', () => {
    expect(parseTime('in 2h', now)).toBe('2026-01-01T14:00:00.000Z');
    expect(parseTime('2026-02-03T04:05:06+02:00', now)).toBe('2026-02-03T02:05:06.000Z');
    expect(() => parseTime('tomorrow', now)).toThrow(NotUnderstood);
  });

  it('tells them relative to now', () => {
    expect(relative('2026-01-01T11:57:00.000Z', now)).toBe('3m ago');
    expect(relative('2026-01-03T12:00:00.000Z', now)).toBe('in 2d');
  });
});
