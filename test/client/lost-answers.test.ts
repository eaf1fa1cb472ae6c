/** What the library does when an answer does not arrive, is a redirect, or is not that of the operation. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { DaemonUnreachable, MayBeDone, Redirected, UnexpectedAnswer } from '../../src/client/errors.js';
import { byHttp } from '../../src/client/http-transport.js';
import { byFetch } from '../../src/client/transport.js';
import type { Route } from '../../src/contract/route.js';
import { routes } from '../../src/contract/routes.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { type Fault, FaultProxy } from '../support/fault-proxy.js';
import { freePort } from '../support/free-port.js';

let daemon: TestDaemon;
const proxy = new FaultProxy(() => daemon.url);
beforeAll(async () => {
  daemon = await startDaemon();
  await proxy.start();
});
afterAll(async () => {
  await proxy.stop();
  await daemon.stop();
});
beforeEach(() => {
  proxy.passed.length = 0;
  proxy.next.length = 0;
  proxy.otherwise = () => null;
});

const to = (baseUrl: string, transport = byHttp) =>
  new EarshotClient({ baseUrl, transport, credential: { kind: 'apiKey', key: daemon.apiKey } });
const params = () => ({ projectId: daemon.projectId });
const warn = (client: EarshotClient, externalUserId: string) =>
  client.call(routes.sanctions.create, { params: params(), body: { type: 'warn', externalUserId } });
const warnings = async (externalUserId: string) =>
  (await daemon.client.call(routes.sanctions.list, { params: params(), query: { externalUserId } })).sanctions.length;
const keysSent = () => proxy.passed.map(({ headers }) => headers['idempotency-key']);

const losses: readonly Fault[] = [
  { kind: 'cut before' },
  { kind: 'cut after' },
  { kind: 'cut within' },
  { kind: 'answer', status: 502, body: '<h1>Bad Gateway</h1>' },
];

describe.each([
  ['node:http', byHttp],
  ['fetch', byFetch],
] as const)('an answer that is lost, by %s', (name, transport) => {
  it.each(losses)('of a read is asked for again: $kind', async (fault) => {
    proxy.next.push(fault, fault, null);
    expect(await to(proxy.url, transport).call(routes.projects.list, {})).toHaveLength(1);
    expect(proxy.passed).toHaveLength(3);
  });

  it('waits as long as a proxy asks for, unless that is long', async () => {
    const busy = (seconds: number): Fault => ({
      kind: 'answer',
      status: 503,
      headers: { 'Retry-After': String(seconds) },
      body: 'busy',
    });
    proxy.next.push(busy(2), null);
    await to(proxy.url, transport).call(routes.projects.list, {});
    const [first, second] = proxy.passed;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(1_950);
    proxy.next.push(busy(60));
    await expect(to(proxy.url, transport).call(routes.projects.list, {})).rejects.toMatchObject({
      retryAfterSeconds: 60,
    });
  });

  it.each(losses)(
    'of a change is asked for once more under its key, and the change made once: $kind',
    async (fault) => {
      const user = `${name} ${fault.kind}`;
      proxy.next.push(fault, null);
      await warn(to(proxy.url, transport), user);
      expect(await warnings(user)).toBe(1);
      const [key, again] = keysSent();
      expect(key).toMatch(/^[0-9a-f]{32}$/);
      expect(again).toBe(key);
    },
  );

  it('of a change twice: it may have been done', async () => {
    const user = `${name} twice`;
    proxy.otherwise = () => ({ kind: 'cut after' });
    const lost = await warn(to(proxy.url, transport), user).catch((error: unknown) => error);
    expect(lost).toBeInstanceOf(MayBeDone);
    expect(lost).toBeInstanceOf(DaemonUnreachable);
    expect(lost).toMatchObject({
      message: `The answer of ${proxy.url} was lost: the connection was cut. What was asked for may have been done: look before you repeat it.`,
      idempotencyKey: keysSent()[0],
    });
    expect(proxy.passed).toHaveLength(2);
    expect(await warnings(user)).toBe(1);
  });

  it('of a change without a key is not asked for again: it may have been done', async () => {
    const { id } = await daemon.client.call(routes.participants.create, {
      params: params(),
      body: { externalUserId: `${name} erased` },
    });
    proxy.next.push({ kind: 'cut after' });
    const remove = to(proxy.url, transport).call(routes.participants.remove, { params: { ...params(), id } });
    await expect(remove).rejects.toMatchObject({ name: 'MayBeDone', idempotencyKey: null });
    expect(keysSent()).toEqual([undefined]);
  });
});

it('is waited for while the daemon still works on the change', async () => {
  const running = { statusCode: 409, code: 'idempotency_in_progress', message: 'running' };
  proxy.next.push({ kind: 'cut before' }, { kind: 'answer', status: 409, body: JSON.stringify(running) }, null);
  await warn(to(proxy.url), 'slow');
  expect(await warnings('slow')).toBe(1);
});

it('a refusal of the repeat is the answer', async () => {
  const refusal = { statusCode: 409, code: 'already_active', message: 'no' };
  proxy.next.push({ kind: 'cut before' }, { kind: 'answer', status: 409, body: JSON.stringify(refusal) });
  await expect(warn(to(proxy.url), 'refused')).rejects.toMatchObject({ code: 'already_active' });
});

it('nothing was done where nobody listens', async () => {
  const nobody = to(`http://127.0.0.1:${await freePort()}`);
  const refused = await warn(nobody, 'nobody').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(DaemonUnreachable);
  expect(refused).not.toBeInstanceOf(MayBeDone);
});

it('a key of the caller is sent as it is', async () => {
  const send = routes.gameplay.sendEvents;
  const body = { events: [{ user_id: 'u', event_name: 'login' }] } as never;
  await to(proxy.url)
    .call(send, { body, query: {}, headers: { 'idempotency-key': 'mine' } })
    .catch(() => {});
  expect(keysSent()).toEqual(['mine']);
});

describe('a redirect', () => {
  /** Answers every request with the status and keeps what it gets. */
  const redirecting = async (status: number, base: string) => {
    const got: string[] = [];
    const server: Server = createServer((request, response) => {
      got.push(`${request.method} ${request.headers['x-api-key']}`);
      response.writeHead(status, { Location: `${base}${request.url}` }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { got, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  };

  it.each([
    ['a permanent one', 301, byHttp],
    ['one that keeps the method', 307, byFetch],
  ])('is followed by no operation of the contract: %s', async (_, status, transport) => {
    const target = await redirecting(404, '');
    const first = await redirecting(status, target.url);
    const client = to(first.url, transport);
    const every = Object.values(routes).flatMap((group): Route[] => Object.values(group));
    for (const route of every) {
      const input = { params: new Proxy({}, { get: () => 'x' }), query: {}, body: route.body && {} };
      const refused = await client.call(route, input as never).catch((error: unknown) => error);
      expect(refused, route.operationId).toBeInstanceOf(Redirected);
      expect(refused).toMatchObject({ target: target.url, message: expect.stringContaining('nothing was done') });
    }
    expect(first.got).toHaveLength(every.length);
    expect(target.got).toEqual([]);
    for (const { server } of [first, target]) server.close();
  });

  it.each([301, 302, 303, 307, 308])('is not followed, whatever its status: %i', async (status) => {
    const first = await redirecting(status, 'https://voice.example/base');
    for (const transport of [byHttp, byFetch])
      await expect(warn(to(first.url, transport), 'u')).rejects.toThrow(
        'Set EARSHOT_URL to https://voice.example/base.',
      );
    first.server.close();
  });
});

describe('an answer of another form', () => {
  it.each<[string, string]>([
    ['a page', '<html>Sign in</html>'],
    ['nothing', ''],
    ['a list', '[]'],
    ['the answer of another operation', '{"sanctions":[],"total":0,"limit":50,"offset":0}'],
  ])('is not taken for that of the operation: %s', async (_, body) => {
    proxy.next.push({ kind: 'answer', status: 200, body });
    await expect(warn(to(proxy.url), 'form')).rejects.toThrow(
      /is not Earshot|answers something else than this version/,
    );
  });

  it('says that a change may have been done', async () => {
    proxy.next.push({ kind: 'answer', status: 201, body: '{}' });
    const refused = await warn(to(proxy.url), 'form').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UnexpectedAnswer);
    expect((refused as Error).message).toContain('may have been done');
  });

  it('is refused where a file or a stream belongs', async () => {
    proxy.otherwise = () => ({ kind: 'answer', status: 200, headers: { 'Content-Type': 'text/html' }, body: '<p>' });
    await expect(to(proxy.url).fetch(routes.gameEvents.export, { params: params(), query: {} })).rejects.toBeInstanceOf(
      UnexpectedAnswer,
    );
  });

  it('of a newer daemon is taken: more fields, other values', async () => {
    const [project] = await daemon.client.call(routes.projects.list, {});
    const body = JSON.stringify([{ ...project, role: 'auditor', colour: 'blue' }]);
    proxy.next.push({ kind: 'answer', status: 200, body });
    expect(await to(proxy.url).call(routes.projects.list, {})).toEqual(JSON.parse(body));
  });
});
