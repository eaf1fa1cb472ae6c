/** Lookups of many requests in one statement. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BatchedLookup } from '../../../daemon/platform/database/batched-lookup.js';
import { eventually } from '../../support/eventually.js';

/** A table whose lookups end when the test says so. */
function slowTable(rows: Map<string, number>) {
  const begun: { readonly keys: readonly string[]; end(): void; fail(error: Error): void }[] = [];
  const lookup = new BatchedLookup<number>((keys) => {
    const found = new Map(keys.flatMap((key) => (rows.has(key) ? [[key, rows.get(key) ?? 0] as const] : [])));
    return new Promise((resolve, reject) => {
      begun.push({ keys, end: () => resolve(found), fail: reject });
    });
  });
  return { begun, lookup };
}

describe('a batched lookup', () => {
  it('answers what is asked together by one lookup of each key', async () => {
    const { begun, lookup } = slowTable(new Map([['a', 1]]));
    const answers = [lookup.getAll(['a']), lookup.getAll(['a', 'b']), lookup.getAll(['b'])];
    await nextTurn();
    await nextTurn();
    expect(begun.map(({ keys }) => keys)).toEqual([['a', 'b']]);
    begun[0]?.end();
    for (const answer of await Promise.all(answers)) expect([...answer]).toEqual([['a', 1]]);
  });

  it('answers nothing from before the question, and keeps later questions for one lookup', async () => {
    const rows = new Map([['a', 1]]);
    const { begun, lookup } = slowTable(rows);
    const early = lookup.getAll(['a']);
    await nextTurn();
    await nextTurn();
    rows.set('a', 2);
    const late = [lookup.getAll(['a']), lookup.getAll(['c'])];
    await nextTurn();
    expect(begun).toHaveLength(1);
    begun[0]?.end();
    expect((await early).get('a')).toBe(1);
    await nextTurn();
    expect(begun.map(({ keys }) => keys)).toEqual([['a'], ['a', 'c']]);
    begun[1]?.end();
    expect((await late[0])?.get('a')).toBe(2);
  });

  it('fails only those who asked the lookup that failed', async () => {
    const { begun, lookup } = slowTable(new Map([['a', 1]]));
    const failing = lookup.getAll(['a']);
    const refused = expect(failing).rejects.toThrow('no connection');
    await nextTurn();
    await nextTurn();
    const next = lookup.getAll(['a']);
    begun[0]?.fail(new Error('no connection'));
    await refused;
    await nextTurn();
    begun[1]?.end();
    expect((await next).get('a')).toBe(1);
  });

  it('begins another lookup beside one that has many keys', async () => {
    const { begun, lookup } = slowTable(new Map());
    const many = Array.from({ length: 600 }, (_, index) => `key-${index}`);
    const answers = [lookup.getAll(many), lookup.getAll(['another'])];
    await nextTurn();
    await nextTurn();
    expect(begun.map(({ keys }) => keys.length)).toEqual([600, 1]);
    for (const { end } of begun) end();
    await Promise.all(answers);
  });

  it('goes on beside a lookup that never ends', async () => {
    const { begun, lookup } = slowTable(new Map([['a', 1]]));
    void lookup.getAll(['a']);
    await nextTurn();
    await nextTurn();
    const later = lookup.getAll(['a']);
    await eventually(async () => expect(begun).toHaveLength(2));
    begun[1]?.end();
    expect((await later).get('a')).toBe(1);
  });
});
