/** A random walk through projects, step by step: every invariant holds, whatever was done before, and at which time. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { everyInvariant } from '../support/invariants.js';
import { scale } from '../support/scale.js';
import { operatorOf, outcomeOf, WalkProject } from '../support/walk-project.js';
import { takeWatched, walk } from '../support/walk-steps.js';

/** Other walks: `EARSHOT_FUZZ_SEED=7 npx vitest run test/walk`. */
const seed = Number(process.env.EARSHOT_FUZZ_SEED ?? 20_260_101);
const runs = scale(2, 200);
/** Steps between two looks at all invariants. */
const stride = 30;
const begin = Date.UTC(2030, 2, 30, 20);

describe('a random walk', () => {
  let daemon: TestDaemon;
  const time = { now: begin };
  beforeAll(async () => {
    daemon = await startDaemon({ now: () => new Date(time.now) });
  });
  afterAll(() => daemon.stop());

  it(`keeps every invariant (EARSHOT_FUZZ_SEED=${seed})`, { timeout: scale(400_000, 3_600_000) }, async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(walk(60, 100), async ({ kind, steps }) => {
        round += 1;
        await daemon.restart(); // signs in again: weeks may have passed
        const projects = await WalkProject.makeTwo(operatorOf(daemon, time), `walk ${round}`, kind);
        for (const [index, step] of steps.entries()) {
          time.now += 1_000;
          await outcomeOf(takeWatched(projects, step));
          if ((index + 1) % stride !== 0 && index < steps.length - 1) continue;
          for (const project of projects) await everyInvariant(project);
        }
      }),
      { numRuns: runs, seed, endOnFailure: true },
    );
  });
});
