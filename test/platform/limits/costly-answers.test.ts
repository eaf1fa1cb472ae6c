/** Answers that took long and were asked by several at once are kept for a while, by question; others are read anew. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CostlyAnswers } from '../../../daemon/platform/limits/costly-answers.js';

let reads: string[];
let answers: CostlyAnswers<{ readonly read: number }>;
beforeEach(() => {
  reads = [];
  answers = new CostlyAnswers();
});
afterEach(() => answers.forget());

/** A read that takes so long, and says which of all reads it was. */
const ask = (question: string, ms: number) =>
  answers.get(question, async () => {
    reads.push(question);
    const read = reads.length;
    await sleep(ms);
    return { read };
  });

it('asks once for all who ask the same at once, however quick it is', async () => {
  const all = await Promise.all([ask('a', 5), ask('a', 5), ask('b', 5), ask('a', 5)]);
  expect(all.map(({ read }) => read)).toEqual([1, 1, 2, 1]);
  expect(await ask('a', 5)).toEqual({ read: 3 });
});

it('keeps for a while what took long and was asked by several at once, by question', async () => {
  expect(await Promise.all([ask('a', 150), ask('a', 150)])).toEqual([{ read: 1 }, { read: 1 }]);
  expect(await ask('a', 150)).toEqual({ read: 1 });
  expect(await ask('b', 5)).toEqual({ read: 2 });
  await sleep(2_200); // ten times as long as it took, and then some
  expect(await ask('a', 5)).toEqual({ read: 3 });
});

it('reads anew for one who asks alone, however long it takes', async () => {
  expect(await ask('a', 150)).toEqual({ read: 1 });
  expect(await ask('a', 150)).toEqual({ read: 2 });
});

it('keeps no failure, and tells it to all who wait', async () => {
  const failing = () => answers.get('a', () => sleep(150).then(() => Promise.reject(new Error('no'))));
  const both = await Promise.allSettled([failing(), failing()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await ask('a', 5)).toEqual({ read: 1 });
});

it('forgets what it has and what is under way', async () => {
  await Promise.all([ask('a', 150), ask('a', 150)]);
  const begun = ask('b', 150);
  answers.forget();
  expect(await ask('a', 5)).toEqual({ read: 3 });
  expect(await begun).toEqual({ read: 2 });
  expect(await ask('b', 5)).toEqual({ read: 4 });
});
