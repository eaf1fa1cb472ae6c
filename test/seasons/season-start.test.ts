/** When a simulated season begins, and that it begins before it ends. */
import { describe, expect, it } from 'vitest';
import { startOf } from '../../daemon/commands/simulator/simulation.js';
import { SeasonFile } from '../../src/contract/gameplay/season-file.js';

const startWith = (...battlePasses: { startDate?: string; endDate?: string }[]): string => {
  const dated = battlePasses.map((dates, index) => ({ key: `p${index}`, name: 'Pass', levels: [], ...dates }));
  return startOf(SeasonFile.parse({ battlePasses: dated })).toISOString();
};

describe('a simulated season', () => {
  it('begins with the first date that says when something begins', () => {
    const later = { startDate: '2026-05-01T00:00:00.000Z', endDate: '2026-06-01T00:00:00.000Z' };
    expect(startWith(later, { startDate: '2026-04-01T00:00:00.000Z' })).toBe('2026-04-01T00:00:00.000Z');
  });

  it('begins at the same time whatever day it is, where no date says when', () => {
    expect(startWith({})).toBe('2027-01-01T00:00:00.000Z');
    expect(startWith({ endDate: '2027-03-01T00:00:00.000Z' })).toBe('2027-01-01T00:00:00.000Z');
  });

  it('begins before it ends, where only its end is said', () => {
    expect(startWith({ endDate: '2026-07-31T00:00:00.000Z' })).toBe('2026-07-01T00:00:00.000Z');
  });
});
