/** Health checks get in when all other connections are taken. */
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClientAddresses } from '../../../daemon/platform/http/client-addresses.js';
import { ConnectionPlaces } from '../../../daemon/platform/http/connection-places.js';
import { HttpConnections } from '../../../daemon/platform/http/connections.js';
import { HttpListener } from '../../../daemon/platform/http/server.js';
import { createLogger } from '../../../daemon/platform/observability/logger.js';

const ordinaryMax = 2;
const reservedMax = 2;
let listener: HttpListener;
let waiting: http.ServerResponse[];
const open: net.Socket[] = [];
beforeEach(async () => {
  const log = createLogger('silent');
  const places = (kind: 'http' | 'health', max: number) => new ConnectionPlaces(kind, { max, perNetworkMax: 0 }, log);
  const connections = new HttpConnections(
    places('http', ordinaryMax),
    places('health', reservedMax),
    new ClientAddresses([], () => {}),
  );
  listener = new HttpListener('127.0.0.1', 0, null, 'EARSHOT_PORT', log, undefined, connections);
  waiting = [];
  await listener.start((request, response) => {
    if (request.url === '/health/live') response.end('alive');
    else waiting.push(response); // it waits for somebody who does not answer
  });
  listener.open();
});
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await listener.stop(0);
});

const connect = async (): Promise<net.Socket> => {
  const socket = net.connect(listener.port, '127.0.0.1').on('error', () => {});
  open.push(socket);
  await once(socket, 'connect');
  return socket;
};
const get = (path: string): Promise<{ status: number; retryAfter: string | undefined; text: string }> =>
  new Promise((resolve, reject) => {
    http
      .get(`${listener.url}${path}`, { agent: false }, (response) => {
        let text = '';
        response.on('data', (part) => {
          text += String(part);
        });
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text }),
        );
      })
      .once('error', reject);
  });

it('answers them, and tells everybody else what to do', async () => {
  for (let taken = 0; taken < ordinaryMax; taken += 1) (await connect()).write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => waiting.length).toBe(ordinaryMax);
  expect(await get('/health/live')).toMatchObject({ status: 200, text: 'alive' });
  const refused = await get('/api');
  expect(refused).toMatchObject({ status: 503, retryAfter: '1' });
  expect(JSON.parse(refused.text)).toMatchObject({ code: 'overloaded' });
  expect(waiting).toHaveLength(ordinaryMax);
});

it('answers them while others sit in the places that are kept for them', async () => {
  for (let taken = 0; taken < ordinaryMax; taken += 1) (await connect()).write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => waiting.length).toBe(ordinaryMax);
  const idle = await Promise.all(Array.from({ length: 3 * reservedMax }, connect));
  for (let round = 0; round < 5; round += 1) expect(await get('/health/live')).toMatchObject({ status: 200 });
  expect(idle.some((socket) => socket.destroyed || socket.readableEnded)).toBe(true);
});
