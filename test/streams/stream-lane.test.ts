/**
 * Plain requests for a stream are answered past Express. Each is sent twice here: as it is, and with a `Content-Encoding`, which only
 * Express reads and which changes nothing where there is no body. The two answers must be the same bytes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { countExpressCalls, type ExpressCalls, masked } from '../support/express-calls.js';
import { exchange, rawClient } from '../support/raw-http.js';

let daemon: TestDaemon;
let byExpress: ExpressCalls;
let keys: Record<'reader' | 'other' | 'nothing' | 'tenant', string>;
beforeAll(async () => {
  byExpress = countExpressCalls();
  daemon = await startDaemon({ settings: { EARSHOT_TRUSTED_PROXIES: '127.0.0.0/8,::1' } });
  const keyOf = async (scopes: Parameters<TestDaemon['clientWith']>[0], projectId?: string) => {
    const { credential } = await daemon.clientWith(scopes, projectId);
    return credential?.kind === 'apiKey' ? credential.key : '';
  };
  const { id } = await daemon.admin.call(projectRoutes.create, { body: { name: 'Another one' } });
  keys = {
    reader: await keyOf(['events:read'], daemon.projectId),
    other: await keyOf(['events:read'], id),
    tenant: await keyOf(['projects:read']),
    nothing: await keyOf(['gameplay:read'], daemon.projectId),
  };
});
afterAll(async () => {
  byExpress.stop();
  await daemon.stop();
});

interface Sent {
  readonly path?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

const pathOf = (projectId = daemon.projectId) => `/api/projects/${projectId}/events/stream`;
const requestOf = ({ path = pathOf(), query = '', headers = {}, method = 'GET' }: Sent): string => {
  const all = { Host: 'localhost', 'X-API-Key': keys.reader, Accept: 'text/event-stream', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path}${query} HTTP/1.1\r\n${lines.join('')}\r\n`;
};
const viaExpress = (sent: Sent): Sent => ({ ...sent, headers: { ...sent.headers, 'Content-Encoding': 'identity' } });

/** A head with the first frame as a chunk, or with a refusal. */
const whole = /\r\n\r\n(?:[0-9a-f]+\r\n[\s\S]*\n\n\r\n|\{[\s\S]*\})$/;

/** The head of the answer, and the first frame or the refusal. */
async function answer(sent: Sent): Promise<string> {
  const client = await rawClient(daemon.url);
  client.send(requestOf(sent));
  while (!whole.test(client.soFar())) await client.received();
  client.close();
  return masked(client.soFar());
}

async function both(sent: Sent): Promise<string> {
  const before = byExpress.count;
  const short = await answer(sent);
  expect(byExpress.count).toBe(before);
  const long = await answer(viaExpress(sent));
  expect(byExpress.count).toBe(before + 1);
  expect(short).toBe(long);
  return short;
}

describe('a stream asked for past Express', () => {
  const unknown = '0190a000-0000-7000-8000-000000000000';
  const cases: Readonly<Record<string, readonly [status: number, sent: () => Sent]>> = {
    'a project': [200, () => ({})],
    'the whole tenant': [200, () => ({ path: '/api/events/stream' })],
    'types and resources': [200, () => ({ query: '?types=sanction.*,session.created&resources=sanction:1,%C3%BC' })],
    'an empty query': [200, () => ({ query: '?' })],
    'a place': [200, () => ({ query: '?since=earliest' })],
    'a place that is none': [400, () => ({ query: '?since=yesterday' })],
    'an unknown place': [200, () => ({ headers: { 'Last-Event-ID': unknown } })],
    'a type that no event has': [400, () => ({ query: '?types=sanction.create' })],
    'a type of platform services': [200, () => ({ query: '?types=match.ended' })],
    'a type of platform services that looks like a slip': [200, () => ({ query: '?types=sanctions.*&ingested=true' })],
    'a misspelt name of the last event': [400, () => ({ query: `?lastEventId=${unknown}` })],
    'types that are none': [400, () => ({ query: '?types=A' })],
    'a query that is repeated': [400, () => ({ query: '?types=a.b&types=a.b' })],
    'a query that is no UTF-8': [400, () => ({ query: '?types=%ff' })],
    'a query with NUL': [400, () => ({ query: '?resources=%00' })],
    'no credential': [401, () => ({ headers: { 'X-API-Key': '' } })],
    'an unknown key': [401, () => ({ headers: { 'X-API-Key': 'nothing' } })],
    'a key by the other header': [
      200,
      () => ({ headers: { 'X-API-Key': '', Authorization: `ApiKey ${keys.reader}` } }),
    ],
    'a token that is none': [401, () => ({ headers: { 'X-API-Key': '', Authorization: 'Bearer x' } })],
    'a key without the scope': [403, () => ({ headers: { 'X-API-Key': keys.nothing } })],
    'a key of another project': [403, () => ({ headers: { 'X-API-Key': keys.other } })],
    'a project that does not exist': [403, () => ({ path: pathOf(unknown) })],
    'an id that is none': [403, () => ({ path: pathOf('nowhere') })],
    'an id of the client': [200, () => ({ headers: { 'X-Request-Id': 'chosen-1' } })],
    'a proxy in between': [401, () => ({ headers: { 'X-API-Key': 'x', 'X-Forwarded-For': '203.0.113.7, ::1' } })],
  };

  it.each(Object.entries(cases))('is answered as Express does: %s', async (_name, [status, sent]) => {
    expect(await both(sent())).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it('is left to Express where anything about it is unusual', async () => {
    const unusual: readonly [status: number, sent: Sent][] = [
      [200, { path: `${pathOf()}/` }],
      [200, { path: pathOf(daemon.projectId.replace('-', '%2D')) }],
      [404, { path: pathOf().toUpperCase() }],
      [405, { method: 'POST', headers: { 'Content-Length': '0' } }],
      [200, { headers: { 'Content-Length': '0' } }],
    ];
    for (const [status, sent] of unusual) {
      const before = byExpress.count;
      expect(await answer(sent)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(byExpress.count).toBe(before + 1);
    }
    const { status } = await exchange(daemon.url, requestOf({ method: 'HEAD', headers: { Connection: 'close' } }));
    expect(status).toBe(405);
  });

  it('is counted with its group, and its time is not', async () => {
    const counted = async () => {
      await sleep(1_000); // until then the daemon gives the figures that it has
      const metrics = await fetch(`${daemon.url}/metrics`, { headers: { 'X-API-Key': keys.tenant } });
      const of = 'group="Real-time events"';
      const lines = (await metrics.text()).split('\n').filter((line) => line.includes(of));
      return (name: string) =>
        Number(
          lines
            .find((line) => line.startsWith(name) && line.includes(of))
            ?.split(' ')
            .at(-1),
        );
    };
    const before = await counted();
    const [all, timed] = ['earshot_http_requests_total{method="GET"', 'earshot_http_request_duration_seconds_count'];
    await answer({ headers: { 'X-API-Key': keys.tenant, 'Last-Event-ID': 'nothing' } });
    await answer({});
    await eventually(async () => expect((await counted())(timed)).toBe((before(timed) || 0) + 1));
    expect((await counted())(all)).not.toBeNaN();
  });
});
