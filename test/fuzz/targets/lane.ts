/**
 * Requests as strangers write them, to the way past Express and to Express alone: both answer the same bytes. The servers
 * listen on loopback and have no part of a daemon behind them.
 */
import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { Answers } from '../../../daemon/platform/http/answers/answers.js';
import { createApp } from '../../../daemon/platform/http/app.js';
import { Authentication } from '../../../daemon/platform/http/authentication.js';
import { bind, type Edge } from '../../../daemon/platform/http/bind.js';
import { Bodies } from '../../../daemon/platform/http/bodies/bodies.js';
import { ClientAddresses } from '../../../daemon/platform/http/client-addresses.js';
import { withLane } from '../../../daemon/platform/http/lane.js';
import { RateLimits } from '../../../daemon/platform/http/rate-limits.js';
import { createLogger } from '../../../daemon/platform/observability/logger.js';
import { defineRoute } from '../../../src/contract/route.js';
import { masked } from '../../support/express-calls.js';
import { type FuzzTarget, hold } from '../engine/target.js';

/** Time after which a request that has not been answered counts as one that is not whole. */
const quietMs = 30;

const shared = {
  ...({ summary: 'Answers what it was asked.', group: 'Watching', auth: ['apiKey'], scope: null, hot: true } as const),
  query: z.object({ n: z.coerce.number<number>().optional(), text: z.string().max(20).optional() }),
  headers: z.object({ 'last-event-id': z.string().max(40).optional() }),
  success: { status: 200, body: z.unknown() } as const,
  errors: [],
};
const routes = {
  read: defineRoute({
    ...shared,
    operationId: 'readThing',
    method: 'get',
    path: '/api/things/{id}',
    params: z.object({ id: z.string().max(40) }),
  }),
  write: defineRoute({
    ...shared,
    operationId: 'writeThing',
    method: 'post',
    path: '/api/things',
    body: z.object({ a: z.string().max(40), b: z.number().optional() }),
  }),
};
const answer = ({
  params,
  query,
  headers,
  body,
}: Readonly<Record<'params' | 'query' | 'headers' | 'body', unknown>>) => ({
  ...{ params, query, headers, body },
});
const caller = { kind: 'apiKey', id: 'k', credentialId: 'k', tenantId: 't', projectId: null, scopes: [] };
const verifiers = {
  apiKey: async (key: string) => (key === 'valid' ? caller : null),
  userToken: async () => null,
  playerToken: async () => null,
};
const edge = {
  authentication: new Authentication(verifiers as unknown as ConstructorParameters<typeof Authentication>[0]),
  authorisation: { projectOf: async () => undefined },
  bodies: new Bodies(() => ''),
  answers: new Answers(''),
  idempotency: { once: (...call: unknown[]) => (call.at(-1) as () => unknown)() },
  limits: new RateLimits({ perCredential: 0, perAddress: 0 }),
  quota: { requireSpace: () => {} },
  reads: { run: (_tenantId: string, _operationId: string, read: () => unknown) => read() },
  audit: { during: (_: unknown, handle: () => unknown) => handle() },
} as unknown as Edge;
const options = {
  ...{ edge, routers: [], addresses: new ClientAddresses(['127.0.0.1']), corsOrigins: ['https://game.example'] },
  ...{
    routes: bind(routes, { read: answer, write: answer }),
    log: createLogger('silent'),
    outage: () => {},
    answered: () => {},
  },
};
const app = createApp(options);

async function portOf(listener: RequestListener): Promise<number> {
  const server = http.createServer(listener).listen(0, '127.0.0.1');
  // What cannot be read behind a request may not overtake its answer: which of the two is first is no matter of the lane.
  server.on('clientError', (_, socket) => setTimeout(() => socket.destroy(), quietMs / 3));
  await once(server, 'listening');
  server.unref();
  return (server.address() as AddressInfo).port;
}
let ports: Promise<{ readonly lane: number; readonly express: number }> | null = null;
const listening = async () => {
  ports ??= Promise.all([portOf(withLane(app, options)), portOf(app)]).then(([lane, express]) => ({ lane, express }));
  return ports;
};

/** A request that ends the connection, behind the one that is tried. */
const last = Buffer.from('GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');

/** Returns everything that is answered to the bytes. */
function exchange(port: number, input: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(masked(Buffer.concat(chunks).toString('latin1')));
    };
    let timer = setTimeout(end, quietMs);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      clearTimeout(timer);
      timer = setTimeout(end, quietMs);
    });
    socket.on('error', () => {}).once('close', end);
    socket.write(Buffer.concat([input, last]));
  });
}

/** `^` stands for the end of a line, so that mutations need not find both of its bytes. */
const written = (input: Buffer): Buffer => Buffer.from(input.toString('latin1').replaceAll('^', '\r\n'), 'latin1');

export const lane: FuzzTarget = {
  name: 'lane',
  maxBytes: 16 * 1024,
  async parse(input) {
    return exchange((await listening()).lane, written(input));
  },
  async check(input) {
    const { lane: port, express } = await listening();
    const bytes = written(input);
    const [past, by] = await Promise.all([exchange(port, bytes), exchange(express, bytes)]);
    if (past !== by) {
      // One of them may have been cut by its time.
      await nextTurn();
      const again = [await exchange(port, bytes), await exchange(express, bytes)];
      hold(again[0] === again[1], 'The way past Express answers as Express does.', ...again);
    }
  },
  seeds: [
    'GET /api/things/7?n=1&text=a%20b HTTP/1.1^Host: x^X-API-Key: valid^Last-Event-ID: 1^^',
    'POST /api/things HTTP/1.1^Host: x^X-API-Key: valid^Content-Type: application/json^Content-Length: 16^^{"a":"b","b":12}',
    'POST /api/things?n=x HTTP/1.1^Host: x^Authorization: Bearer valid^Content-Type: application/json; charset=utf-8^Content-Length: 9^^{"a":"b"}',
    'POST /api/things HTTP/1.1^Host: x^X-API-Key: valid^Transfer-Encoding: chunked^^9^{"a":"b"}^0^^',
    'HEAD /api/things/7 HTTP/1.1^Host: x^X-API-Key: valid^Origin: https://game.example^X-Forwarded-For: ::1, 10.0.0.1^^',
    'GET /api/things/7 HTTP/1.0^X-API-Key: wrong^X-Request-Id: abc^^',
  ],
  words: [
    ...['^', '^^', 'GET ', 'POST ', '/api/things', '/', '?', '&', '=', '%', '%00', '%2F', '..', ' HTTP/1.1', '#', ';'],
    ...[
      'Content-Length: ',
      'Content-Type: ',
      'application/json',
      'text/plain',
      '; charset=utf-8',
      'Content-Encoding: gzip',
    ],
    ...[
      'X-API-Key: valid',
      'Authorization: ',
      'Last-Event-ID: ',
      'X-Request-Id: ',
      'Origin: null',
      'X-Forwarded-For: ',
    ],
    ...[
      'Expect: 100-continue',
      'Upgrade: websocket',
      'Connection: close',
      'Connection: upgrade',
      '{"a":"b"}',
      '__proto__',
    ],
  ],
};
