import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../daemon/platform/database/database.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { functionRoutes } from '../../src/contract/functions/functions.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { webhookEventRoutes } from '../../src/contract/webhooks/webhook-events.js';
import { type CreateWebhookSubscriptionRequest, webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { verify } from '../../src/signing/signing.js';
import { signedInColleague } from '../support/console.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
let daemon: TestDaemon;
let receiver: Receiver;
/** Offset of the daemon's clock, so that retries need no waiting. */
let aheadMs = 0;
beforeAll(async () => {
  const now = () => new Date(Date.now() + aheadMs);
  daemon = await startDaemon({ now, settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' } });
});
afterAll(() => daemon.stop());
beforeEach(async () => {
  aheadMs = 0;
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const params = () => ({ projectId: daemon.projectId });
const subscribe = (fields: Partial<CreateWebhookSubscriptionRequest> = {}) =>
  daemon.client.call(webhookRoutes.create, {
    params: params(),
    body: { url: receiver.url, secret, events: ['participant.*'], ...fields },
  });
const join = (externalUserId: string) =>
  daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId } });
const unsubscribe = (id: string) => daemon.client.call(webhookRoutes.remove, { params: { ...params(), id } });
const eventOf = async (subscriptionId: string) => {
  const events = await daemon.client.call(webhookEventRoutes.list, { params: params() });
  const found = events.find((event) => event.subscriptionId === subscriptionId);
  if (found === undefined) throw new Error('The log has no such delivery.');
  return daemon.client.call(webhookEventRoutes.get, { params: { ...params(), id: found.id } });
};
const eventually = async <T>(read: () => Promise<T>, until: (value: T) => boolean): Promise<T> => {
  for (let tries = 0; ; tries += 1) {
    const value = await read();
    if (until(value) || tries > 100) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

describe('a webhook delivery', { timeout: 120_000 }, () => {
  it('carries the User-Agent of its subscription, and ours without one', async () => {
    const own = await subscribe({ authType: 'custom_headers', customHeaders: { 'user-agent': 'studio/1' } });
    await join('agent-1');
    const [first] = await receiver.waitFor(1);
    expect(first?.headers['user-agent']).toBe('studio/1');
    await unsubscribe(own.id);
    const usual = await subscribe();
    await join('agent-2');
    const [, second] = await receiver.waitFor(2);
    expect(second?.headers['user-agent']).toBe('earshot');
    await unsubscribe(usual.id);
  });

  it('shows its address to those who may change it, and to others the host and four characters', async () => {
    const url = 'https://hooks.slack.com/services/T0/B0/secret-token';
    const { id } = await subscribe({ url, events: ['chat.*'] });
    const { key } = await daemon.admin.call(apiKeyRoutes.create, {
      body: { name: 'dashboard', projectId: daemon.projectId, scopes: ['webhooks:read'] },
    });
    const readers = [
      new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key } }),
      await signedInColleague(daemon, 'moderator', 'webhook-reader'),
    ];
    for (const reader of readers) {
      const shown = { id, url: 'https://hooks.slack.com/…oken' };
      expect(await reader.call(webhookRoutes.get, { params: { ...params(), id } })).toMatchObject(shown);
      const found = (search: string) => reader.call(webhookRoutes.list, { params: params(), query: { search } });
      expect(await found('slack.com')).toMatchObject([shown]);
      expect(await found('secret-')).toEqual([]);
    }
    expect(await daemon.client.call(webhookRoutes.get, { params: { ...params(), id } })).toMatchObject({ url });
    await unsubscribe(id);
  });

  it('goes to no address with a user name or a password in it', async () => {
    const refused = { status: 400, details: [{ path: 'body.url', message: expect.stringContaining('user name') }] };
    for (const url of ['http://user:pw@127.0.0.1/hook', 'https://user@example.com/', 'https://:pw@example.com/'])
      for (const payloadFormat of ['event', 'chat'] as const)
        await expect(subscribe({ url, payloadFormat })).rejects.toMatchObject(refused);
    const settings = { tokenProvider: 'url', tokenProviderSettings: { url: 'https://user:pw@example.com' } } as const;
    await expect(daemon.client.call(settingsRoutes.put, { params: params(), body: settings })).rejects.toMatchObject({
      status: 400,
    });
    const hosting = { address: 'https://user:pw@example.com' };
    await expect(daemon.client.call(functionRoutes.update, { params: params(), body: hosting })).rejects.toMatchObject({
      status: 400,
    });
  });

  it('is the envelope, signed in both ways', async () => {
    const { id } = await subscribe();
    const participant = await join('hooked');
    const [{ headers, body } = { headers: {}, body: '' }] = await receiver.waitFor(1);
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({
      type: 'participant.created',
      payload: { data: participant },
    });
    expect(verify(secret, String(headers['x-timestamp']), String(headers['x-signature']), body, new Date())).toBe(true);
    expect(
      verify('another secret', String(headers['x-timestamp']), String(headers['x-signature']), body, new Date()),
    ).toBe(false);
    const logged = await eventually(
      () => eventOf(id),
      ({ status }) => status === 'delivered',
    );
    expect(logged).toMatchObject({
      status: 'delivered',
      attemptsCount: 1,
      eventId: headers['webhook-id'],
      deliveries: [{ attempt: 1, statusCode: 204 }],
    });
    await unsubscribe(id);
  });

  it('carries what the subscription authenticates itself with, and bare data when asked', async () => {
    const { id, customHeaders } = await subscribe({
      authType: 'custom_headers',
      customHeaders: { 'X-Shard': 'eu-1' },
      payloadFormat: 'bare',
    });
    expect(customHeaders).toEqual(['X-Shard']);
    const participant = await join('bare');
    const [delivery] = await receiver.waitFor(1);
    expect(delivery?.headers['x-shard']).toBe('eu-1');
    expect(JSON.parse(delivery?.body ?? '')).toEqual(participant);
    await unsubscribe(id);
  });

  it('is a message of Slack or Discord when asked, with a link to the daemon', async () => {
    for (const payloadFormat of ['slack', 'discord'] as const) {
      const { id } = await subscribe({ events: ['sanction.created'], payloadFormat });
      await daemon.client.call(participantRoutes.create, {
        params: params(),
        body: { externalUserId: payloadFormat, displayName: 'Mateo Wolf' },
      });
      const body = { type: 'warn', externalUserId: payloadFormat } as const;
      const sanction = await daemon.client.call(sanctionRoutes.create, { params: params(), body });
      const delivery = (await receiver.waitFor(payloadFormat === 'slack' ? 1 : 2)).at(-1);
      expect(delivery?.body).toContain(`${daemon.url}/console/projects/${daemon.projectId}/sanctions/${sanction.id}`);
      expect(delivery?.body).toContain('Mateo Wolf');
      expect(JSON.parse(delivery?.body ?? '')).toHaveProperty(payloadFormat === 'slack' ? 'blocks' : 'embeds');
      await unsubscribe(id);
    }
  });

  it('is tried again with the same id when the receiver fails', async () => {
    const { id } = await subscribe();
    receiver.answer = 503;
    await join('retried');
    await receiver.waitFor(1);
    await eventually(
      () => eventOf(id),
      ({ attemptsCount }) => attemptsCount === 1,
    );
    receiver.answer = 200;
    aheadMs += 10_000;
    const [first, second] = await receiver.waitFor(2, 60_000);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    const logged = await eventually(
      () => eventOf(id),
      ({ status }) => status === 'delivered',
    );
    expect(logged.deliveries.map(({ statusCode }) => statusCode)).toEqual([503, 200]);
    await unsubscribe(id);
  });

  it('is not sent when its stored payload is damaged, and the log says so', async () => {
    const { id } = await subscribe();
    await daemon.client.call(webhookRoutes.update, { params: { ...params(), id }, body: { enabled: false } });
    await join('damaged');
    const database = await Database.connect(daemon.databaseUrl);
    const { eventId } = await eventOf(id);
    await database.transaction((tx) => tx.webhookPayload.update({ where: { eventId }, data: { payload: '{"id":' } }));
    await database.close();
    await daemon.client.call(webhookRoutes.update, { params: { ...params(), id }, body: { enabled: true } });
    await join('sound');
    await receiver.waitFor(1);
    expect(receiver.received.map(({ body }) => JSON.parse(body).payload.data.externalUserId)).toEqual(['sound']);
    const { attempts } = await eventually(
      async () => {
        const events = await daemon.client.call(webhookEventRoutes.list, { params: params() });
        return { attempts: events.find((event) => event.eventId === eventId) };
      },
      ({ attempts }) => attempts?.attemptsCount === 1,
    );
    expect(attempts?.lastError).toBe('the stored payload is damaged, so it was not sent');
    await unsubscribe(id);
  });

  it('is made later, page by page, where one change makes more than a transaction may', async () => {
    const { id } = await subscribe({ events: ['sanction.*'] });
    const [ids, lines] = [[id, (await subscribe({ events: ['sanction.created'] })).id], 300];
    for (const one of ids)
      await daemon.client.call(webhookRoutes.update, { params: { ...params(), id: one }, body: { enabled: false } });
    const items = Array.from({ length: lines }, (_, line) => ({ type: 'warn' as const, externalUserId: `u${line}` }));
    await daemon.client.call(sanctionBatchRoutes.apply, { params: params(), body: { batchId: 'raid', items } });
    const database = await Database.connect(daemon.databaseUrl);
    const made = () =>
      Promise.all(ids.map((subscriptionId) => database.read.webhookEvent.count({ where: { subscriptionId } })));
    expect(await eventually(made, (counts) => counts.every((count) => count >= lines))).toEqual([lines, lines]);
    expect(
      await eventually(
        () => database.read.webhookBacklog.count(),
        (count) => count === 0,
      ),
    ).toBe(0);
    const eventIds = await database.read.webhookEvent.findMany({
      where: { subscriptionId: id },
      distinct: ['eventId'],
    });
    expect(eventIds).toHaveLength(lines);
    await database.close();
    for (const one of ids) await unsubscribe(one);
  });

  it('disables a subscription whose receiver is gone', async () => {
    const { id } = await subscribe();
    receiver.answer = 410;
    await join('gone');
    await receiver.waitFor(1);
    const read = () => daemon.client.call(webhookRoutes.get, { params: { ...params(), id } });
    expect(await eventually(read, ({ enabled }) => !enabled)).toMatchObject({ enabled: false });
    await unsubscribe(id);
  });

  it('survives a restart of the daemon', async () => {
    const { id } = await subscribe({ url: 'http://127.0.0.1:9/nobody' });
    await join('restarted');
    await daemon.restart();
    await daemon.client.call(webhookRoutes.update, {
      params: { ...params(), id },
      body: { url: receiver.url, secret },
    });
    aheadMs += 3_600_000;
    const [delivery] = await receiver.waitFor(1, 60_000);
    expect(JSON.parse(delivery?.body ?? '')).toMatchObject({ type: 'participant.created' });
    await unsubscribe(id);
  });

  it('is tried again when its time has come, on a database in which nothing else happens', async () => {
    const { id } = await subscribe();
    receiver.answer = 500;
    await join('patient');
    await receiver.waitFor(1);
    await eventually(
      () => eventOf(id),
      ({ attemptsCount }) => attemptsCount === 1,
    );
    receiver.answer = 204;
    await sleep(3_000); // the daemon has seen that nothing is due
    expect(receiver.received).toHaveLength(1);
    aheadMs = 10_000;
    await receiver.waitFor(2);
    const { status } = await eventually(
      () => eventOf(id),
      (event) => event.status === 'delivered',
    );
    expect(status).toBe('delivered');
    await unsubscribe(id);
  });
});
