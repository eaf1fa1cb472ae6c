/** The limits of reports count those that are taken. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_REPORTS_MINUTE: '4' } }); // two of each project
});
afterAll(() => daemon.stop());

const report = (externalUserId: string, reporterUserId: string) =>
  daemon.client.call(reportRoutes.create, {
    params: { projectId: daemon.projectId },
    body: { externalUserId, reporterUserId, category: 'spam' },
  });

it('reports of oneself, which are refused, use up nobody’s minute', async () => {
  for (let time = 0; time < 4; time += 1)
    await expect(report('ann', 'ann')).rejects.toMatchObject({ code: 'report_self' });
  await report('bob', 'ann');
  await report('bob', 'cid');
  await expect(report('bob', 'dan')).rejects.toMatchObject({ status: 429, code: 'rate_limited' });
});
