/** Clients that are right and rare: they close their side first, speak HTTP/1.0, or send what others never do. */
import type { ServerResponse } from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refuse } from '../../../daemon/platform/http/errors.js';
import { createLogger } from '../../../daemon/platform/observability/logger.js';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { rawClient } from '../../support/raw-http.js';
import { openStream } from '../../support/stream.js';

let daemon: TestDaemon;
let people: string;
beforeAll(async () => {
  daemon = await startDaemon();
  people = `/api/projects/${daemon.projectId}/participants`;
  for (const externalUserId of ['a', 'b', 'c'])
    await daemon.client.call(participantRoutes.create, {
      params: { projectId: daemon.projectId },
      body: { externalUserId },
    });
});
afterAll(() => daemon.stop());

/** Sends, closes its own side, and returns all that comes. */
const halfClosed = (...lines: string[]): Promise<string> => {
  const { hostname, port } = new URL(daemon.url);
  const socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.end(lines.join('\r\n'));
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('end', () => resolve(text));
  });
};
const credential = () => `X-API-Key: ${daemon.apiKey}`;
const body = (externalUserId: string) => JSON.stringify({ externalUserId });

it('a client that closes its side first gets its answer', async () => {
  const got = await halfClosed(`GET ${people} HTTP/1.1`, 'Host: x', credential(), '', '');
  expect(got).toMatch(/^HTTP\/1\.1 200 [\s\S]*"total":3/);
  const text = body('half-closed');
  const length = `Content-Length: ${text.length}`;
  const json = 'Content-Type: application/json';
  const posted = await halfClosed(`POST ${people} HTTP/1.1`, 'Host: x', credential(), json, length, '', text);
  expect(posted).toMatch(/^HTTP\/1\.1 201 [\s\S]*"externalUserId":"half-closed"/);
  const two = `GET ${people} HTTP/1.1\r\nHost: x\r\n${credential()}\r\n\r\n`;
  expect((await halfClosed(two + two)).match(/HTTP\/1\.1 200/g)).toHaveLength(2);
});

it('a client that closes its side and follows a stream is let go', async () => {
  const stream = await halfClosed('GET /api/events/stream HTTP/1.1', 'Host: x', credential(), '', '');
  expect(stream).toMatch(/^HTTP\/1\.1 200 /);
});

it.each([
  ['1.0', /^HTTP\/1\.1 201 /],
  ['1.1', /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /],
])(
  'a client of HTTP/%s that offers its body gets an interim answer only where it knows them',
  async (version, answer) => {
    const text = body(`of ${version}`);
    const client = await rawClient(daemon.url);
    const head = [`POST ${people} HTTP/${version}`, 'Host: x', credential(), 'Content-Type: application/json'];
    const more = ['Connection: close', 'Expect: 100-continue', `Content-Length: ${text.length}`, '', ''];
    client.send([...head, ...more].join('\r\n'));
    await sleep(300);
    client.send(text);
    expect(await client.all()).toMatch(answer);
  },
);

it('the next page keeps what stands behind a second question mark', async () => {
  const call = (path: string) => fetch(daemon.url + path, { headers: { 'X-API-Key': daemon.apiKey } });
  const first = await call(`${people}?limit=1&search=what?&until=2099-01-01T00:00:00Z`);
  expect(first.headers.get('link')).toBeNull();
  const named = (search: string) => `${people}?limit=1&search=${search}&since=2020-01-01T00:00:00Z`;
  for (const externalUserId of ['q?1', 'q?2'])
    await daemon.client.call(participantRoutes.create, {
      params: { projectId: daemon.projectId },
      body: { externalUserId },
    });
  const link = (await call(named('q?'))).headers.get('link') ?? '';
  const next = /<(.*)>; rel="next"/.exec(link)?.[1] ?? '';
  const query = new URL(next, daemon.url).searchParams;
  expect([query.get('search'), query.get('since'), query.get('limit')]).toEqual(['q?', '2020-01-01T00:00:00Z', '1']);
  expect(await (await call(next)).json()).toMatchObject({ participants: [{ externalUserId: 'q?2' }] });
});

it('a stream goes on behind an id in capitals, and refuses one that is none', async () => {
  const url = `${daemon.url}/api/events/stream`;
  const key = { 'X-API-Key': daemon.apiKey };
  const all = await openStream(`${url}?since=earliest`, key);
  const [first, second] = [await all.next(), await all.next()];
  const again = await openStream(url, { ...key, 'Last-Event-ID': (first.id ?? '').toUpperCase() });
  expect(await again.next()).toMatchObject({ id: second.id });
  for (const id of ['42', `${first.id}x`, 'earlier', (first.id ?? '').slice(1)]) {
    const answer = await fetch(url, { headers: { ...key, 'Last-Event-ID': id } });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'validation_failed' });
    expect((await fetch(`${url}?last-event-id=${id}`, { headers: key })).status).toBe(400);
  }
  all.close();
  again.close();
});

it('an error of a library is the daemon’s own, whatever status it carries', async () => {
  expect((await fetch(`${daemon.url}/api/projects/%E0%A4%A/participants`)).status).toBe(400);
  const lines: string[] = [];
  const sent: unknown[] = [];
  const log = createLogger('error', { write: (line: string) => void lines.push(line) });
  const response = { headersSent: false, req: { socket: { destroyed: false } } } as ServerResponse;
  const head = { setHeader: () => head, hasHeader: () => false } as never;
  const reply = { response, head, send: (status: number, { code }: { code: string }) => sent.push([status, code]) };
  const place = { requestId: 'r', method: 'GET', path: '/api' };
  refuse(Object.assign(new Error('bad option'), { status: 400 }), place, reply, { log, outage: () => {} });
  expect(sent).toEqual([[500, 'internal']]);
  expect(lines.join('')).toContain('bad option');
});
