/** Misuse of reports (Article 23): the person is told, webhooks and MQTT are, and the transparency report counts it. */
import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayMs } from '../../daemon/platform/time/spans.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { auditRoutes } from '../../src/contract/audit/audit.js';
import type { DomainEvent } from '../../src/contract/events.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { statementRoutes } from '../../src/contract/moderation/statements.js';
import { blockRoutes } from '../../src/contract/people/blocks.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { orderRoutes } from '../../src/contract/reports/orders.js';
import { reporterRoutes } from '../../src/contract/reports/reporters.js';
import { playerReportRoutes, reportRoutes } from '../../src/contract/reports/reports.js';
import { moderationStatsRoutes } from '../../src/contract/stats/moderation-stats.js';
import { transparencyRoutes } from '../../src/contract/stats/transparency.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

const types = [
  ...['misuse.warned', 'misuse.proposed', 'misuse.suspended', 'misuse.lifted'],
  ...['block.created', 'block.deleted', 'order.created', 'order.updated'],
];
const patienceMs = 20_000;

describeDaemonsOnEachDatabase('misuse of reports', (start) => {
  let daemon: TestDaemon;
  let receiver: Receiver;
  let broker: MqttClient;
  const published: DomainEvent[] = [];
  const now = new Date('2026-03-01T10:00:00.000Z');
  beforeAll(async () => {
    daemon = await start({ now: () => now, settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' } });
    receiver = await startReceiver();
    const body = { url: receiver.url, secret: 'a secret of some length', events: types };
    await daemon.client.call(webhookRoutes.create, { params: params(), body });
    broker = await mqtt.connectAsync(daemon.mqttUrl, { username: daemon.projectId, password: daemon.apiKey });
    broker.on('message', (_, message) => published.push(JSON.parse(message.toString())));
    for (const type of types) await broker.subscribeAsync(`projects/${daemon.projectId}/events/${type}`);
  });
  afterAll(async () => {
    await broker.endAsync();
    await receiver.stop();
    await daemon.stop();
  });

  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string | null) => ({ params: { ...params(), id: id ?? '' } });
  const hooked = (): DomainEvent[] => receiver.received.map(({ body }) => JSON.parse(body));
  const both = async (found: (events: readonly DomainEvent[]) => void) => {
    await eventually(() => found(hooked()), patienceMs);
    await eventually(() => found(published), patienceMs);
  };
  const typesOf = (events: readonly DomainEvent[], kind: string) =>
    events.flatMap(({ type }) => (type.startsWith(kind) ? [type] : [])).sort();
  const player = async (userId: string) => {
    const { token } = await daemon.client.call(playerRoutes.createToken, { params: { ...params(), userId } });
    return new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
  };
  const suspensions = async () =>
    (await daemon.client.call(transparencyRoutes.get, { params: params(), query: { year: 2026 } })).suspensions;
  const reportAs = async (reporterUserId: string, about: string, reasonCode: 'no_violation' | 'unfounded_reports') => {
    const body = { externalUserId: about, category: 'spam', reporterUserId };
    const { caseId } = await daemon.client.call(reportRoutes.create, { params: params(), body });
    await daemon.client.call(caseRoutes.decide, { ...item(caseId), body: { decision: 'no_action', reasonCode } });
    return caseId ?? '';
  };
  const lie = (index: number) => reportAs('lia', `innocent-${index}`, 'unfounded_reports');
  const people = async (status: 'proposed' | 'suspended') => {
    const { reporters, total } = await daemon.client.call(reporterRoutes.list, { params: params(), query: { status } });
    expect(total).toBe(reporters.length);
    return reporters.map(({ externalUserId }) => externalUserId);
  };
  const decide = (externalUserId: string, body: { suspendedUntil: string | null }) =>
    daemon.client.call(reporterRoutes.update, {
      params: { ...params(), externalUserId },
      body: { ...body, decidedBy: 'person' },
    });

  it('is announced with a text in the language of the person, once a step, by webhook and MQTT', async () => {
    const body = { externalUserId: 'lia', language: 'de' };
    await daemon.client.call(participantRoutes.create, { params: params(), body });
    const own = await player('lia');
    const standing = async () => (await own.call(statementRoutes.mine, {})).misuse;
    await lie(1);
    expect(await standing()).toEqual([]);
    for (const index of [2, 3]) await lie(index);
    const [warned] = await standing();
    expect(warned).toMatchObject({ of: 'reports', suspendedUntil: null, language: 'de' });
    expect(warned?.text).toContain('offensichtlich unbegründet');
    await lie(4);
    expect(await standing()).toEqual([warned]); // nobody has decided it yet
    const at = { params: { ...params(), externalUserId: 'lia' } };
    const week = '2026-03-08T10:00:00.000Z';
    const proposed = { proposedUntil: week, suspendedUntil: null, recent: { decided: 4, unfounded: 4 } };
    expect(await daemon.client.call(reporterRoutes.get, at)).toMatchObject(proposed);
    expect(await people('proposed')).toEqual(['lia']);
    const program = daemon.client.call(reporterRoutes.update, { ...at, body: { suspendedUntil: week } });
    await expect(program).rejects.toMatchObject({ status: 403, code: 'suspension_person_required' });
    await decide('lia', { suspendedUntil: week });
    expect([await people('proposed'), await people('suspended')]).toEqual([[], ['lia']]);
    const [suspended] = await standing();
    expect(suspended).toMatchObject({ suspendedUntil: week });
    expect(suspended?.text).toContain('bis 8. März 2026');
    const again = own.call(playerReportRoutes.create, { body: { externalUserId: 'somebody', category: 'spam' } });
    await expect(again).rejects.toMatchObject({ status: 403, code: 'reporting_suspended' });
    await daemon.client.call(reporterRoutes.update, { ...at, body: { suspendedUntil: null } });
    await both((events) => {
      const steps = ['misuse.lifted', 'misuse.proposed', 'misuse.suspended', 'misuse.warned'];
      expect(typesOf(events, 'misuse.')).toEqual(steps);
      const asked = events.find(({ type }) => type === 'misuse.proposed')?.payload.data;
      expect(asked).toEqual({ externalUserId: 'lia', of: 'reports', proposedUntil: week, decided: 4, unfounded: 4 });
      const told = events.find(({ type }) => type === 'misuse.suspended')?.payload.data;
      expect(told).toEqual(suspended);
    });
  });

  it('counts in the transparency report, also anew from the log, and when the person is erased', async () => {
    const counted = { unfoundedNotices: 1, unfoundedComplaints: 0 };
    expect(await suspensions()).toMatchObject(counted);
    await daemon.client.call(personRoutes.erase, { params: { ...params(), user: 'lia' } });
    await daemon.client.call(moderationStatsRoutes.rebuild, { params: params() });
    expect(await suspensions()).toMatchObject(counted);
  });

  it('is not the only thing told: blocks and orders are, without whom they are about', async () => {
    const block = { params: { ...params(), user: 'ann' }, body: { blockedUserId: 'hidden' } };
    await daemon.client.call(blockRoutes.create, block);
    await daemon.client.call(blockRoutes.remove, { params: { ...block.params, blockedUserId: 'hidden' } });
    const { id } = await daemon.client.call(orderRoutes.create, {
      params: params(),
      body: {
        ...{ kind: 'act', authority: 'Amtsgericht Bonn', memberState: 'DE', reference: '12 Gs 345/26' },
        ...{ category: 'hate', legalGround: '§ 130 StGB', externalUserId: 'hidden' },
      },
    });
    await daemon.client.call(orderRoutes.update, { ...item(id), body: { outcome: 'no_effect' } });
    await both((events) => {
      expect(typesOf(events, 'block.')).toEqual(['block.created', 'block.deleted']);
      expect(typesOf(events, 'order.')).toEqual(['order.created', 'order.updated']);
      expect(JSON.stringify(events)).not.toMatch(/hidden|Amtsgericht|12 Gs/);
    });
  });

  it('is no reason to suspend while it is less than half, and none for who is let off', async () => {
    const reporter = (user: string) =>
      daemon.client.call(reporterRoutes.get, { params: { ...params(), externalUserId: user } });
    const honest = Array.from({ length: 5 }, (_, index) => reportAs('kim', `kim-${index}`, 'no_violation'));
    await Promise.all(honest);
    const cases = [];
    for (const index of [5, 6, 7, 8]) cases.push(await reportAs('kim', `kim-${index}`, 'unfounded_reports'));
    const few = { recent: { decided: 9, unfounded: 4 }, proposedUntil: null, warnedAt: expect.any(String) };
    expect(await reporter('kim')).toMatchObject(few);
    cases.push(await reportAs('kim', 'kim-9', 'unfounded_reports'));
    expect(await reporter('kim')).toMatchObject({ proposedUntil: expect.any(String) });
    await decide('kim', { suspendedUntil: null });
    expect(await reporter('kim')).toMatchObject({ proposedUntil: null, suspendedUntil: null });
    cases.push(await reportAs('kim', 'kim-10', 'unfounded_reports'));
    const { proposedUntil } = await reporter('kim');
    await decide('kim', { suspendedUntil: proposedUntil });
    expect(await reporter('kim')).toMatchObject({ suspendedUntil: proposedUntil, proposedUntil: null });
    // Too few are left of them.
    for (const id of cases.slice(0, 2)) await daemon.client.call(caseRoutes.reopen, { ...item(id), body: {} });
    expect(await reporter('kim')).toMatchObject({ recent: { decided: 9, unfounded: 4 }, suspendedUntil: null });
    expect(await people('suspended')).toEqual([]);
  });

  it('of two people who become one is forgotten as that of each', async () => {
    const at = now.getTime();
    const lieAs = (reporterUserId: string, about: string) => reportAs(reporterUserId, about, 'unfounded_reports');
    const reporter = (user: string) =>
      daemon.client.call(reporterRoutes.get, { params: { ...params(), externalUserId: user } });
    await daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId: 'max-old' } });
    for (const about of ['zoe-1', 'zoe-2', 'zoe-3']) await lieAs('max-old', about);
    expect(await reporter('max-old')).toMatchObject({ unfounded: 3, suspendedUntil: null });
    now.setTime(at + 200 * dayMs);
    await lieAs('max-new', 'zoe-4');
    const move = { params: { ...params(), user: 'max-old' }, body: { externalUserId: 'max-new' } };
    await daemon.client.call(personMoveRoutes.move, move);
    expect(await reporter('max-new')).toMatchObject({ unfounded: 4, warnedAt: null, suspendedUntil: null });
    await lieAs('max-new', 'zoe-5');
    const warned = { unfounded: 5, warnedAt: now.toISOString(), suspendedUntil: null };
    expect(await reporter('max-new')).toMatchObject(warned);
    now.setTime(at);
  });

  it('leaves in the audit log who decided: the person who is signed in, or the key that says that a person did', async () => {
    const params = { projectId: daemon.projectId, externalUserId: 'pia' };
    const suspend = { suspendedUntil: '2026-03-02T10:00:00.000Z' };
    await daemon.admin.call(reporterRoutes.update, { params, body: suspend });
    await decide('pia', suspend);
    const query = { action: 'updateReporter', target: 'pia' };
    const { entries } = await daemon.admin.call(auditRoutes.list, { params, query });
    expect(entries).toMatchObject([
      { actor: { kind: 'apiKey', name: 'test' }, changed: ['decidedBy', 'suspendedUntil'] },
      { actor: { kind: 'user' }, changed: ['suspendedUntil'] },
    ]);
  });
});
