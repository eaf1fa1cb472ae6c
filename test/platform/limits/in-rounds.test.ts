/** Work of several owners that lies in a table: in rounds, within the limit of each. */
import { describe, expect, it } from 'vitest';
import { inRounds } from '../../../daemon/platform/limits/in-rounds.js';
import { limitMetrics, WaitCount } from '../../../daemon/platform/limits/refusals.js';

const chosen = (due: string, underWay: Readonly<Record<string, number>> = {}, max = 9) =>
  inRounds(
    due.split(' '),
    (work) => work.charAt(0),
    new Map(Object.entries(underWay)),
    () => max,
  ).join(' ');

describe('work in rounds', () => {
  it.each([
    ['one of each owner in turn', 'a1 a2 a3 b1 c1 c2', {}, 9, 'a1 b1 c1 a2 c2 a3'],
    ['the owner with the least under way first', 'a1 a2 b1 b2', { a: 1 }, 9, 'b1 a1 b2 a2'],
    ['no more of an owner than its limit, which counts what is under way', 'a1 a2 a3 b1 b2', { a: 1 }, 2, 'b1 a1 b2'],
  ])('%s', (_, due, underWay, max, expected) => {
    expect(chosen(due, underWay, max)).toBe(expected);
  });

  it('has a limit for each piece where owners differ', () => {
    const due = ['a1', 'a2', 'b1', 'b2'];
    const few = inRounds(
      due,
      (work) => work.charAt(0),
      new Map(),
      (work) => (work.startsWith('a') ? 1 : 2),
    );
    expect(few).toEqual(['a1', 'b1', 'b2']);
  });
});

it('a wait is counted once for work that finds no slot several times', async () => {
  const waits = async () => {
    const figures = await limitMetrics.find(({ name }) => name === 'limit_waits')?.read();
    return typeof figures === 'object' ? (figures.plugin_runs ?? 0) : 0;
  };
  const before = await waits();
  const count = new WaitCount('plugin_runs');
  for (const left of ['a b', 'a b c', 'c', 'c d']) count.note(left.split(' ').map((id) => ({ id })));
  count.note([]);
  expect((await waits()) - before).toBe(4);
});
