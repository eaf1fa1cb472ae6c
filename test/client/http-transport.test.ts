import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { DaemonUnreachable } from '../../src/client/errors.js';
import { byHttp } from '../../src/client/http-transport.js';
import { InvalidRequest } from '../../src/client/invalid-request.js';
import { sseFrames } from '../../src/client/sse-frames.js';
import { type Answer, byFetch, type TransportRequest } from '../../src/client/transport.js';
import { routes } from '../../src/contract/routes.js';
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

  it.each([
    ['by node:http', byHttp],
    ['by fetch', byFetch],
  ])('that cannot be made %s are no fault of the network, and show no credential', async (_, transport) => {
    const client = new EarshotClient({
      ...{ baseUrl: at('').origin, credential: { kind: 'apiKey', key: 'earshot_live_secret\nX' }, transport },
    });
    const refused = await client.call(routes.projects.list, {}).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InvalidRequest);
    expect(refused).not.toBeInstanceOf(DaemonUnreachable);
    expect(String(refused)).toContain('cannot be made');
    expect(String(refused)).not.toContain('secret');
  });

  it.each([
    ['a fault of a transport', () => Object(undefined).answer.status, TypeError],
    ['text that is no JSON', () => JSON.parse('{'), SyntaxError],
    [
      'what a worker may not do',
      () => Promise.reject(new Error('Cannot perform I/O on behalf of a different request.')),
      Error,
    ],
    [
      'a worker that sends too early',
      () => Promise.reject(new Error('Disallowed operation called within global scope, such as fetch() or connect().')),
      Error,
    ],
    ['a worker that sends too much', () => Promise.reject(new Error('Too many subrequests.')), Error],
  ])('are said to have failed for what they failed for, and not that no daemon answers: %s', async (_, fail, kind) => {
    const client = new EarshotClient({ baseUrl: at('').origin, transport: async () => fail() });
    const failed = await client.call(routes.projects.list, {}).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(kind);
    expect(failed).not.toBeInstanceOf(DaemonUnreachable);
  });

  it('name no cache where the runtime has none, as workers of Cloudflare had in 2024', async () => {
    const field = Object.getOwnPropertyDescriptor(Request.prototype, 'cache') ?? {};
    const ofRuntime = globalThis.Request;
    class WorkersRequest extends ofRuntime {
      constructor(url: string | URL, init?: RequestInit) {
        if (init !== undefined && 'cache' in init)
          throw new Error("The 'cache' field on 'RequestInitializerDict' is not implemented.");
        super(url, init);
      }
    }
    globalThis.Request = WorkersRequest;
    try {
      expect(() => byFetch(at('/echo'), get)).toThrow(InvalidRequest); // its fault has its own name
      Reflect.deleteProperty(ofRuntime.prototype, 'cache');
      expect((await byFetch(at('/echo'), get)).status).toBe(200);
    } finally {
      globalThis.Request = ofRuntime;
      Object.defineProperty(ofRuntime.prototype, 'cache', field);
    }
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
