import { describe, expect, it } from 'vitest';
import { BodyBudget } from '../../../daemon/platform/http/bodies/body-budget.js';
import { add, cut } from '../../../daemon/platform/http/bodies/pieces.js';
import { DomainError } from '../../../src/contract/errors.js';

const sizes = { allBytes: 100, tenantBytes: 60, addressBytes: 40, strangersBytes: 20, strangerBytes: 10, waitMs: 50 };
const of = (tenantId: string | null, network: string) => ({ tenantId, network });
const codeOf = (taking: Promise<unknown>) =>
  taking.then(
    () => null,
    (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
  );

describe('the budget of bodies', () => {
  it('keeps a share for each address, tenant, and everybody without a credential', async () => {
    const budget = new BodyBudget('large_body_memory', sizes);
    await budget.acquire(of('a', '1'), 40);
    expect(await codeOf(budget.acquire(of('a', '1'), 1))).toBe('rate_limited');
    await budget.acquire(of('a', '2'), 20);
    expect(await codeOf(budget.acquire(of('a', '3'), 1))).toBe('rate_limited');
    await budget.acquire(of(null, '1'), 10);
    expect(await codeOf(budget.acquire(of(null, '1'), 1))).toBe('rate_limited');
    await budget.acquire(of(null, '2'), 10);
    expect(await codeOf(budget.acquire(of(null, '3'), 1))).toBe('rate_limited');
    expect(budget.takenBytes).toBe(80);
    await budget.acquire(of('b', '1'), 20);
    expect(await codeOf(budget.acquire(of('b', '1'), 1))).toBe('overloaded');
    expect(budget.refused).toBe(5);
  });

  it('lets a body with a credential wait for its bytes, in order, and gives them back once', async () => {
    const budget = new BodyBudget('large_body_memory', { ...sizes, waitMs: 5_000 });
    const first = await budget.acquire(of('a', '1'), 40);
    const order: string[] = [];
    const large = budget.acquire(of('a', '1'), 30).then((giveBack) => {
      order.push('large');
      return giveBack;
    });
    const small = budget.acquire(of('a', '2'), 10).then((giveBack) => {
      order.push('small');
      return giveBack;
    });
    first();
    first();
    for (const giveBack of await Promise.all([large, small])) giveBack();
    expect(order).toEqual(['large', 'small']);
    expect(budget.takenBytes).toBe(0);
  });

  it('goes on with those behind one that has waited too long', async () => {
    const budget = new BodyBudget('large_body_memory', sizes);
    await budget.acquire(of('a', '1'), 40);
    const refused = codeOf(budget.acquire(of('a', '1'), 30));
    const behind = budget.acquire(of('a', '2'), 10);
    expect(await refused).toBe('rate_limited');
    (await behind)();
  });
});

describe('a value in pieces', () => {
  it.each([
    ['a list', Array.from({ length: 12_000 }, (_, n) => ({ n }))],
    ['lists in fields', { a: Array(9_000).fill('x'.repeat(300)), b: [], c: [[1], [2]], d: { e: [1] }, f: null }],
    ['a text', 'alone'],
    ['nothing', undefined],
  ])('is put together as it was: %s', (_, whole) => {
    const { value, pieces } = cut(whole);
    for (const piece of pieces) add(piece, value);
    expect(value).toEqual(whole);
    expect(pieces.every(({ items }) => items.length <= 5_000)).toBe(true);
  });
});
