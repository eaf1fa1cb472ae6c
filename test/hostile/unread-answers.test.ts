/**
 * Requests sent one behind the other on a connection whose answers nobody reads. What waits for such a client must not
 * fill the memory of the daemon, nor keep others from being answered.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { scale } from '../support/scale.js';

const connections = scale(4, 40);
const requestsEach = scale(500, 10_000);
/** Time for which the daemon is watched after everything was sent. */
const watchMs = scale(1_000, 10_000);
const sampleMs = 50;
/** More than the daemon may take for all these clients together. */
const growthMaxMb = 150;

// Without the limit by address, which would refuse most of these requests for another reason.
const daemon = new DaemonProcess({ EARSHOT_RATE_LIMIT_ADDRESS: '0' }, rentedMachine);
let token = '';
beforeAll(async () => {
  await daemon.start();
  const client = new EarshotClient({ baseUrl: daemon.url });
  ({ accessToken: token } = await client.call(accountRoutes.loginCredentials, { body: administrator }));
  await fetch(`${daemon.url}/api/openapi.json`).then((answer) => answer.arrayBuffer()); // made once, when first asked for
});
afterAll(() => daemon.dispose());

/** Memory of the process that lies in RAM. */
function residentMb(): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${daemon.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

async function sendUnread(requests: string): Promise<net.Socket> {
  const { hostname, port } = new URL(daemon.url);
  const socket = net
    .connect(Number(port), hostname)
    .on('error', () => {})
    .pause();
  await once(socket, 'connect');
  socket.write(requests);
  return socket;
}

/** The most that the daemon grew while the clients were there. */
async function growthMb(requests: string): Promise<number> {
  const before = residentMb();
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, residentMb());
  }, sampleMs);
  const sockets = await Promise.all(Array.from({ length: connections }, () => sendUnread(requests)));
  await Promise.all([sleep(watchMs), fetch(`${daemon.url}/health/live`)]); // a daemon that is busy has yet to grow
  clearInterval(sampling);
  for (const socket of sockets) socket.destroy();
  return most - before;
}

const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;

it.each([
  ['/api/openapi.json', () => get('/api/openapi.json').repeat(requestsEach)],
  ['/metrics', () => get('/metrics').repeat(requestsEach)],
  ['/assets/viewer/swagger-ui-bundle.js', () => get('/assets/viewer/swagger-ui-bundle.js').repeat(requestsEach)],
  ['/api/projects', () => get('/api/projects', `Authorization: Bearer ${token}\r\n`).repeat(requestsEach)],
  [
    'an event stream and then /api/openapi.json',
    () =>
      get('/api/events/stream', `Authorization: Bearer ${token}\r\n`) + get('/api/openapi.json').repeat(requestsEach),
  ],
])(
  'unread answers of %s do not pile up',
  async (path, requests) => {
    let growth = 0;
    await watchingHealth(daemon, `unread answers of ${path}`, async () => {
      growth = await growthMb(requests());
    });
    console.info(`unread answers of ${path}: the daemon grew by ${growth.toFixed(0)} MB at most`);
    expect(growth).toBeLessThan(growthMaxMb);
  },
  120_000,
);
