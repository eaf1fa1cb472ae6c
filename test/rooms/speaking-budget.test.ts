import { describe, expect, it } from 'vitest';
import { SpeakingBudget, SpeakingBudgets } from '../../daemon/modules/rooms/embedded/speaking-budget.js';

/** Seconds that are heard of so many seconds of speech, in packets of so many milliseconds, from `fromMs` on. */
const heard = (budget: SpeakingBudget, seconds: number, packetMs: number, fromMs = 0): number => {
  let packets = 0;
  for (let ms = 0; ms < seconds * 1_000; ms += packetMs) if (budget.allows(fromMs + ms, packetMs)) packets += 1;
  return (packets * packetMs) / 1_000;
};

describe('a budget of 6 seconds a minute', () => {
  it.each([20, 60, 120])('lets 6 seconds through at once, in packets of %i ms', (packetMs) => {
    expect(heard(new SpeakingBudget(6, 0), 6, packetMs)).toBeCloseTo(6, 0);
  });

  it('lets 6 more through in each minute of talking on', () => {
    const total = heard(new SpeakingBudget(6, 0), 180, 20);
    expect(total).toBeGreaterThan(6 + 2.5 * 6);
    expect(total).toBeLessThan(6 + 3.2 * 6);
  });

  it('is silent until there is enough for a few words', () => {
    const budget = new SpeakingBudget(6, 0);
    heard(budget, 7, 20);
    expect(heard(budget, 8, 20, 7_000)).toBe(0);
    expect(heard(budget, 5, 20, 17_500)).toBeGreaterThan(0.9);
  });

  it('is full again after a minute of silence', () => {
    const budget = new SpeakingBudget(6, 0);
    heard(budget, 6, 20);
    expect(budget.isFull(30_000)).toBe(false);
    expect(budget.isFull(66_000)).toBe(true);
  });

  it('charges the sound of packets that come faster than the clock, so that no size of packet is cheaper', () => {
    const budget = new SpeakingBudget(6, 0);
    const burst = Array.from({ length: 50 }, () => budget.allows(1_000, 20));
    expect(burst.every(Boolean)).toBe(true);
    expect(heard(budget, 6, 20, 1_000)).toBeLessThan(5.7);
  });
});

describe('budgets of people', () => {
  const spend = (budgets: SpeakingBudgets, person: string) =>
    Array.from({ length: 400 }, (_, index) => budgets.allows('p', person, 6, index * 20, 20)).filter(Boolean).length;

  it('are told apart, and coming back fills none', () => {
    const budgets = new SpeakingBudgets();
    expect(spend(budgets, 'ann')).toBeLessThan(360);
    expect(budgets.allows('p', 'ann', 6, 8_000, 20)).toBe(false);
    expect(budgets.allows('p', 'ben', 6, 8_000, 20)).toBe(true);
    budgets.forgetFull(9_000);
    expect(budgets.allows('p', 'ann', 6, 9_000, 20)).toBe(false);
  });
});
