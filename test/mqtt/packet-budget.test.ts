import { beforeEach, describe, expect, it } from 'vitest';
import { type PacketBudget, PacketBudgets, packetCost } from '../../daemon/modules/mqtt/packet-budget.js';

const [subscribe, puback, pubrel] = [8, 4, 6];
const home = '192.0.2.1';
let nowMs = 0;
let budgets: PacketBudgets;
beforeEach(() => {
  budgets = new PacketBudgets({ perSecond: 5, burst: 10 }, { perSecond: 10, burst: 25 }, () => nowMs);
});
const open = (network: string | null): PacketBudget => {
  const budget = budgets.open(network);
  if (budget === null) throw new Error('The address has no budget left.');
  return budget;
};
/** Sends small packets until one is not admitted; returns how many were. */
const exhaust = (budget: PacketBudget): number => {
  let sent = 0;
  while (budget.admits(subscribe, 40)) sent += 1;
  return sent;
};

describe('the budget of an MQTT connection', () => {
  it('lets much come at once and little afterwards', () => {
    const budget = open(null);
    expect(exhaust(budget)).toBe(10);
    nowMs += 1_000;
    expect(exhaust(budget)).toBe(5);
    nowMs += 60_000;
    expect(exhaust(budget)).toBe(10);
  });

  it('counts bytes, topics and what WebSockets bring besides', () => {
    expect(packetCost(16 * 1024)).toBe(65);
    expect(open(null).admits(subscribe, 10 * 256)).toBe(false);
    expect(open(null).spend(11)).toBe(false);
    const budget = open(null);
    for (let message = 0; message < 8; message += 1) expect(budget.admitsFrame('message')).toBe(true);
    for (let ping = 0; ping < 2; ping += 1) expect(budget.admitsFrame('ping')).toBe(true);
    expect(exhaust(budget)).toBe(0);
  });

  it('lets every message be acknowledged once', () => {
    const budget = open(null);
    exhaust(budget);
    for (let message = 0; message < 1_000; message += 1) budget.expectAcknowledgement();
    for (let message = 0; message < 1_000; message += 1) {
      expect(budget.admits(puback, 2)).toBe(true);
      for (let frame = 0; frame < 4; frame += 1) expect(budget.admitsFrame('message')).toBe(true);
    }
    expect(budget.admits(puback, 2)).toBe(false);
    expect(budget.admitsFrame('message')).toBe(false);
  });

  it('admits no packet of quality of service 2', () => {
    expect(open(null).admits(pubrel, 2)).toBe(false);
  });
});

describe('the budget of an address', () => {
  it('is one for all its connections, and none of another address', () => {
    expect([exhaust(open(home)), exhaust(open(home)), exhaust(open(home))]).toEqual([10, 10, 5]);
    expect(budgets.open(home)).toBeNull();
    expect(exhaust(open('192.0.2.2'))).toBe(10);
    nowMs += 100;
    expect(exhaust(open(home))).toBe(1);
  });

  it('is not reduced by packets that are refused', () => {
    const [first, second] = [open(home), open(home)];
    exhaust(first);
    for (let refused = 0; refused < 100; refused += 1) expect(first.admits(subscribe, 40)).toBe(false);
    expect(exhaust(second)).toBe(10);
    expect(budgets.refused).toBe(102);
  });

  it('can be without limit', () => {
    budgets = new PacketBudgets({ perSecond: 5, burst: 10 }, { perSecond: 0, burst: 0 }, () => nowMs);
    expect([1, 2, 3, 4].map(() => exhaust(open(home)))).toEqual([10, 10, 10, 10]);
  });
});
