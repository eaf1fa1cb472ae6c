/** Operators' work with webhooks, and the daemon's own, on both databases. */
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../daemon/platform/database/database.js';
import { DomainEvent } from '../../src/contract/events.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { webhookEventRoutes } from '../../src/contract/webhooks/webhook-events.js';
import {
  type CreateWebhookSubscriptionRequest,
  type ReplayWebhookEventsRequest,
  type UpdateWebhookSubscriptionRequest,
  webhookRoutes,
} from '../../src/contract/webhooks/webhooks.js';
import { sign } from '../../src/signing/signing.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { inSqlite } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { type Received, type Receiver, startReceiver } from '../support/receiver.js';
import { openStream } from '../support/stream.js';

const secretOf = (text: string) => `whsec_${Buffer.from(text.padEnd(24, '.')).toString('base64')}`;
const secret = secretOf('first');
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const patienceMs = 60_000;

const databases = [
  { name: 'SQLite', here: true, postgresql: false },
  { name: 'PostgreSQL', here: hasPostgresql, postgresql: true },
];

describe.each(databases)('webhooks on $name', ({ here, postgresql }) => {
  describe.skipIf(!here)('', { timeout: 180_000 }, () => {
    let server: PostgresqlServer | null = null;
    let daemon: TestDaemon;
    let receiver: Receiver;
    let subscriptions: string[] = [];
    /** Offset of the daemon's clock, so that retries and retention need no waiting. */
    let aheadMs = 0;
    beforeAll(async () => {
      server = postgresql ? await startPostgresql() : null;
      daemon = await startDaemon({
        now: () => new Date(Date.now() + aheadMs),
        settings: {
          EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8',
          ...(server === null ? inSqlite : { DATABASE_URL: server.url }),
        },
      });
    });
    afterAll(async () => {
      await daemon.stop();
      await server?.stop();
    });
    beforeEach(async () => {
      receiver = await startReceiver();
    });
    afterEach(async () => {
      for (const id of subscriptions) await daemon.client.call(webhookRoutes.remove, { params: item(id) });
      subscriptions = [];
      await receiver.stop();
    });

    const params = () => ({ projectId: daemon.projectId });
    const item = (id: string) => ({ ...params(), id });
    const subscribe = async (fields: Partial<CreateWebhookSubscriptionRequest> = {}) => {
      const made = await daemon.client.call(webhookRoutes.create, {
        params: params(),
        body: { url: receiver.url, secret, events: ['participant.created'], ...fields },
      });
      subscriptions.push(made.id);
      return made;
    };
    const join = (externalUserId: string) =>
      daemon.client.call(participantRoutes.create, { params: params(), body: { externalUserId } });
    /** So much later. Somebody is warned, and the news of it has the dispatcher look for what has become due. */
    const later = async (ms: number) => {
      aheadMs += ms;
      const body = { type: 'warn' as const, externalUserId: 'bystander' };
      await daemon.client.call(sanctionRoutes.create, { params: params(), body });
    };
    const joinAll = async (prefix: string, count: number) => {
      for (let index = 0; index < count; index += 1) await join(`${prefix}-${index}`);
    };
    const get = (id: string) => daemon.client.call(webhookRoutes.get, { params: item(id) });
    const logOf = (subscriptionId: string) =>
      daemon.client.call(webhookEventRoutes.list, { params: params(), query: { subscriptionId } });
    const only = async (subscriptionId: string) => {
      const [delivery, ...others] = await logOf(subscriptionId);
      if (delivery === undefined || others.length > 0) throw new Error(`${others.length} deliveries too many.`);
      return daemon.client.call(webhookEventRoutes.get, { params: item(delivery.id) });
    };
    const settled = (subscriptionId: string, status: string) =>
      eventually(async () => {
        const delivery = await only(subscriptionId);
        expect(delivery.status).toBe(status);
        return delivery;
      }, patienceMs);
    const who = ({ body }: Received): string => JSON.parse(body).payload.data.externalUserId;

    it.each([
      ['api_key', { apiKey: 'k-1' }, { 'x-api-key': 'k-1' }],
      ['api_key', { apiKey: 'k-2', apiKeyHeader: 'X-Game-Key' }, { 'x-game-key': 'k-2' }],
      [
        'basic_auth',
        { basicAuthUsername: 'game', basicAuthPassword: 'pass:word' },
        { authorization: `Basic ${Buffer.from('game:pass:word').toString('base64')}` },
      ],
      ['custom_headers', { customHeaders: { 'X-A': '1', 'X-B': '2' } }, { 'x-a': '1', 'x-b': '2' }],
      ['none', {}, {}],
    ] as const)('authenticates itself by %s', async (authType, fields, headers) => {
      const made = await subscribe({ authType, ...fields });
      expect(JSON.stringify(made)).not.toMatch(/k-[12]|pass:word|"secret"/);
      await daemon.client.call(webhookRoutes.update, { params: item(made.id), body: { description: 'kept' } });
      await join(`auth-${JSON.stringify(headers)}`);
      const [delivery] = await receiver.waitFor(1);
      expect(delivery?.headers).toMatchObject(headers);
      if (authType === 'none') expect(delivery?.headers).not.toHaveProperty('authorization');
    });

    it.each(['whsec_!!!!!!!!', 'whsec_MfKQ9LaSw', 'whsec_', 'whsec_AAAA'])(
      'have no secret such as %s: receivers could not check its signatures, or everybody could make them',
      async (weak) => {
        await expect(subscribe({ secret: weak })).rejects.toMatchObject({
          code: expect.stringMatching(/validation_failed/),
          details: expect.arrayContaining([expect.objectContaining({ path: 'body.secret' })]),
        });
      },
    );

    it('are up to a hundred in a project', async () => {
      const { id: projectId } = await daemon.admin.call(projectRoutes.create, {
        body: { name: `full ${randomUUID()}` },
      });
      const body = { url: receiver.url, secret, events: ['participant.created'] };
      const make = () => daemon.admin.call(webhookRoutes.create, { params: { projectId }, body });
      const { id: made } = await make();
      const database = await Database.connect(daemon.databaseUrl);
      await database.transaction(async (tx) => {
        const row = await tx.webhookSubscription.findUniqueOrThrow({ where: { id: made } });
        const others = Array.from({ length: 98 }, () => ({ ...row, id: randomUUID() }));
        await tx.webhookSubscription.createMany({ data: others });
      });
      await database.close();
      const last = await Promise.allSettled(Array.from({ length: 5 }, make));
      expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      await expect(make()).rejects.toMatchObject({ status: 409, code: 'webhook_subscription_limit' });
    });

    it('are left as they are, without a word, while an attempt is on its way', async () => {
      receiver.behave = () => ({ hang: true });
      const { id: subscriptionId, createdAt: since } = await subscribe();
      await join('on its way');
      await receiver.waitFor(1);
      const { deliveries, ...before } = await only(subscriptionId);
      expect(await daemon.client.call(webhookEventRoutes.resend, { params: item(before.id) })).toEqual(before);
      const replay = { params: item(subscriptionId), body: { since } };
      expect(await daemon.client.call(webhookRoutes.replay, replay)).toMatchObject({ queued: 1, complete: true });
      const database = await Database.connect(daemon.databaseUrl);
      const where = { type: 'webhook.delivery.updated', resourceId: `webhook-event:${before.id}` };
      expect(await database.read.domainEvent.count({ where })).toBe(0);
      await database.close();
    });

    it('store what they send once for each event, as long as a delivery of it is there', async () => {
      const { id: first } = await subscribe();
      const { id: second } = await subscribe();
      await join('stored once');
      await receiver.waitFor(2);
      const [delivery] = await logOf(first);
      const eventId = delivery?.eventId ?? '';
      expect(delivery?.payload).toMatchObject({ id: eventId, payload: { data: { externalUserId: 'stored once' } } });
      const database = await Database.connect(daemon.databaseUrl);
      const stored = () => database.read.webhookPayload.count({ where: { eventId } });
      const remove = (id: string) => daemon.client.call(webhookRoutes.remove, { params: item(id) });
      expect(await stored()).toBe(1);
      await remove(first);
      expect(await stored()).toBe(1);
      expect((await logOf(second))[0]?.payload).toEqual(delivery?.payload);
      await remove(second);
      expect(await stored()).toBe(0);
      await database.close();
      subscriptions = [];
    });

    it('wants its secrets again when the address leads to another server', async () => {
      const authentication = { authType: 'api_key', apiKey: 'k-1' } as const;
      const { id } = await subscribe(authentication);
      const update = (body: UpdateWebhookSubscriptionRequest) =>
        daemon.client.call(webhookRoutes.update, { params: item(id), body });
      const refused = { status: 400, code: 'secret_needed_again', message: expect.stringContaining('secrets again') };
      const elsewhere = await startReceiver();
      const { url } = elsewhere;
      await expect(update({ url })).rejects.toMatchObject(refused);
      await expect(update({ url, secret })).rejects.toMatchObject(refused);
      await expect(update({ url, apiKey: 'k-1' })).rejects.toMatchObject(refused);
      await expect(update({ url, secret, authType: 'basic_auth', basicAuthUsername: 'u' })).rejects.toMatchObject(
        refused,
      );
      await expect(update({ url: receiver.url.replace('http:', 'https:') })).rejects.toMatchObject(refused);
      expect((await update({ url: `${receiver.url}/elsewhere` })).url).toBe(`${receiver.url}/elsewhere`);
      expect((await update({ url, secret, apiKey: 'k-2' })).url).toBe(url);
      await join('moved');
      expect((await elsewhere.waitFor(1))[0]?.headers).toMatchObject({ 'x-api-key': 'k-2' });
      await elsewhere.stop();
    });

    it('keeps every secret sealed', async () => {
      await subscribe({ authType: 'basic_auth', basicAuthUsername: 'game', basicAuthPassword: 'a hidden word' });
      const database = await Database.connect(daemon.databaseUrl);
      const rows = JSON.stringify(await database.read.webhookSubscription.findMany());
      await database.close();
      expect(rows).not.toContain(secret);
      expect(rows).not.toContain('a hidden word');
    });

    it('hears what its patterns say and nothing else', async () => {
      const { id } = await subscribe({ events: ['participant.updated', 'sanction.*'] });
      const { id: participant } = await join('patterns');
      await daemon.client.call(participantRoutes.update, { params: item(participant), body: { displayName: 'P' } });
      await receiver.waitFor(1);
      expect((await logOf(id)).map(({ eventType }) => eventType)).toEqual(['participant.updated']);
    });

    it.each([
      ['sanctions.*', 'Did you mean sanction.*?'],
      ['sanction.craeted', 'Did you mean sanction.created'],
      ['rule.forgotten', '`earshot events schema` lists all types.'],
      ['nope', 'There is no event type nope.'],
      ['webhook.delivery.updated', 'each delivery would cause the next'],
    ])('are refused on %s, which nobody sends', async (pattern, says) => {
      const refused = { status: 400, code: 'validation_failed', details: [{ path: 'body.events.1' }] };
      const events = ['session.created', pattern];
      await expect(subscribe({ events })).rejects.toMatchObject({ ...refused, message: expect.stringContaining(says) });
      const { id } = await subscribe();
      const change = { params: item(id), body: { events } };
      await expect(daemon.client.call(webhookRoutes.update, change)).rejects.toMatchObject({
        message: expect.stringContaining(says),
      });
      // If a platform service publishes just such a type, the caller says so, and may send it back afterwards.
      const { events: taken } = await subscribe({ events, ingested: true });
      expect(taken).toEqual(events);
      const own = { params: item(subscriptions.at(-1) ?? ''), body: { events: taken } };
      expect(await daemon.client.call(webhookRoutes.update, own)).toMatchObject({ events });
    });

    it('takes types of domains that are not its own, as platform services publish them, and tests alone', async () => {
      expect(await subscribe({ events: ['webhook.test'] })).toMatchObject({ events: ['webhook.test'] });
      expect(await subscribe({ events: ['fleet.server.*'] })).toMatchObject({ events: ['fleet.server.*'] });
    });

    it('sends a test by the road of all others, to that subscription alone', async () => {
      const other = await subscribe({ events: ['*'] });
      const { id } = await subscribe({ events: ['sanction.created'] });
      const made = await daemon.client.call(webhookRoutes.test, { params: item(id) });
      const [delivery] = await receiver.waitFor(1);
      expect(new Webhook(secret).verify(delivery?.body ?? '', delivery?.headers ?? {})).toMatchObject({
        id: made.eventId,
        type: 'webhook.test',
        payload: { data: { id } },
      });
      expect(await settled(id, 'delivered')).toMatchObject({ deliveries: [{ attempt: 1, statusCode: 204 }] });
      expect(await logOf(other.id)).toEqual([]);
    });

    it('signs by both secrets while they are changed over, then by the new one', async () => {
      const { id } = await subscribe();
      const [next, last] = [secretOf('second'), secretOf('third')];
      const rotate = (to: string) =>
        daemon.client.call(webhookRoutes.rotateSecret, { params: item(id), body: { secret: to, graceSeconds: 3600 } });
      const rotated = await rotate(next);
      expect(Date.parse(rotated.previousSecretUntil ?? '')).toBeGreaterThan(Date.now() + 3_000_000);
      await join('rotated');
      const [during] = await receiver.waitFor(1);
      const { headers = {}, body = '' } = during ?? {};
      for (const one of [secret, next]) expect(new Webhook(one).verify(body, headers)).toBeTruthy();
      expect(headers['x-signature']).toBe(sign(next, headers['x-timestamp'] ?? '', body));
      expect(headers['x-signature-previous']).toBe(sign(secret, headers['x-timestamp'] ?? '', body));
      await rotate(last);
      aheadMs += 2 * hourMs;
      await join('rotated for good');
      const [, after] = await receiver.waitFor(2);
      expect(after?.headers).not.toHaveProperty('x-signature-previous');
      expect(after?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
    });

    it('waits as long as Retry-After asks', async () => {
      const { id } = await subscribe();
      receiver.behave = () => ({ status: 429, headers: { 'Retry-After': '9' } });
      const before = Date.now() + aheadMs;
      await join('asked to wait');
      const delivery = await eventually(async () => {
        const one = await only(id);
        expect(one.attemptsCount).toBe(1);
        return one;
      }, patienceMs);
      expect(Date.parse(delivery.nextAttemptAt ?? '')).toBeGreaterThanOrEqual(before + 9_000);
      expect(delivery.deliveries).toMatchObject([{ statusCode: 429, error: 'the receiver answered 429' }]);
    });

    it('keeps the first KiB of an answer, whatever bytes it is made of', async () => {
      const { id } = await subscribe();
      receiver.behave = () => ({ status: 200, body: `\0${'é'.repeat(100_000)}` });
      await join('talkative');
      const { deliveries } = await settled(id, 'delivered');
      const snippet = deliveries[0]?.responseSnippet ?? '';
      expect(snippet.startsWith('\ufffdéé')).toBe(true);
      expect(snippet.length).toBeLessThanOrEqual(1_024);
    });

    it('gives up after eight attempts, and sends it again when told to', async () => {
      const { id } = await subscribe();
      receiver.answer = 500;
      await join('stubborn');
      for (let attempts = 1; attempts <= 8; attempts += 1) {
        await eventually(async () => expect((await only(id)).attemptsCount).toBe(attempts), patienceMs);
        await later(13 * hourMs);
      }
      const failed = await only(id);
      expect(failed).toMatchObject({ status: 'failed', nextAttemptAt: null });
      receiver.answer = 200;
      await daemon.client.call(webhookEventRoutes.resend, { params: item(failed.id) });
      const resent = await settled(id, 'delivered');
      expect(resent).toMatchObject({ attemptsCount: 9, lastError: null });
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    });

    it('is disabled by 410, with an event, and holds what comes until it is enabled', async () => {
      const { id } = await subscribe();
      const stream = await openStream(
        `${daemon.url}/api/projects/${daemon.projectId}/events/stream?types=webhook.subscription.*`,
        {
          'X-API-Key': daemon.apiKey,
        },
      );
      receiver.answer = 410;
      await join('gone');
      expect((await stream.next(patienceMs)).data).toMatchObject({
        type: 'webhook.subscription.disabled',
        resourceId: `webhook-subscription:${id}`,
        payload: {
          data: { enabled: false, disabledReason: 'gone', url: expect.stringMatching(/^http:\/\/127.0.0.1:\d+\/…/) },
          changes: { enabled: true },
        },
      });
      stream.close();
      await expect(daemon.client.call(webhookRoutes.test, { params: item(id) })).rejects.toMatchObject({ status: 409 });
      await joinAll('held', 3);
      receiver.answer = 200;
      expect((await logOf(id)).map(({ status }) => status)).toEqual(['pending', 'pending', 'pending', 'failed']);
      expect(receiver.received).toHaveLength(1);
      await daemon.client.call(webhookRoutes.update, { params: item(id), body: { enabled: true } });
      expect((await receiver.waitFor(4)).slice(1).map(who).sort()).toEqual(['held-0', 'held-1', 'held-2']);
      expect(await get(id)).toMatchObject({ enabled: true, disabledReason: null });
    });

    it('is disabled by five days of failures alone', async () => {
      const { id } = await subscribe();
      receiver.answer = 503;
      await join('day one');
      await eventually(async () => expect((await get(id)).failingSince).not.toBeNull(), patienceMs);
      aheadMs += 5 * dayMs;
      await join('day six');
      await eventually(
        async () => expect(await get(id)).toMatchObject({ enabled: false, disabledReason: 'failing' }),
        patienceMs,
      );
    });

    it('forgets its failures at the first success', async () => {
      const { id } = await subscribe();
      receiver.answer = 503;
      await join('a bad moment');
      await eventually(async () => expect((await get(id)).failingSince).not.toBeNull(), patienceMs);
      receiver.answer = 200;
      await join('a good one');
      await eventually(async () => expect((await get(id)).failingSince).toBeNull(), patienceMs);
    });

    it('replays a range in order, each event once the one before it has arrived', async () => {
      await join('before the range');
      const { id } = await subscribe();
      await joinAll('replayed', 12);
      await receiver.waitFor(12);
      const { id: late } = await subscribe();
      const [firstEvent] = (await logOf(id)).slice(-1);
      const told = receiver.received.length;
      const { timestamp } = DomainEvent.parse(firstEvent?.payload);
      const since = new Date(Date.parse(timestamp) - 1).toISOString();
      expect(await daemon.client.call(webhookRoutes.replay, { params: item(late), body: { since } })).toMatchObject({
        queued: 12,
        complete: true,
      });
      const again = (await receiver.waitFor(told + 12)).slice(told);
      expect(again.map(who)).toEqual(Array.from({ length: 12 }, (_, index) => `replayed-${index}`));
      // Delivered events go again when they are asked for again, up to the event that is named.
      await eventually(async () =>
        expect((await logOf(late)).every(({ status }) => status === 'delivered')).toBe(true),
      );
      const until = again[4]?.headers['webhook-id'] ?? '';
      const body = { since, until };
      await daemon.client.call(webhookRoutes.replay, { params: item(late), body });
      const third = (await receiver.waitFor(told + 17)).slice(told + 12);
      expect(third.map(({ headers }) => headers['webhook-id'])).toEqual(
        again.slice(0, 5).map(({ headers }) => headers['webhook-id']),
      );
      await expect(
        daemon.client.call(webhookRoutes.replay, { params: item(late), body: { since: 'yesterday' } }),
      ).rejects.toMatchObject({ status: 400, code: 'validation_failed' });
    });

    it('replays no news of deliveries, and no test of another subscription', async () => {
      const { id } = await subscribe({ events: ['sanction.*'] });
      const since = new Date(Date.now() + aheadMs - 1).toISOString();
      await daemon.client.call(webhookRoutes.test, { params: item(id) });
      await join('beside the news');
      await receiver.waitFor(1);
      await settled(id, 'delivered');
      const { id: late } = await subscribe({ events: ['*'] });
      await daemon.client.call(webhookRoutes.replay, { params: item(late), body: { since } });
      expect((await logOf(late)).map(({ eventType }) => eventType)).toEqual(['participant.created']);
    });

    it('holds a replay at an event that fails until it has arrived', async () => {
      const { id } = await subscribe({ events: ['sanction.*'] });
      const since = new Date(Date.now() + aheadMs - 1).toISOString();
      await joinAll('blocked', 3);
      await daemon.client.call(webhookRoutes.update, { params: item(id), body: { events: ['participant.created'] } });
      receiver.answer = 500;
      await daemon.client.call(webhookRoutes.replay, { params: item(id), body: { since } });
      await eventually(async () => {
        const attempts = (await logOf(id)).map(({ attemptsCount }) => attemptsCount);
        expect(attempts.sort()).toEqual([0, 0, 1]);
      }, patienceMs);
      receiver.answer = 200;
      await later(hourMs);
      expect((await receiver.waitFor(4)).map(who)).toEqual(['blocked-0', 'blocked-0', 'blocked-1', 'blocked-2']);
    });

    it('sends only what failed again: what was given up, and what waits for its next attempt', async () => {
      const { id } = await subscribe();
      const replay = (body: ReplayWebhookEventsRequest) =>
        daemon.client.call(webhookRoutes.replay, { params: item(id), body });
      await join('arrived');
      await receiver.waitFor(1);
      receiver.answer = 503;
      await join('given up');
      const newest = async () => (await logOf(id))[0];
      for (let attemptsCount = 1; attemptsCount <= 8; attemptsCount += 1) {
        await eventually(async () => expect(await newest()).toMatchObject({ attemptsCount }), patienceMs);
        await later(13 * hourMs);
      }
      await eventually(async () => expect(await newest()).toMatchObject({ status: 'failed' }), patienceMs);
      await join('waiting');
      const waiting = { status: 'pending', attemptsCount: 1, lastError: expect.any(String) };
      await eventually(async () => expect(await newest()).toMatchObject(waiting), patienceMs);
      receiver.answer = 200;
      const told = receiver.received.length;
      await expect(replay({})).rejects.toMatchObject({ status: 400, code: 'validation_failed' });
      await expect(replay({ failed: true, since: 'yesterday' })).rejects.toMatchObject({
        code: 'validation_failed',
      });
      const before = new Date(Date.now() + aheadMs - 20 * dayMs).toISOString();
      expect(await replay({ failed: true, since: before, until: before })).toMatchObject({ queued: 0, complete: true });
      const answer = await replay({ failed: true });
      expect(answer).toMatchObject({ queued: 2, complete: true, lastEventId: expect.any(String) });
      const again = (await receiver.waitFor(told + 2)).slice(told).map(who);
      expect(again.toSorted()).toEqual(['given up', 'waiting']);
      await eventually(async () =>
        expect((await logOf(id)).map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered']),
      );
      expect(await replay({ failed: true })).toMatchObject({ queued: 0, complete: true });
    });

    it('sends what failed after one event and up to another: these two and their places count, not times', async () => {
      receiver.answer = 503;
      const { id } = await subscribe();
      await joinAll('failed', 4);
      const replay = (body: ReplayWebhookEventsRequest) =>
        daemon.client.call(webhookRoutes.replay, { params: item(id), body: { failed: true, ...body } });
      const waiting = await eventually(async () => {
        const found = (await logOf(id)).toReversed();
        expect(found.map(({ attemptsCount }) => attemptsCount)).toEqual([1, 1, 1, 1]);
        return found;
      }, patienceMs);
      const eventIds = waiting.map(({ eventId }) => eventId ?? '');
      receiver.answer = 200;
      const told = receiver.received.length;
      expect(await replay({ since: eventIds[0], until: eventIds[2] })).toMatchObject({ queued: 2, complete: true });
      expect((await receiver.waitFor(told + 2)).slice(told).map(who).sort()).toEqual(['failed-1', 'failed-2']);
      expect(await replay({ until: eventIds[0] })).toMatchObject({ queued: 1 });
      await expect(replay({ since: eventIds[1], until: eventIds[0] })).rejects.toMatchObject({
        code: 'replay_range_invalid',
      });
    });

    it.each(['2026-01-31T12:00:00', '2026-02-31T12:00:00Z', '2026-01-31', '31 January 2026'])(
      'replays from no time like %s, whose meaning would depend on the daemon or which there is not',
      async (time) => {
        const { id } = await subscribe();
        for (const body of [
          { since: time },
          { since: '2026-01-01T00:00:00Z', until: time },
          { failed: true, until: time },
        ])
          await expect(
            daemon.client.call(webhookRoutes.replay, { params: item(id), body: body as ReplayWebhookEventsRequest }),
          ).rejects.toMatchObject({ status: 400, code: 'validation_failed' });
      },
    );

    /** Has failed so often that its next attempt is hours away. */
    const failing = async (attempts = 4) => {
      receiver.answer = 503;
      const { id } = await subscribe();
      await join(`held ${randomUUID()}`);
      for (let attemptsCount = 1; attemptsCount <= attempts; attemptsCount += 1) {
        await eventually(async () => expect(await only(id)).toMatchObject({ attemptsCount }), patienceMs);
        if (attemptsCount < attempts) await later(3 * hourMs);
      }
      return id;
    };

    it('sends what was held at once when it is enabled again, with a schedule from the beginning', async () => {
      const id = await failing();
      const update = (body: UpdateWebhookSubscriptionRequest) =>
        daemon.client.call(webhookRoutes.update, { params: item(id), body });
      await update({ enabled: false });
      await update({ enabled: true });
      await eventually(async () => expect(await only(id)).toMatchObject({ attemptsCount: 5 }), patienceMs);
      const { nextAttemptAt } = await only(id);
      expect(Date.parse(nextAttemptAt ?? '')).toBeLessThan(Date.now() + aheadMs + 60_000);
      receiver.answer = 200;
      await update({ enabled: false });
      await update({ enabled: true });
      await settled(id, 'delivered');
    });

    it('is not enabled where its schedule could not begin anew', async () => {
      const id = await failing();
      const enable = (enabled: boolean) =>
        daemon.client.call(webhookRoutes.update, { params: item(id), body: { enabled } });
      await enable(false);
      const database = await Database.connect(daemon.databaseUrl);
      const [fails, works] = postgresql
        ? [
            `CREATE FUNCTION broken() RETURNS trigger AS $$ BEGIN RAISE 'broken'; END $$ LANGUAGE plpgsql;
             CREATE TRIGGER broken BEFORE UPDATE OF "attemptsBefore" ON "WebhookEvent" EXECUTE FUNCTION broken()`,
            'DROP TRIGGER broken ON "WebhookEvent"; DROP FUNCTION broken()',
          ]
        : [
            `CREATE TRIGGER broken BEFORE UPDATE OF "attemptsBefore" ON "WebhookEvent"
             BEGIN SELECT RAISE(ABORT, 'broken'); END`,
            'DROP TRIGGER broken',
          ];
      const run = (statements: string) =>
        database.transaction(async (tx) => {
          for (const one of statements.split(/;(?=\s*(?:CREATE|DROP))/)) await tx.$executeRawUnsafe(one);
        });
      await run(fails);
      await expect(enable(true)).rejects.toMatchObject({ status: 500 });
      expect(await get(id)).toMatchObject({ enabled: false });
      await run(works);
      await database.close();
      await enable(true);
      await eventually(async () => expect(await only(id)).toMatchObject({ attemptsCount: 5 }), patienceMs);
    });

    it('begins anew at a new address, and what failed at the former one says nothing about it', async () => {
      const id = await failing();
      expect((await get(id)).failingSince).not.toBeNull();
      const moved = await startReceiver();
      moved.answer = 500;
      const body = { url: moved.url, secret };
      const after = await daemon.client.call(webhookRoutes.update, { params: item(id), body });
      expect(after.failingSince).toBeNull();
      await moved.waitFor(1);
      const { nextAttemptAt } = await eventually(async () => {
        const found = await only(id);
        expect(found.attemptsCount).toBe(5);
        return found;
      });
      expect(Date.parse(nextAttemptAt ?? '')).toBeLessThan(Date.now() + aheadMs + 60_000);
      moved.answer = 200;
      await later(60_000);
      await settled(id, 'delivered');
      await moved.stop();
    });

    it('is not judged by an attempt that was on its way to the former address', async () => {
      receiver.behave = () => ({ status: 410, afterMs: 1_500 });
      const { id } = await subscribe();
      await join(`on its way ${randomUUID()}`);
      await receiver.waitFor(1);
      const moved = await startReceiver();
      await daemon.client.call(webhookRoutes.update, { params: item(id), body: { url: moved.url, secret } });
      await settled(id, 'delivered');
      expect(moved.received).toHaveLength(1);
      expect(await get(id)).toMatchObject({ enabled: true, failingSince: null });
      await moved.stop();
    });

    it('is not delayed by another receiver that hangs', async () => {
      const hanging = await startReceiver();
      hanging.behave = () => ({ hang: true });
      await subscribe({ url: hanging.url });
      await subscribe();
      await joinAll('beside', 40);
      await receiver.waitFor(40);
      expect(hanging.received.length).toBeLessThanOrEqual(8);
      await hanging.stop();
    });

    it('holds what is sent again for a week from when its subscription was disabled', async () => {
      const [{ id }, { id: earlier }] = [await subscribe(), await subscribe()];
      await join('sent again');
      const { id: deliveryId } = await settled(id, 'delivered');
      await daemon.client.call(webhookRoutes.update, { params: item(earlier), body: { enabled: false } });
      await join('held');
      await receiver.waitFor(3);
      aheadMs += 8 * dayMs;
      receiver.answer = 500;
      await daemon.client.call(webhookEventRoutes.resend, { params: item(deliveryId) });
      const deliveryOf = () => daemon.client.call(webhookEventRoutes.get, { params: item(deliveryId) });
      await eventually(async () => expect(await deliveryOf()).toMatchObject({ status: 'pending', attemptsCount: 2 }));
      await daemon.client.call(webhookRoutes.update, { params: item(id), body: { enabled: false } });
      const disabled = 'the subscription was disabled for 7 days';
      await daemon.restart();
      await eventually(async () => expect((await logOf(earlier))[0]?.lastError).toBe(disabled), patienceMs);
      expect(await deliveryOf()).toMatchObject({ status: 'pending' });
      aheadMs += 8 * dayMs;
      await daemon.restart();
      await eventually(
        async () => expect(await deliveryOf()).toMatchObject({ status: 'failed', lastError: disabled }),
        patienceMs,
      );
    });

    it('drops what a disabled subscription has held for a week, and old deliveries after a month', async () => {
      const { id } = await subscribe();
      await join('old');
      await settled(id, 'delivered');
      await daemon.client.call(webhookRoutes.update, { params: item(id), body: { enabled: false } });
      await join('held too long');
      aheadMs += 8 * dayMs;
      await daemon.restart();
      await eventually(async () => {
        expect((await logOf(id)).map(({ lastError }) => lastError)).toEqual([
          'the subscription was disabled for 7 days',
          null,
        ]);
      }, patienceMs);
      aheadMs += 25 * dayMs;
      await daemon.restart();
      await eventually(async () => expect(await logOf(id)).toHaveLength(1), patienceMs);
    });
  });
});
