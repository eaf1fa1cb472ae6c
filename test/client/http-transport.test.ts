import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byHttp } from '../../src/client/http-transport.js';
import { sseFrames } from '../../src/client/sse-frames.js';
import { type Answer, byFetch, type TransportRequest } from '../../src/client/transport.js';
import { eventually } from '../support/eventually.js';

/** Answers of the server, by path. Every answer that is not ended here stays open. */
const answers: Record<string, (response: ServerResponse, request: IncomingMessage) => void> = {
  '/echo': async (response, request) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { method, headers } = request;
    const { 'content-length': length, 'content-type': type, 'x-api-key': key } = headers;
    response.setHeader('X-Twice', ['one', 'two']);
    response.end(JSON.stringify({ method, length, type, key, body, chunked: 'transfer-encoding' in headers }));
  },
  '/refused': (response) => response.writeHead(409, 'No Such Luck', { 'Retry-After': '3' }).end('{"code":"x"}'),
  '/nothing': (response) => response.writeHead(204).end(),
  '/mark': (response) => response.end('\uFEFFö \u{1F600}'),
  '/moved': (response) => response.writeHead(307, { Location: '/echo' }).end('elsewhere'),
  '/cut': (response) => {
    response.writeHead(200, { 'Content-Length': '100' }).write('half');
    setImmediate(() => response.destroy());
  },
  '/silent': () => {},
  '/begun': (response) => response.write('begun'),
  '/events': (response) => {
    streams += 1;
    response.on('close', () => {
      streams -= 1;
    });
    response.setHeader('Content-Type', 'text/event-stream').write('data: 1\n\n');
  },
};
let server: Server;
let open = 0;
let streams = 0;
beforeAll(async () => {
  server = createServer((request, response) => answers[request.url ?? '']?.(response, request));
  server.on('connection', (socket) => {
    open += 1;
    socket.on('close', () => {
      open -= 1;
    });
  });
  server.listen(0, '127.0.0.1');
  await eventually(() => expect(server.listening).toBe(true));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const at = (path: string) => new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
const json = { 'Content-Type': 'application/json' };
const get: TransportRequest = { method: 'GET', headers: {} };
const read = async (answer: Answer) => ({
  ...{ ok: answer.ok, status: answer.status, statusText: answer.statusText, redirected: answer.redirected },
  ...{ url: answer.url, twice: answer.headers.get('X-Twice'), retryAfter: answer.headers.get('retry-after') },
  ...{ none: answer.headers.get('x-none'), text: await answer.text() },
});

describe('requests by node:http', () => {
  it.each<[string, string, TransportRequest]>([
    ['a body with its length', '/echo', { method: 'POST', headers: { ...json, 'X-API-Key': 'k' }, body: '{"ö":1}' }],
    ['a POST without a body', '/echo', { method: 'POST', headers: {} }],
    ['a DELETE', '/echo', { method: 'DELETE', headers: {} }],
    ['a refusal', '/refused', get],
    ['an answer without a body', '/nothing', get],
    ['a byte order mark, and characters of many bytes', '/mark', get],
    ['a redirect, which is not followed', '/moved', { method: 'POST', headers: json, body: 'kept' }],
  ])('are answered as by fetch: %s', async (_, path, request) => {
    const answer = await read(await byHttp(at(path), request));
    expect(answer).toEqual(await read(await byFetch(at(path), request)));
  });

  it('give bytes as they came', async () => {
    const bytes = new Uint8Array(await (await byHttp(at('/mark'), get)).arrayBuffer());
    expect(bytes).toEqual(new Uint8Array(Buffer.from('\uFEFFö \u{1F600}')));
  });

  it('reject when nobody listens, when the answer is cut, when time is up and when they are given up', async () => {
    await expect(byHttp(new URL('http://127.0.0.1:9/'), get)).rejects.toThrow('ECONNREFUSED');
    await expect(byHttp(new URL('ftp://127.0.0.1/'), get)).rejects.toThrow('ftp:');
    await expect(byHttp(at('/echo'), { method: 'GET', headers: { 'X-API-Key': 'a\nb' } })).rejects.toThrow('X-API-Key');
    await expect((await byHttp(at('/cut'), get)).text()).rejects.toThrow('aborted');
    await expect(byHttp(at('/silent'), { ...get, signal: AbortSignal.timeout(20) })).rejects.toThrow('aborted');
    await expect(byHttp(at('/silent'), { ...get, signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    const left = new AbortController();
    const { body } = await byHttp(at('/begun'), { ...get, signal: left.signal });
    const reader = body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('begun');
    left.abort();
    await expect(reader?.read()).rejects.toThrow('aborted');
    await eventually(() => expect(open).toBeLessThanOrEqual(1)); // fetch keeps one of its own
  });

  it('carry a stream of events, and end it with its reader', async () => {
    const request = (signal: AbortSignal) => byHttp(at('/events'), { ...get, signal });
    for await (const { data } of sseFrames({ url: at('/events'), names: ['message'], open: request })) {
      expect(data).toBe('1');
      expect(streams).toBe(1);
      break;
    }
    await eventually(() => expect(streams).toBe(0));
  });
});
