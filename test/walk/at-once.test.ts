/** A random walk of which several steps are taken at once: answers are refusals at worst, and every invariant holds. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { everyInvariant } from '../support/invariants.js';
import { scale } from '../support/scale.js';
import { operatorOf, outcomeOf, WalkProject } from '../support/walk-project.js';
import { take, walk } from '../support/walk-steps.js';

/** Other walks: `EARSHOT_FUZZ_SEED=7 npx vitest run test/walk`. The order of steps that are taken at once is not repeated. */
const seed = Number(process.env.EARSHOT_FUZZ_SEED ?? 20_260_102);
const runs = scale(2, 100);
const atOnce = 6;
/** Groups of steps between two looks at all invariants. */
const stride = 10;

describeDaemonsOnEachDatabase('a random walk with steps at once', (start) => {
  let daemon: TestDaemon;
  const time = { now: Date.UTC(2030, 2, 30, 20) };
  beforeAll(async () => {
    daemon = await start({ now: () => new Date(time.now) });
  }, 120_000);
  afterAll(() => daemon.stop());

  it(`keeps every invariant (EARSHOT_FUZZ_SEED=${seed})`, { timeout: scale(400_000, 3_600_000) }, async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(walk(90, 120), async ({ kind, steps }) => {
        round += 1;
        await daemon.restart(); // signs in again: weeks may have passed
        const projects = await WalkProject.makeTwo(operatorOf(daemon, time), `walk ${round}`, kind);
        const look = async () => {
          for (const project of projects) await everyInvariant(project);
        };
        // Whoever waits for an answer of a daemon that restarts learns nothing of it.
        const all = steps.filter((step) => step.do !== 'restart');
        for (let index = 0; index < all.length; index += atOnce) {
          time.now += 1_000;
          const group = all.slice(index, index + atOnce);
          // All are waited for, so that none is left to the looks.
          const ends = await Promise.allSettled(group.map((step) => outcomeOf(take(projects, step))));
          expect(ends.flatMap((end, nth) => (end.status === 'rejected' ? [[group[nth], end.reason]] : []))).toEqual([]);
          if ((index / atOnce) % stride === stride - 1) await look();
        }
        await look();
      }),
      { numRuns: runs, seed, endOnFailure: true },
    );
  });
});
