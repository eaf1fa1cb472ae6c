/** Complaints of reporters about decisions on their reports: Regulation (EU) 2022/2065, Article 20, and what they are told, Article 16. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { hourMs } from '../../daemon/platform/time/spans.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { caseRoutes, type DecideCaseRequest } from '../../src/contract/reports/cases.js';
import { reporterRoutes } from '../../src/contract/reports/reporters.js';
import { complaintRoutes, playerReportRoutes, reportRoutes } from '../../src/contract/reports/reports.js';
import { moderationStatsRoutes } from '../../src/contract/stats/moderation-stats.js';
import { transparencyRoutes } from '../../src/contract/stats/transparency.js';
import { signedInColleague } from '../support/console.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';

const noViolation = { decision: 'no_action', reasonCode: 'no_violation' } as const;
const answer = 'We listened to it again.';

describeDaemonsOnEachDatabase('a complaint of a reporter', (start) => {
  let daemon: TestDaemon;
  let ana: EarshotClient;
  let ben: EarshotClient;
  let now = new Date('2026-01-31T10:00:00.000Z');
  let [person, reporter, people] = ['', '', 0];
  beforeAll(async () => {
    daemon = await start({ now: () => now });
    ana = await signedInColleague(daemon, 'moderator', 'ana');
    ben = await signedInColleague(daemon, 'moderator', 'ben');
  });
  afterAll(() => daemon.stop());
  beforeEach(() => {
    people += 1;
    [person, reporter] = [`person-${people}`, `reporter-${people}`];
  });

  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ params: { ...params(), id } });
  const statement = 'He did threaten me.';
  const player = async (userId: string) => {
    const { token } = await daemon.client.call(playerRoutes.createToken, { params: { ...params(), userId } });
    return new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
  };
  const report = (more: object = {}) =>
    daemon.client.call(reportRoutes.create, {
      params: params(),
      body: { externalUserId: person, category: 'threats', reporterUserId: reporter, ...more },
    });
  const decide = (by: EarshotClient, caseId: string | null, body: DecideCaseRequest = noViolation) =>
    by.call(caseRoutes.decide, { ...item(caseId ?? ''), body });
  const complain = async (id: string) =>
    (await player(reporter)).call(complaintRoutes.mine, { params: { id }, body: { statement } });
  const answered = (by: EarshotClient, id: string, decision: 'upheld' | 'overturned') =>
    by.call(complaintRoutes.decide, { ...item(id), body: { decision, answer } });
  const found = (id: string) => daemon.client.call(reportRoutes.get, item(id));
  /** A report that Ana decided without a measure, and about which the reporter complains. */
  const complained = async () => {
    const { id, caseId } = await report();
    await decide(ana, caseId);
    await complain(id);
    const { cases } = await ana.call(caseRoutes.list, { params: params(), query: { externalUserId: person } });
    return { id, decidedIn: caseId, waitsIn: cases[0]?.id ?? '' };
  };

  it('is possible for six months after the decision, as the outcome says', async () => {
    const { id, caseId } = await report({ language: 'de' });
    await expect(complain(id)).rejects.toMatchObject({ status: 409, code: 'report_undecided' });
    const sees = async () => (await player(reporter)).call(playerReportRoutes.get, { params: { id } });
    expect(await sees()).toMatchObject({ complaint: null, message: expect.stringContaining('Ein Programm bringt') });
    await decide(ana, caseId);
    const told = await sees();
    expect(told.complaint).toMatchObject({ state: 'possible', until: '2026-07-31T10:00:00.000Z' });
    expect(told.message).toContain('bis zum 31. Juli 2026');
    expect(told.message).toContain('Ein Mensch hat entschieden.');
    expect(told.message).toContain('außergerichtliche Streitbeilegungsstelle');
    const decidedAt = now;
    now = new Date('2026-07-31T10:00:00.001Z');
    await expect(complain(id)).rejects.toMatchObject({ status: 409, code: 'complaint_too_late' });
    expect(await sees()).toMatchObject({ complaint: { state: 'over' } });
    now = new Date('2026-07-31T10:00:00.000Z');
    expect(await complain(id)).toMatchObject({ complaint: { state: 'waiting', statement }, url: null });
    await expect(complain(id)).rejects.toMatchObject({ status: 409, code: 'report_already_complained' });
    now = decidedAt;
  });

  it.each([
    ['a key', 'program', 'A program made the decision; no person took part in it.'],
    ['a person', 'person', 'A person made the decision.'],
  ] as const)('follows an outcome that says that %s decided', async (who, decidedBy, sentence) => {
    const { id, caseId } = await report();
    await decide(who === 'a key' ? daemon.client : ana, caseId);
    expect(await found(id)).toMatchObject({ decidedBy });
    expect((await daemon.client.call(complaintRoutes.receipt, item(id))).message).toContain(sentence);
  });

  it('is made by the address of the page where a notice came from outside', async () => {
    const { id, caseId } = await report({ reporterUserId: undefined, notice: { from: 'mail', reference: person } });
    await decide(ana, caseId);
    const { url } = await daemon.client.call(complaintRoutes.receipt, item(id));
    const code = url?.split('/').at(-1) ?? '';
    expect(url).toBe(`${daemon.url}/receipts/${code}`);
    const anonymous = new EarshotClient({ baseUrl: daemon.url });
    expect(await anonymous.call(complaintRoutes.read, { params: { code } })).toMatchObject({ id, status: 'decided' });
    const sent = await anonymous.call(complaintRoutes.complain, { params: { code }, body: { statement } });
    expect(sent).toMatchObject({ complaint: { state: 'waiting', statement } });
    expect(await found(id)).toMatchObject({ complaint: statement, complainedAt: now.toISOString() });
    await expect(anonymous.call(complaintRoutes.read, { params: { code: `${code}x` } })).rejects.toMatchObject({
      ...{ status: 404, code: 'receipt_code_invalid' },
    });
  });

  it('is of the reporter alone, whose code nobody sees who may not report for others', async () => {
    const { id, caseId } = await report();
    await decide(ana, caseId);
    const other = await player('somebody-else');
    const call = other.call(complaintRoutes.mine, { params: { id }, body: { statement } });
    await expect(call).rejects.toMatchObject({ status: 404, code: 'report_not_found' });
    const reader = await daemon.clientWith(['reports:read']);
    expect(await reader.call(complaintRoutes.receipt, item(id))).toMatchObject({ id, url: null });
  });

  it('waits in the case of the person, which is not decided before it', async () => {
    const { id, decidedIn, waitsIn } = await complained();
    expect(waitsIn).not.toBe(decidedIn);
    const detail = await ben.call(caseRoutes.get, item(waitsIn));
    expect(detail).toMatchObject({ category: 'appeal', reports: 0, reviews: 1 });
    expect(detail.complaintList).toMatchObject([{ id, complaint: statement, outcome: 'no_action' }]);
    await expect(decide(ben, waitsIn)).rejects.toMatchObject({ status: 409, code: 'case_appeal_undecided' });
    const { reports } = await ben.call(reportRoutes.list, { params: params(), query: { complaint: 'waiting' } });
    expect(reports.map((one) => one.id)).toContain(id);
  });

  it('is decided by a person who did not decide the report', async () => {
    const { id, waitsIn } = await complained();
    const own = { status: 403, code: 'complaint_own_decision' };
    await expect(answered(ana, id, 'upheld')).rejects.toMatchObject(own);
    const byKey = { status: 403, code: 'appeal_person_required' };
    await expect(answered(daemon.client, id, 'upheld')).rejects.toMatchObject(byKey);
    expect(await answered(ben, id, 'upheld')).toMatchObject({ complaintDecision: 'upheld', status: 'decided' });
    expect(await ben.call(caseRoutes.get, item(waitsIn))).toMatchObject({ status: 'decided', decision: 'reviewed' });
    const { message, complaint } = await (await player(reporter)).call(playerReportRoutes.get, { params: { id } });
    expect(complaint).toMatchObject({ state: 'decided', decision: 'upheld', answer });
    expect(message).toContain(`Your complaint was turned down. Answer: ${answer}`);
    await expect(answered(ben, id, 'overturned')).rejects.toMatchObject({ status: 409, code: 'complaint_not_waiting' });
  });

  it('opens the report again where it is granted, for somebody else, and discounts the first decision', async () => {
    const record = () => daemon.client.call(reporterRoutes.get, { params: { ...params(), externalUserId: reporter } });
    const { id, caseId } = await report();
    await decide(ana, caseId, { decision: 'no_action', reasonCode: 'unfounded_reports' });
    expect(await record()).toMatchObject({ decided: 1, unfounded: 1 });
    await complain(id);
    const open = await answered(ben, id, 'overturned');
    expect(open).toMatchObject({ status: 'open', outcome: null, decidedAt: null, complaintDecision: 'overturned' });
    expect(await record()).toMatchObject({ decided: 0, unfounded: 0, weight: 1 });
    const sanction = { type: 'mute', duration: 3_600 } as const;
    const body = { decision: 'sanction', reasonCode: 'violation', sanction } as const;
    const own = { status: 403, code: 'complaint_own_decision' };
    await expect(decide(ana, open.caseId, body)).rejects.toMatchObject(own);
    expect(await decide(ben, open.caseId, body)).toMatchObject({ decision: 'sanction', reports: 1 });
    expect(await found(id)).toMatchObject({ status: 'decided', outcome: 'action_taken' });
    expect(await record()).toMatchObject({ decided: 1, upheld: 1 });
  });

  it('leaves the report all of its time when it is granted, not what was left to answer it', async () => {
    const { id } = await complained();
    now = new Date(now.getTime() + 2 * hourMs);
    const { caseId } = await answered(ben, id, 'overturned');
    const dueAt = new Date(now.getTime() + 24 * hourMs).toISOString();
    expect(await ben.call(caseRoutes.get, item(caseId ?? ''))).toMatchObject({ dueAt, missedAt: null });
    await decide(ben, caseId);
    now = new Date(now.getTime() + 2 * hourMs);
    const again = new Date(now.getTime() + 24 * hourMs).toISOString();
    expect(await ben.call(caseRoutes.reopen, { ...item(caseId ?? ''), body: {} })).toMatchObject({ dueAt: again });
  });

  it('loses its words when either person is erased, and ends with the person whom it is about', async () => {
    const erase = (externalUserId: string) =>
      daemon.admin.call(personRoutes.erase, { params: { ...params(), user: externalUserId } });
    const first = await complained();
    await erase(reporter);
    expect(await found(first.id)).toMatchObject({ complaint: null, complaintDecidedAt: null });
    await answered(ben, first.id, 'upheld');
    expect(await found(first.id)).toMatchObject({ complaintDecision: 'upheld' });
    [person, reporter] = [`${person}-2`, `${reporter}-2`];
    const second = await complained();
    await erase(person);
    expect(await found(second.id)).toMatchObject({
      complaint: null,
      complaintDecision: 'upheld',
      externalUserId: null,
    });
    expect(await ben.call(caseRoutes.get, item(second.waitsIn))).toMatchObject({ status: 'decided' });
    expect(await (await player(reporter)).call(playerReportRoutes.get, { params: { id: second.id } })).toMatchObject({
      complaint: { state: 'decided' },
    });
  });

  it('counts among the complaints of the transparency report, before and after a rebuild', async () => {
    const rows = async () => {
      const query = { year: now.getUTCFullYear() };
      const { complaints } = await daemon.client.call(transparencyRoutes.get, { params: params(), query });
      const { complaints: stats } = await daemon.client.call(moderationStatsRoutes.get, {
        params: params(),
        query: { since: '2026-01-01T00:00:00Z', until: '2026-12-31T00:00:00Z' },
      });
      return { all: complaints[0], ofReporters: complaints.find(({ about }) => about === 'reports'), stats };
    };
    const before = await rows();
    const { id } = await complained();
    now = new Date(now.getTime() + 3_600_000);
    await answered(ben, id, 'overturned');
    const after = await rows();
    const more = (what: 'submitted' | 'upheld' | 'reversed') => [
      (after.all?.[what] ?? 0) - (before.all?.[what] ?? 0),
      (after.ofReporters?.[what] ?? 0) - (before.ofReporters?.[what] ?? 0),
    ];
    expect([more('submitted'), more('upheld'), more('reversed')]).toEqual([
      [1, 1],
      [0, 0],
      [1, 1],
    ]);
    expect(after.stats).toEqual({
      ...{ total: before.stats.total + 1, upheld: before.stats.upheld, overturned: before.stats.overturned + 1 },
    });
    await daemon.client.call(moderationStatsRoutes.rebuild, { params: params() });
    expect(await rows()).toEqual(after);
  });
});
