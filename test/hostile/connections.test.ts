/**
 * One client that opens connections and keeps them, of every kind, against a daemon that may open few files. Others come
 * from another address of the loopback network and must notice nothing.
 */
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import mqtt from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { type Addresses, administrator, DaemonProcess } from '../support/daemon-process.js';
import { freePort } from '../support/free-port.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { scale } from '../support/scale.js';
import { openStream } from '../support/stream.js';

const { openFilesMax } = rentedMachine;
/** More than the process may have open, and more than any kind has places. */
const all = scale(1_700, 6_000);
const some = scale(400, 6_000);
const atOnce = 100;
const attacker = '127.0.0.66';

const daemon = new DaemonProcess({ EARSHOT_MQTT_PORT: String(await freePort()) }, rentedMachine);
let addresses: Addresses;
let client: EarshotClient;
let apiKey: string;
let projectId: string;
beforeAll(async () => {
  addresses = await daemon.start();
  const anonymous = new EarshotClient({ baseUrl: addresses.http });
  const { accessToken } = await anonymous.call(accountRoutes.loginCredentials, { body: administrator });
  client = new EarshotClient({ baseUrl: addresses.http, credential: { kind: 'bearer', token: accessToken } });
  apiKey = (await client.call(apiKeyRoutes.create, { body: { name: 'operator', scopes: ['events:read'] } })).key;
  projectId = (await client.call(projectRoutes.list, {}))[0]?.id ?? '';
});
afterAll(() => daemon.dispose());

const held = new Set<net.Socket>();
/** Opens connections that send `bytes` and are then kept, `atOnce` at a time; until each is open, or has its answer. */
async function hoard(
  attempts: number,
  url: string,
  bytes: Buffer | string,
  from: (n: number) => string,
  until: 'connect' | 'data' = 'connect',
): Promise<void> {
  const { hostname: host, port } = new URL(url);
  for (let begun = 0; begun < attempts; begun += atOnce) {
    await Promise.all(
      Array.from({ length: atOnce }, async (_, n) => {
        const socket = net.connect({ host, port: Number(port), localAddress: from(begun + n) });
        held.add(socket);
        socket.on('error', () => {}).on('close', () => held.delete(socket));
        socket.on('connect', () => socket.write(bytes)).resume();
        await Promise.race([once(socket, until), once(socket, 'close')].map((one) => one.catch(() => {})));
      }),
    );
  }
}
const release = async () => {
  for (const socket of held) socket.destroy();
  await sleep(100);
};

/** Checks that everybody else is served meanwhile. */
async function othersAreServed(): Promise<void> {
  expect(await client.call(projectRoutes.list, {})).toHaveLength(1);
  const stream = await openStream(`${addresses.http}/api/projects/${projectId}/events/stream`, { 'X-API-Key': apiKey });
  expect(stream.status).toBe(200);
  stream.close();
  const operator = await mqtt.connectAsync(addresses.mqtt, {
    ...{ username: projectId, password: apiKey, reconnectPeriod: 0, connectTimeout: 10_000 },
  });
  await operator.endAsync(true);
}

const mqttConnect = Buffer.from('\x10\x0c\x00\x04MQTT\x04\x02\x00\x00\x00\x00', 'latin1');
const webSocket =
  'GET /mqtt HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n';
const openStreamRequest = () => `GET /api/events/stream HTTP/1.1\r\nHost: x\r\nX-API-Key: ${apiKey}\r\n\r\n`;

describe(`a daemon that may open ${openFilesMax} files`, { timeout: 120_000 }, () => {
  it.each<[string, number, () => string, () => Buffer | string, ('connect' | 'data')?]>([
    ['anonymous MQTT clients', all, () => addresses.mqtt, () => mqttConnect],
    ['MQTT connections that never say who they are', some, () => addresses.mqtt, () => ''],
    ['HTTP connections that ask nothing', some, () => addresses.http, () => ''],
    ['HTTP connections that never end their headers', some, () => addresses.http, () => 'GET / HTTP/1.1\r\nX-H'],
    [
      'HTTP connections that never end their body',
      some,
      () => addresses.http,
      () => 'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{',
    ],
    ['WebSockets that never say who they are', some, () => addresses.http, () => webSocket],
    ['event streams', some, () => addresses.http, openStreamRequest, 'data'],
  ])('serves others while somebody hoards %s', async (title, attempts, url, bytes, until) => {
    await watchingHealth(daemon, `hoarding ${title}`, async () => {
      await hoard(attempts, url(), bytes(), () => attacker, until);
      await othersAreServed();
    });
    await release();
  });

  it('serves those with a credential while anonymous MQTT clients come from everywhere', async () => {
    const everywhere = (n: number) => `127.1.${n % 16}.${1 + (n % 200)}`;
    await watchingHealth(daemon, 'hoarding anonymous MQTT clients from 200 addresses and more', async () => {
      await hoard(some, addresses.mqtt, mqttConnect, everywhere);
      await othersAreServed();
    });
    await release();
  });

  it('says what it refused', async () => {
    const figures = await (await fetch(`${addresses.http}/metrics`)).text();
    const refused = (kind: string) =>
      Number(new RegExp(`connections_refused\\{kind="${kind}"[^}]*\\} (\\d+)`).exec(figures)?.[1]);
    for (const kind of ['http', 'streams', 'mqtt', 'anonymous_mqtt'])
      expect([kind, refused(kind)]).not.toEqual([kind, 0]);
    expect(daemon.printed.some((line) => line.includes('no slot is free'))).toBe(true);
  });
});
