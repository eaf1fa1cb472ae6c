/** Random walks over HTTP: each life is a run of one property, on a daemon whose clock the walk sets. */
import fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import type { TestDaemon } from './daemon.js';
import { describeDaemonsOnEachDatabase } from './each-database.js';
import { scale } from './scale.js';

const runs = scale(6, 500);
const patienceMs = scale(180_000, 3_600_000);
const shorteningMs = patienceMs - 30_000;

export interface Walk {
  readonly daemon: TestDaemon;
  readonly time: { now: number };
  /** Number of this life, for names that no other life has. */
  readonly round: number;
}

/** Plays lives on each database. A life that fails is printed with its seed. */
export const describeWalk = <Life>(
  title: string,
  begin: number,
  lives: fc.Arbitrary<Life>,
  play: (walk: Walk, life: Life) => Promise<void>,
): void =>
  describeDaemonsOnEachDatabase(title, (start) => {
    let daemon: TestDaemon;
    const time = { now: begin };
    beforeAll(async () => {
      daemon = await start({ now: () => new Date(time.now) });
    }, 120_000);
    afterAll(() => daemon.stop());

    it(
      'shows what the reference model shows',
      async () => {
        let round = 0;
        const asModelled = fc.asyncProperty(lives, async (life) => {
          round += 1;
          await daemon.restart(); // signs in again: weeks may have passed
          await play({ daemon, time, round }, life);
        });
        // A life that fails is shown as far as it was shortened in time.
        await fc.assert(asModelled, {
          numRuns: runs,
          interruptAfterTimeLimit: shorteningMs,
          markInterruptAsFailure: true,
        });
      },
      patienceMs,
    );
  });
