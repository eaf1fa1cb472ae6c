/** A random walk in which the daemon is killed under several steps, and started again: every invariant holds afterwards. */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { DaemonUnreachable } from '../../src/client/errors.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { scopeNames } from '../../src/contract/scopes.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { leaveKeysToNobody } from '../support/database.js';
import { everyInvariant } from '../support/invariants.js';
import { scale } from '../support/scale.js';
import { outcomeOf, WalkProject } from '../support/walk-project.js';
import { type StepName, take, walk } from '../support/walk-steps.js';

/** Other walks: `EARSHOT_FUZZ_SEED=7 npx vitest run test/walk`. How far a step comes before the kill is not repeated. */
const seed = Number(process.env.EARSHOT_FUZZ_SEED ?? 20_260_103);
const runs = scale(1, 40);
const atOnce = 5;
/** Groups of steps from one kill to the next. */
const stride = 5;
/** Rebuilds wait for the lease of the daemon that was killed: `test/leaderboards/rebuild-crash.test.ts` has those. */
const left = new Set<StepName>(['restart', 'rebuild', 'undoRebuild']);

let daemon: DaemonProcess;
let key: string;
let admin: EarshotClient;
const clientWith = (apiKey: string) =>
  new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key: apiKey } });
const restart = async () => {
  await daemon.end('SIGKILL');
  await daemon.start();
};

beforeAll(async () => {
  daemon = new DaemonProcess();
  await daemon.start();
  const anonymous = new EarshotClient({ baseUrl: daemon.url });
  const { accessToken: token } = await anonymous.call(accountRoutes.loginCredentials, { body: administrator });
  admin = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
  ({ key } = await admin.call(apiKeyRoutes.create, { body: { name: 'walk', scopes: [...scopeNames] } }));
  await leaveKeysToNobody(daemon.databaseUrl);
}, 120_000);
afterAll(() => daemon.dispose());

it(`a killed daemon keeps every invariant (EARSHOT_FUZZ_SEED=${seed})`, {
  timeout: scale(400_000, 3_600_000),
}, async () => {
  let round = 0;
  await fc.assert(
    fc.asyncProperty(walk(80, 100), async ({ kind, steps }) => {
      round += 1;
      const { url, databaseUrl } = daemon;
      const operator = { url, databaseUrl, admin, client: clientWith(key), restart };
      const projects = await WalkProject.makeTwo(operator, `walk ${round}`, kind);
      const look = async () => {
        for (const project of projects) await everyInvariant(project);
      };
      const all = steps.filter((step) => !left.has(step.do));
      for (let index = 0; index < all.length; index += atOnce) {
        const group = all.slice(index, index + atOnce);
        const isKilled = (index / atOnce) % stride === stride - 1;
        const kill = async () => {
          await sleep(3 * (3 + (group[0]?.amount ?? 0)));
          await restart();
        };
        const killed = isKilled ? kill() : Promise.resolve();
        const ends = await Promise.allSettled(group.map((step) => outcomeOf(take(projects, step))));
        await killed;
        const failed = ends.flatMap((end, nth) => (end.status === 'rejected' ? [[group[nth], end.reason]] : []));
        // What was under way may have no answer.
        expect(failed.filter(([, reason]) => !(isKilled && reason instanceof DaemonUnreachable))).toEqual([]);
        if (isKilled) await look();
      }
      await look();
    }),
    { numRuns: runs, seed, endOnFailure: true },
  );
});
