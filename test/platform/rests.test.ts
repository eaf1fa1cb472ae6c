import { expect, it } from 'vitest';
import { Rests } from '../../daemon/platform/turns/rests.js';

/** An owner with so little rest left begins at once. */
const graceMs = 20;

it('an owner works for half of the time at most, and keeps nobody else waiting', async () => {
  const rests = new Rests();
  const began = performance.now();
  let workedMs = 0;
  const work = async (): Promise<void> => {
    const since = performance.now();
    while (performance.now() - since < 30);
    workedMs += performance.now() - since;
  };
  let order = '';
  for (let piece = 0; piece < 5; piece += 1) {
    await rests.after('busy', work);
    await Promise.all([
      rests.over('busy').then(() => {
        order += 'b';
      }),
      rests.over('other').then(() => {
        order += 'o';
      }),
    ]);
  }
  expect(performance.now() - began).toBeGreaterThanOrEqual(2 * workedMs - graceMs);
  expect(order).toBe('ob'.repeat(5));
  rests.end();
});
