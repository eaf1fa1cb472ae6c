/** Cases whose decision is taken back: what it imposed, decided and counted. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { caseRoutes, type DecideCaseRequest } from '../../src/contract/reports/cases.js';
import { reporterRoutes } from '../../src/contract/reports/reporters.js';
import { complaintRoutes, reportRoutes } from '../../src/contract/reports/reports.js';
import { moderationStatsRoutes } from '../../src/contract/stats/moderation-stats.js';
import { signedInColleague } from '../support/console.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';

describeDaemonsOnEachDatabase('a case that is reopened', (start) => {
  let daemon: TestDaemon;
  let ana: EarshotClient;
  let ben: EarshotClient;
  let [person, reporter, people] = ['', '', 0];
  let ms = Date.now();
  beforeAll(async () => {
    // Time passes while a case is decided.
    daemon = await start({
      now: () => {
        ms += 1;
        return new Date(ms);
      },
    });
    ana = await signedInColleague(daemon, 'moderator', 'ana');
    ben = await signedInColleague(daemon, 'moderator', 'ben');
  });
  afterAll(() => daemon.stop());
  beforeEach(() => {
    people += 1;
    [person, reporter] = [`person-${people}`, `reporter-${people}`];
  });

  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string | null) => ({ params: { ...params(), id: id ?? '' } });
  const report = () =>
    daemon.client.call(reportRoutes.create, {
      params: params(),
      body: { externalUserId: person, category: 'hate', reporterUserId: reporter },
    });
  const decide = (id: string | null, body: DecideCaseRequest) => ana.call(caseRoutes.decide, { ...item(id), body });
  const reopen = (id: string | null, by: EarshotClient, note?: string) =>
    by.call(caseRoutes.reopen, { ...item(id), body: note === undefined ? {} : { note } });
  const record = () => daemon.client.call(reporterRoutes.get, { params: { ...params(), externalUserId: reporter } });
  const ban: DecideCaseRequest = {
    ...{ decision: 'sanction', reasonCode: 'violation', sanction: { type: 'temp_ban', duration: 3_600 } },
  };

  it('has its sanction revoked, its reports undecided and uncounted, and is decided anew', async () => {
    const { id, caseId } = await report();
    const { sanctionId } = await decide(caseId, ban);
    expect(await record()).toMatchObject({ decided: 1, upheld: 1 });
    const figures = async () => {
      const { reports } = await daemon.client.call(moderationStatsRoutes.get, { params: params(), query: {} });
      return Object.fromEntries(reports.byOutcome.map((one) => [one.outcome, one.reports]));
    };
    const before = await figures();
    expect(await reopen(caseId, ana, 'the wrong person')).toMatchObject({
      ...{ status: 'open', decision: null, reasonCode: null, sanctionId: null, decidedAt: null },
    });
    expect(await ana.call(caseRoutes.get, item(caseId))).toMatchObject({ note: 'the wrong person' });
    expect(await ana.call(sanctionRoutes.get, item(sanctionId))).toMatchObject({ status: 'revoked', isActive: false });
    expect(await ana.call(reportRoutes.get, item(id))).toMatchObject({
      status: 'open',
      outcome: null,
      decidedBy: null,
    });
    expect(await record()).toMatchObject({ decided: 0, upheld: 0, weight: 1 });
    expect((await figures()).action_taken ?? 0).toBe((before.action_taken ?? 0) - 1);
    expect((await report()).caseId).toBe(caseId);
    await decide(caseId, { decision: 'no_action', reasonCode: 'no_violation' });
    expect(await ana.call(reportRoutes.get, item(id))).toMatchObject({ outcome: 'no_action' });
    expect(await record()).toMatchObject({ decided: 1, upheld: 0 });
  });

  it('gives back what it had charged its reporters with', async () => {
    const { caseId } = await report();
    await decide(caseId, { decision: 'no_action', reasonCode: 'unfounded_reports' });
    expect(await record()).toMatchObject({ unfounded: 1 });
    await reopen(caseId, ana);
    expect(await record()).toMatchObject({ decided: 0, unfounded: 0 });
  });

  it('has its reviews open again, and what they had lifted in force', async () => {
    const asked = { type: 'human_review', externalUserId: person } as const;
    await daemon.client.call(sanctionRoutes.create, { params: params(), body: asked });
    const { caseId } = await report();
    await decide(caseId, { decision: 'no_action', reasonCode: 'no_violation' });
    const reviews = async () =>
      (await ana.call(reviewRoutes.list, { params: params(), query: { externalUserId: person } })).reviews;
    expect(await reviews()).toMatchObject([{ status: 'decided', decision: 'overturned' }]);
    await reopen(caseId, ana);
    expect(await reviews()).toMatchObject([{ status: 'open', decision: null }]);
    await decide(caseId, { decision: 'no_action', reasonCode: 'no_violation' });
    expect(await reviews()).toMatchObject([{ status: 'decided' }]);
  });

  it('is reopened by who decided it, or by an administrator', async () => {
    const { caseId } = await report();
    await decide(caseId, ban);
    await expect(reopen(caseId, ben)).rejects.toMatchObject({ status: 403, code: 'insufficient_role' });
    expect(await reopen(caseId, daemon.admin)).toMatchObject({ status: 'open' });
    await expect(reopen(caseId, daemon.admin)).rejects.toMatchObject({ status: 409, code: 'case_not_reopenable' });
  });

  it('is not reopened while a complaint about it waits', async () => {
    const { id, caseId } = await report();
    await decide(caseId, { decision: 'no_action', reasonCode: 'no_violation' });
    const { url } = await daemon.client.call(complaintRoutes.receipt, item(id));
    const code = { code: url?.split('/').at(-1) ?? '' };
    await daemon.client.call(complaintRoutes.complain, { params: code, body: { statement: 'No.' } });
    await expect(reopen(caseId, ana)).rejects.toMatchObject({ status: 409, code: 'case_appeal_undecided' });
    expect(await ana.call(reportRoutes.get, item(id))).toMatchObject({ status: 'decided' });
  });

  it('stands beside the case that was opened since', async () => {
    const { caseId } = await report();
    await decide(caseId, ban);
    const { caseId: other } = await report();
    expect(await reopen(caseId, ana)).toMatchObject({ status: 'open', reports: 1 });
    expect(other).not.toBe(caseId);
    expect((await report()).caseId).toBe(other);
  });
});
