/** The outcome of reports, the record of reporters and suspensions rest on sanctions: they follow what becomes of these. */
import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import type { DomainEvent } from '../../src/contract/events.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';
import { type CreateSanctionRequest, sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { statementRoutes } from '../../src/contract/moderation/statements.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { reporterRoutes } from '../../src/contract/reports/reporters.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { moderationStatsRoutes } from '../../src/contract/stats/moderation-stats.js';
import { transparencyRoutes } from '../../src/contract/stats/transparency.js';
import { administrator, type TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { eventually } from '../support/eventually.js';

const steps = ['misuse.warned', 'misuse.proposed', 'misuse.suspended', 'misuse.lifted'];

describeDaemonsOnEachDatabase('what rests on a sanction', (start) => {
  let daemon: TestDaemon;
  let admin: EarshotClient;
  let broker: MqttClient;
  const published: DomainEvent[] = [];
  let now = new Date('2026-03-01T10:00:00.000Z');
  let [person, reporter, people] = ['', '', 0];
  beforeAll(async () => {
    daemon = await start({ now: () => now });
    const anonymous = new EarshotClient({ baseUrl: daemon.url });
    const { accessToken: token } = await anonymous.call(accountRoutes.loginCredentials, { body: administrator });
    admin = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
    broker = await mqtt.connectAsync(daemon.mqttUrl, { username: daemon.projectId, password: daemon.apiKey });
    broker.on('message', (_, message) => published.push(JSON.parse(message.toString())));
    for (const type of ['report.updated', ...steps])
      await broker.subscribeAsync(`projects/${daemon.projectId}/events/${type}`);
  });
  afterAll(async () => {
    await broker.endAsync();
    await daemon.stop();
  });
  beforeEach(() => {
    people += 1;
    [person, reporter] = [`person-${people}`, `reporter-${people}`];
    now = new Date(now.getTime() + 60_000);
  });

  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ params: { ...params(), id } });
  const answer = 'We looked at it again.';
  const report = (reporterUserId: string) => {
    const body = { externalUserId: person, category: 'spam', reporterUserId };
    return daemon.client.call(reportRoutes.create, { params: params(), body });
  };
  /** Decides a case of two reports, by a mute of an hour. */
  const mute = async () => {
    const [first, second] = [await report(reporter), await report('somebody')];
    const sanction = { type: 'mute', duration: 3_600 } as const;
    const body = { decision: 'sanction', reasonCode: 'violation', sanction } as const;
    const { sanctionId } = await daemon.client.call(caseRoutes.decide, { ...item(first.caseId ?? ''), body });
    return { reportIds: [first.id, second.id], sanctionId: sanctionId ?? '' };
  };
  const impose = (body: Partial<CreateSanctionRequest>) =>
    daemon.client.call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'mute', externalUserId: person, ...body },
    });
  /** As the person, with the address of their page. */
  const appeal = async (sanctionId: string) => {
    const { url } = await daemon.client.call(statementRoutes.get, item(sanctionId));
    const code = url?.split('/').at(-1) ?? '';
    await daemon.client.call(statementRoutes.appeal, { params: { code }, body: { statement: 'No.' } });
    const { reviews } = await daemon.client.call(reviewRoutes.list, { params: params(), query: { sanctionId } });
    return reviews.find(({ status }) => status === 'open')?.id ?? '';
  };
  const claim = (id: string) => admin.call(reviewRoutes.update, { ...item(id), body: { status: 'claimed' } });
  const decide = async (id: string, decision: 'upheld' | 'overturned', unfounded?: boolean) => {
    await claim(id);
    const body = { status: 'decided', decision, answer, ...(unfounded ? { unfounded } : {}) } as const;
    return admin.call(reviewRoutes.update, { ...item(id), body });
  };
  const record = () => daemon.client.call(reporterRoutes.get, { params: { ...params(), externalUserId: reporter } });
  const outcomes = async (ids: readonly string[]) => {
    const found = await Promise.all(ids.map((id) => daemon.client.call(reportRoutes.get, item(id))));
    return [...new Set(found.map(({ outcome }) => outcome))];
  };
  const stands = async (ids: readonly string[]) => {
    expect(await outcomes(ids)).toEqual(['action_taken']);
    expect(await record()).toMatchObject({ decided: 1, upheld: 1, weight: 4 / 3 });
  };
  const isRefuted = async (ids: readonly string[]) => {
    expect(await outcomes(ids)).toEqual(['no_action']);
    expect(await record()).toMatchObject({ decided: 1, upheld: 0, weight: 2 / 3 });
  };
  const figures = async () => {
    const { sanctions, reports } = await daemon.client.call(moderationStatsRoutes.get, { params: params(), query: {} });
    const query = { year: now.getUTCFullYear() };
    const { notices } = await daemon.client.call(transparencyRoutes.get, { params: params(), query });
    const outcomesOf = Object.fromEntries(reports.byOutcome.map((one) => [one.outcome, one.reports]));
    return {
      revoked: sanctions.revoked,
      outcomesOf,
      actions: notices.find((one) => one.category === 'spam' && !one.trusted)?.actionsByTerms,
    };
  };

  it('goes with its revocation', async () => {
    const { reportIds, sanctionId } = await mute();
    await stands(reportIds);
    await daemon.client.call(sanctionRoutes.revoke, { ...item(sanctionId), body: { reason: 'the wrong person' } });
    await isRefuted(reportIds);
    await eventually(() => {
      for (const id of reportIds) {
        const told = published.findLast(({ resourceId }) => resourceId === `report:${id}`);
        expect(told?.payload).toMatchObject({ data: { outcome: 'no_action' }, changes: { outcome: 'action_taken' } });
      }
    });
  });

  it('goes with an undo of what its author did, and comes back with one of its revocation', async () => {
    const { reportIds, sanctionId } = await mute();
    await admin.call(sanctionRoutes.revoke, { ...item(sanctionId), body: {} });
    await isRefuted(reportIds);
    const { revokedByUserId } = await daemon.client.call(sanctionRoutes.get, item(sanctionId));
    const undo = async (createdByUserId: string | null) => {
      const since = new Date(now.getTime() - 1_000).toISOString();
      const body = { createdByUserId: createdByUserId ?? '', since, dryRun: false };
      return daemon.client.call(sanctionRoutes.undoActs, { params: params(), body });
    };
    expect(await undo(revokedByUserId)).toMatchObject({ restored: 1 });
    await stands(reportIds);
    const { createdByUserId } = await daemon.client.call(sanctionRoutes.get, item(sanctionId));
    expect(await undo(createdByUserId)).toMatchObject({ revoked: 1 });
    await isRefuted(reportIds);
  });

  it('goes with an appeal that is granted, also after its end, and comes back when that is taken back', async () => {
    const before = await figures();
    const first = await mute();
    const review = await appeal(first.sanctionId);
    for (const _ of [1, 2, 3]) {
      await decide(review, 'overturned');
      await isRefuted(first.reportIds);
      await claim(review);
      await stands(first.reportIds);
    }
    now = new Date(now.getTime() + 2 * 3_600_000);
    await decide(review, 'overturned');
    await isRefuted(first.reportIds);
    const after = await figures();
    await daemon.client.call(moderationStatsRoutes.rebuild, { params: params() });
    expect(await figures()).toEqual(after);
    expect(after.revoked).toBe(before.revoked);
    expect(after.outcomesOf['no_action']).toBe((before.outcomesOf['no_action'] ?? 0) + 2);
    expect(after.outcomesOf['action_taken'] ?? 0).toBe(before.outcomesOf['action_taken'] ?? 0);
    expect(after.actions ?? 0).toBe(before.actions ?? 0);
  });

  it('stays while another one replaces it', async () => {
    const { reportIds, sanctionId } = await mute();
    const longer = await impose({ duration: 86_400, replaces: [sanctionId] });
    await stands(reportIds);
    await daemon.client.call(sanctionRoutes.undo, item(longer.id));
    await stands(reportIds);
    const again = await impose({ duration: 86_400, replaces: [sanctionId] });
    const last = await impose({ duration: 172_800, replaces: [again.id] });
    await stands(reportIds);
    await daemon.client.call(sanctionRoutes.revoke, { ...item(last.id), body: {} });
    await isRefuted(reportIds);
  });

  it('is a suspension for unfounded appeals, which ends when a batch is undone that was appealed against', async () => {
    const { token } = await daemon.client.call(playerRoutes.createToken, { params: { ...params(), userId: person } });
    const own = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
    const batchId = `batch-${people}`;
    const items = [{ type: 'mute', externalUserId: person } as const];
    await daemon.client.call(sanctionBatchRoutes.apply, { params: params(), body: { batchId, items } as never });
    const { sanctions } = await daemon.client.call(sanctionRoutes.list, {
      params: params(),
      query: { externalUserId: person },
    });
    const ids = [sanctions[0]?.id ?? '', ...[await impose({}), await impose({}), await impose({})].map(({ id }) => id)];
    for (const id of ids) {
      now = new Date(now.getTime() + 1_000);
      await decide(await appeal(id), 'upheld', true);
    }
    const at = { params: { ...params(), externalUserId: person } };
    const { appealsProposedUntil: end } = await daemon.client.call(reporterRoutes.get, at);
    await admin.call(reporterRoutes.update, { ...at, body: { appealsSuspendedUntil: end } });
    const suspended = async () => (await own.call(statementRoutes.mine, {})).misuse.map((one) => one.suspendedUntil);
    expect(await suspended()).toEqual([expect.any(String)]);
    await daemon.client.call(sanctionBatchRoutes.undo, { ...item(batchId), body: {} });
    expect(await suspended()).toEqual([null]);
    expect(await daemon.client.call(reporterRoutes.get, at)).toMatchObject({ unfoundedAppeals: 3 });
    await eventually(() => {
      const told = published.filter(({ resourceId }) => resourceId === `misuse:appeals:${person}`);
      expect(told.map(({ type }) => type)).toEqual(steps);
    });
  });
});
