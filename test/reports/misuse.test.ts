/** Misuse of reports (Article 23): the person is told, webhooks and MQTT are, and the transparency report counts it. */
import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayMs } from '../../daemon/platform/time/spans.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
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
  ...['misuse.warned', 'misuse.suspended', 'misuse.lifted'],
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
  const lie = async (index: number) => {
    const body = { externalUserId: `innocent-${index}`, category: 'spam', reporterUserId: 'lia' };
    const { caseId } = await daemon.client.call(reportRoutes.create, { params: params(), body });
    const decision = { decision: 'no_action', reasonCode: 'unfounded_reports' } as const;
    await daemon.client.call(caseRoutes.decide, { ...item(caseId), body: decision });
  };

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
    const [suspended] = await standing();
    expect(suspended).toMatchObject({ suspendedUntil: '2026-03-08T10:00:00.000Z' });
    expect(suspended?.text).toContain('bis 8. März 2026');
    const again = own.call(playerReportRoutes.create, { body: { externalUserId: 'somebody', category: 'spam' } });
    await expect(again).rejects.toMatchObject({ status: 403, code: 'reporting_suspended' });
    const at = { params: { ...params(), externalUserId: 'lia' } };
    await daemon.client.call(reporterRoutes.update, { ...at, body: { suspendedUntil: null } });
    await both((events) => {
      expect(typesOf(events, 'misuse.')).toEqual(['misuse.lifted', 'misuse.suspended', 'misuse.warned']);
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

  it('of two people who become one is forgotten as that of each', async () => {
    const at = now.getTime();
    const lieAs = async (reporterUserId: string, about: string) => {
      const body = { externalUserId: about, category: 'spam', reporterUserId };
      const { caseId } = await daemon.client.call(reportRoutes.create, { params: params(), body });
      const decision = { decision: 'no_action', reasonCode: 'unfounded_reports' } as const;
      await daemon.client.call(caseRoutes.decide, { ...item(caseId), body: decision });
    };
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
});
