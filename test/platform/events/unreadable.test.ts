/** Rows of the log that are not events, or not what their type promises: everybody who reads passes over them. */
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../daemon/platform/database/database.js';
import { EventLog } from '../../../daemon/platform/events/log.js';
import { LocalWakeUps } from '../../../daemon/platform/events/wake-ups.js';
import { systemClock } from '../../../daemon/platform/time/clock.js';
import { playerRoutes } from '../../../src/contract/gameplay/players.js';
import { participantRecordRoutes } from '../../../src/contract/people/participant-records.js';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import { eventTraceRoutes } from '../../../src/contract/streams/event-traces.js';
import { webhookEventRoutes } from '../../../src/contract/webhooks/webhook-events.js';
import { webhookRoutes } from '../../../src/contract/webhooks/webhooks.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { openStream, type RawStream } from '../../support/stream.js';

let daemon: TestDaemon;
let receiver: Receiver;
let database: Database;
let log: EventLog;
beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8', EARSHOT_LOG_LEVEL: 'fatal' } });
  receiver = await startReceiver();
  database = await Database.connect(daemon.databaseUrl);
  log = new EventLog(database, new LocalWakeUps(), systemClock);
  await create('the first');
});
afterAll(async () => {
  await database.close();
  await daemon.stop();
  await receiver.stop();
});

/** Possible faults of a row. */
const faults = {
  'a payload that is no JSON': `"payload" = '{'`,
  'a payload without an action': `"payload" = '{"data":{}}'`,
  'a payload that is a list': `"payload" = '[]'`,
  'a time that is none': `"timestamp" = 'yesterday'`,
  'an unknown source': `"source" = 'somebody'`,
};

const create = (externalUserId: string) =>
  daemon.client.call(participantRoutes.create, { params: { projectId: daemon.projectId }, body: { externalUserId } });

/** Stores an event that is wrong from its first moment on, and returns its id. */
const storeFaulty = (fault: string): Promise<string> =>
  database.transaction(async (tx) => {
    const { tenantId } = await tx.project.findUniqueOrThrow({ where: { id: daemon.projectId } });
    const told = { tenantId, projectId: daemon.projectId, type: 'participant.created', resourceId: 'participant:x' };
    const [event] = await log.append(tx, { ...told, action: 'created', data: { id: 'x' } });
    await log.store(tx);
    await tx.$executeRawUnsafe(`UPDATE "DomainEvent" SET ${fault} WHERE "id" = ?`, event?.id);
    return event?.id ?? '';
  });

const stream = (query: string): Promise<RawStream> =>
  openStream(`${daemon.url}/api/projects/${daemon.projectId}/events/stream?types=participant.created${query}`, {
    'X-API-Key': daemon.apiKey,
  });

describe.each(Object.entries(faults))('an event with %s', (name, fault) => {
  it('is passed over by streams, MQTT, webhook replays and traces', async () => {
    const { projectId } = daemon;
    const live = await stream('');
    const since = live.headers.get('last-event-id') ?? '';
    const broker = await connectAsync(daemon.mqttUrl, { username: projectId, password: daemon.apiKey });
    const heard: string[] = [];
    broker.on('message', (_, message) => heard.push(JSON.parse(message.toString()).resourceId));
    await broker.subscribeAsync(`projects/${projectId}/events/participant.created`);
    const first = await create(`${name} 1`);
    const faulty = await storeFaulty(fault);
    const second = await create(`${name} 2`);
    const shown = [first, second].map(({ id }) => `participant:${id}`);

    const replayed = await stream(`&since=${since}`);
    for (const one of [live, replayed]) {
      for (const resourceId of shown) expect((await one.next()).data).toMatchObject({ resourceId });
      one.close();
    }
    await eventually(() => expect(heard).toEqual(shown));
    await broker.endAsync();

    const body = { url: receiver.url, secret: 'a long secret', events: ['participant.created'] };
    const { id } = await daemon.client.call(webhookRoutes.create, { params: { projectId }, body });
    const answer = await daemon.client.call(webhookRoutes.replay, { params: { projectId, id }, body: { since } });
    expect(answer).toMatchObject({ queued: 2, complete: true });
    await receiver.waitFor(2);
    receiver.received.length = 0;
    await daemon.client.call(webhookRoutes.remove, { params: { projectId, id } });

    await expect(
      daemon.client.call(eventTraceRoutes.trace, { params: { projectId, id: faulty } }),
    ).rejects.toMatchObject({ code: 'event_not_found' });
    const params = { projectId, id: first.id };
    expect(await daemon.client.call(participantRecordRoutes.history, { params, query: {} })).toHaveLength(1);
    await daemon.client.call(participantRoutes.remove, { params });
  });
});

it('counts each of them once', async () => {
  const metrics = await (await fetch(`${daemon.url}/metrics`)).text();
  expect(metrics).toMatch(new RegExp(`earshot_events_unreadable_total\\{[^}]*\\} ${Object.keys(faults).length}\n`));
});

it('does not keep whom an unreadable event may name from being erased', async () => {
  const person = await create('named there');
  const id = await storeFaulty(`"payload" = '{"data":{"by":"named there"'`);
  await daemon.client.call(participantRoutes.remove, { params: { projectId: daemon.projectId, id: person.id } });
  const row = await database.read.domainEvent.findUnique({ where: { id } });
  expect(JSON.parse(row?.payload ?? '')).toMatchObject({ data: { redacted: true } });
});

it('tells a player nothing of a redacted challenge, and goes on', async () => {
  const { projectId } = daemon;
  const live = await stream('');
  const params = { projectId, userId: 'u1' };
  const { topic } = await daemon.client.call(playerRoutes.topic, { params, body: {} });
  const broker = await connectAsync(daemon.mqttUrl);
  const heard: string[] = [];
  broker.on('message', (_, message) => heard.push(message.toString()));
  await broker.subscribeAsync(topic);
  await database.transaction(async (tx) => {
    const { tenantId } = await tx.project.findUniqueOrThrow({ where: { id: projectId } });
    const told = { tenantId, projectId, type: 'challenge.changed', resourceId: 'challenge:x' };
    await log.append(tx, { ...told, action: 'updated', data: { id: 'x', redacted: true }, subjectUserId: 'u1' });
  });
  const { id } = await create('afterwards');
  expect((await live.next()).data).toMatchObject({ resourceId: `participant:${id}` });
  expect(heard).toEqual([]);
  live.close();
  await broker.endAsync();
});

it('shows a delivery whose stored payload is damaged, sends it no more, and erases whom it is about', async () => {
  const { projectId, client } = daemon;
  const body = { url: receiver.url, secret: 'a long secret', events: ['participant.created'] };
  const { id: subscriptionId } = await client.call(webhookRoutes.create, { params: { projectId }, body });
  receiver.received.length = 0;
  const person = await create('damaged');
  await receiver.waitFor(1);
  const params = { projectId };
  const listed = async () =>
    (await client.call(webhookEventRoutes.list, { params, query: { subscriptionId } })).find(() => true);
  const sent = await eventually(async () => {
    const delivery = await listed();
    expect(delivery).toMatchObject({ status: 'delivered' });
    return delivery;
  });
  await database.transaction((tx) =>
    tx.$executeRawUnsafe(`UPDATE "WebhookPayload" SET "payload" = '{' WHERE "eventId" = ?`, sent?.eventId),
  );
  expect(await listed()).toMatchObject({ id: sent?.id, payload: null });

  await client.call(webhookEventRoutes.resend, { params: { projectId, id: sent?.id ?? '' } });
  await eventually(async () =>
    expect(await listed()).toMatchObject({ lastError: 'the stored payload is damaged, so it was not sent' }),
  );
  expect(receiver.received).toHaveLength(1);

  await client.call(participantRoutes.remove, { params: { projectId, id: person.id } });
  expect(await listed()).toMatchObject({ payload: { payload: { data: { redacted: true } } } });
  await client.call(webhookRoutes.remove, { params: { projectId, id: subscriptionId } });
});
