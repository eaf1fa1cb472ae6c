/** Ten thousand reports from a hundred reporters within a minute: the queue stays useful, and nobody else is slowed. */
import { expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { describeEachDatabase } from '../support/each-database.js';
import { watchingHealth } from '../support/health-watch.js';
import { signIn } from '../support/room-client.js';
import { scale, torture } from '../support/scale.js';

const reports = scale(200, 10_000);
const reporters = scale(10, 100);
const people = scale(10, 20);
const atOnce = 25;
const minuteMs = 60_000;

async function gameServer(url: string): Promise<{ client: EarshotClient; projectId: string }> {
  const { client: admin, projectId } = await signIn(url);
  const body = { name: 'game server', scopes: ['reports' as const] };
  const { key } = await admin.call(apiKeyRoutes.create, { body });
  return { client: new EarshotClient({ baseUrl: url, credential: { kind: 'apiKey', key } }), projectId };
}

/** Reports of the game server; returns how many were refused, each of them with 429. */
async function storm(client: EarshotClient, projectId: string): Promise<number> {
  let [sent, refused] = [0, 0];
  const send = async (): Promise<void> => {
    while (sent < reports) {
      const index = sent;
      sent += 1;
      const body = {
        externalUserId: `target-${index % people}`,
        reporterUserId: `storm-${Math.floor(index / people) % reporters}`,
        category: 'spam',
        words: `report ${index}`,
      };
      await client.call(reportRoutes.create, { params: { projectId }, body }).catch((error: unknown) => {
        expect(error).toMatchObject({ status: 429, code: 'rate_limited' });
        refused += 1;
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));
  return refused;
}

/** One serious report before the storm, and one in the middle of it by somebody who is no part of it. */
async function besideIt(client: EarshotClient, projectId: string, attack: () => Promise<void>): Promise<void> {
  const params = { projectId };
  const report = (reporterUserId: string, externalUserId: string, category: string) =>
    client.call(reportRoutes.create, { params, body: { reporterUserId, externalUserId, category } });
  const first = await report('a-child', 'the-one', 'minors_safety');
  const running = attack();
  const second = await report('a-player', 'the-other', 'threats');
  await running;
  const { cases } = await client.call(caseRoutes.list, { params, query: { limit: 200 } });
  expect(cases.slice(0, 2).map(({ id }) => id)).toEqual([first.caseId, second.caseId]);
  expect(cases.slice(2).length).toBeLessThanOrEqual(people);
  for (const { brigaded, reports: stored, reporters: who, why } of cases.slice(2)) {
    expect(why).toContain('came together and count less');
    expect({ brigaded, who }).toEqual({ brigaded: stored, who: stored });
  }
}

const unlimited = { EARSHOT_RATE_LIMIT_CREDENTIAL: '0', EARSHOT_REPORTS_MINUTE: '0', EARSHOT_REPORTS_REPORTER: '0' };

describeEachDatabase(
  'a storm of reports without limits',
  ({ database, daemon }) => {
    it('is stored within a minute, as one report of each reporter about each person', async () => {
      const { client, projectId } = await gameServer(daemon().url);
      await watchingHealth(daemon(), `${reports} reports on ${database}`, () =>
        besideIt(client, projectId, async () => {
          const began = performance.now();
          expect(await storm(client, projectId)).toBe(0);
          const tookMs = performance.now() - began;
          console.info(`${reports} reports were stored in ${(tookMs / 1_000).toFixed(1)} s on ${database}`);
          if (torture) expect(tookMs).toBeLessThan(minuteMs);
        }),
      );
      const { total, reports: some } = await client.call(reportRoutes.list, {
        params: { projectId },
        query: { category: 'spam', limit: 200 },
      });
      expect(total).toBe(Math.min(reports, reporters * people));
      const expected = reports / (reporters * people) - 1;
      for (const { repeats } of some) expect(repeats).toBe(expected);
    });
  },
  unlimited,
);

if (torture)
  describeEachDatabase('a storm of reports within the usual limits', ({ database, daemon }) => {
    it('is refused but for a few hundred', async () => {
      const { client, projectId } = await gameServer(daemon().url);
      await watchingHealth(daemon(), `${reports} reports within limits on ${database}`, () =>
        besideIt(client, projectId, async () => {
          // 20 in an hour of each reporter.
          expect(await storm(client, projectId)).toBeGreaterThanOrEqual(reports - 20 * reporters);
        }),
      );
    });
  });
