/** Slow senders and readers are cut off, and a sender is told why: idle connections must not use up the daemon. */
import net from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HttpListener } from '../../../daemon/platform/http/server.js';
import { createLogger } from '../../../daemon/platform/observability/logger.js';
import { ErrorBody } from '../../../src/contract/errors.js';
import { rawClient } from '../../support/raw-http.js';

const patience = { headersMs: 200, requestMs: 400, handshakeMs: 200, unreadMs: 300, idleMs: 300, checkMs: 50 };
const listener = new HttpListener('127.0.0.1', 0, null, 'EARSHOT_PORT', createLogger('silent'), patience);
/** More than the buffers between two programs hold. */
const large = Buffer.alloc(64 * 1024 * 1024);
let cutOff: () => void = () => {};
beforeAll(() =>
  listener.start((request, response) => {
    if (request.url === '/large') response.once('close', () => cutOff()).end(large);
    else request.resume().on('end', () => response.end('done'));
  }),
);
afterAll(() => listener.stop(0));

const offer = 'Host: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n';

it.each([
  ['headers', 'GET / HTTP/1.1\r\nHost: x\r\nX-Half: '],
  ['a body behind an Upgrade that is not taken', `POST / HTTP/1.1\r\n${offer}Content-Length: 100\r\n\r\nhalf`],
  ['a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf'],
])('who does not finish %s is told 408', async (_, bytes) => {
  const client = await rawClient(listener.url);
  client.send(bytes);
  const { status, body } = await client.ended();
  expect({ status, code: ErrorBody.parse(JSON.parse(body)).code }).toEqual({ status: 408, code: 'request_timeout' });
});

it('who does not finish a request on a connection whose Upgrade was not taken is told 408', async () => {
  const client = await rawClient(listener.url);
  client.send(`GET / HTTP/1.1\r\n${offer}\r\n`);
  await client.received();
  client.send('GET / HT');
  expect(await client.all()).toMatch(/^HTTP\/1\.1 200 .*HTTP\/1\.1 408 /s);
});

it('who reads nothing of an answer is cut off', async () => {
  const { hostname, port } = new URL(listener.url);
  const cut = new Promise<void>((resolve) => {
    cutOff = resolve;
  });
  const socket = net.connect(Number(port), hostname).pause();
  socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
  await cut;
  socket.destroy();
});
