/**
 * Clients that send the MQTT broker more packets than they may, by TCP and WebSocket, and come back as soon as they are cut
 * off. Others, at another address, hear of their events and are answered meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { type Addresses, administrator, DaemonProcess } from '../support/daemon-process.js';
import { freePort } from '../support/free-port.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { floodPackets } from '../support/packet-flood.js';
import { scale } from '../support/scale.js';

const connections = scale(10, 50);
const floodMs = scale(500, 10_000);
const attacker = '127.0.0.67';
const attackers = Array.from({ length: 20 }, (_, n) => `127.0.2.${n + 1}`);
const writePauseMs = 25;

const daemon = new DaemonProcess({ EARSHOT_MQTT_PORT: String(await freePort()) }, rentedMachine);
let addresses: Addresses;
let client: EarshotClient;
let operator: MqttClient;
let projectId: string;
/** When each write was heard of by MQTT, by the id of the participant. */
const heard = new Map<string, number>();
beforeAll(async () => {
  addresses = await daemon.start();
  const anonymous = new EarshotClient({ baseUrl: addresses.http });
  const { accessToken } = await anonymous.call(accountRoutes.loginCredentials, { body: administrator });
  client = new EarshotClient({ baseUrl: addresses.http, credential: { kind: 'bearer', token: accessToken } });
  const { key } = await client.call(apiKeyRoutes.create, { body: { name: 'operator', scopes: ['events:read'] } });
  projectId = (await client.call(projectRoutes.list, {}))[0]?.id ?? '';
  operator = await mqtt.connectAsync(addresses.mqtt, { username: projectId, password: key });
  operator.on('message', (_topic, payload) => {
    heard.set(JSON.parse(payload.toString()).payload.data.id, performance.now());
  });
  await operator.subscribeAsync(`projects/${projectId}/events/participant.created`, { qos: 1 });
});
afterAll(async () => {
  operator.end(true);
  await daemon.dispose();
});

/** Writes one participant after the other, and returns how long it took until the operator heard of each. */
async function hearUntil(signal: AbortSignal): Promise<number[]> {
  const began = new Map<string, number>();
  while (!signal.aborted) {
    const at = performance.now();
    const body = { externalUserId: `heard-${at}` };
    began.set((await client.call(participantRoutes.create, { params: { projectId }, body })).id, at);
    await sleep(writePauseMs);
  }
  await expect.poll(() => [...began.keys()].filter((id) => !heard.has(id)), { timeout: 10_000 }).toEqual([]);
  return [...began].map(([id, at]) => (heard.get(id) ?? 0) - at);
}

const p95 = (values: number[]): string =>
  (values.sort((one, another) => one - another)[Math.floor(values.length * 0.95)] ?? 0).toFixed(0);

const connect = Buffer.from('\x10\x0c\x00\x04MQTT\x04\x02\x00\x00\x00\x00', 'latin1');
const upgrade = Buffer.from(
  'GET /mqtt HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n',
);
const times = (count: number, bytes: readonly number[]) => Buffer.concat(Array(count).fill(Buffer.from(bytes)));
/** SUBSCRIBE or UNSUBSCRIBE of MQTT 3.1.1 (3.8, 3.10) with as many names as a packet may have. */
const packetOfNames = (type: 0x82 | 0xa2, name: string, count: number) => {
  const each = Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.alloc(type === 0x82 ? 1 : 0)]);
  const body = Buffer.concat([Buffer.from([0, 1]), ...Array(count).fill(each)]);
  return Buffer.concat([Buffer.from([type, (body.length & 0x7f) | 0x80, body.length >> 7]), body]);
};
const endlessMessage = Buffer.concat([Buffer.from([0x02, 0x80, 0, 0, 0, 0]), times(8_191, [0, 0x80, 0, 0, 0, 0])]);
const unknownTopic = 'f'.repeat(32);

describe(`${connections} connections that flood the broker`, { timeout: 120_000 }, () => {
  it.each([
    ['PUBREL', connect, times(4_096, [0x62, 2, 0, 1]), 'tcp'],
    ['PUBACK of nothing', connect, times(4_096, [0x40, 2, 0, 1]), 'tcp'],
    ['PINGREQ', connect, times(8_192, [0xc0, 0]), 'tcp'],
    ['PINGREQ from many addresses', connect, times(8_192, [0xc0, 0]), 'tcp', attackers],
    ['SUBSCRIBE to an unknown topic', connect, times(400, [...packetOfNames(0x82, unknownTopic, 1)]), 'tcp'],
    ['SUBSCRIBE to many topics', connect, packetOfNames(0x82, unknownTopic, 450), 'tcp'],
    ['SUBSCRIBE to many topics from many addresses', connect, packetOfNames(0x82, unknownTopic, 450), 'tcp', attackers],
    ['SUBSCRIBE to very many names', connect, packetOfNames(0x82, 'f', 4_000), 'tcp'],
    ['UNSUBSCRIBE from very many names', connect, packetOfNames(0xa2, 'f', 5_000), 'tcp'],
    ['CONNECT alone', connect, connect, 'tcp'],
    ['pings of WebSocket', upgrade, times(8_192, [0x89, 0x80, 0, 0, 0, 0]), 'ws'],
    ['empty messages of WebSocket', upgrade, times(8_192, [0x82, 0x80, 0, 0, 0, 0]), 'ws'],
    ['a message of WebSocket without end', upgrade, endlessMessage, 'ws'],
  ] as const)('with %s are closed, and others are served', async (title, opening, repeated, by, from = [attacker]) => {
    const url = by === 'tcp' ? addresses.mqtt : addresses.http;
    const attacking = new AbortController();
    const hearing = hearUntil(attacking.signal);
    let closed = 0;
    await watchingHealth(daemon, `flood of MQTT: ${title}`, async () => {
      // On a busy machine the attackers may need longer to spend a budget.
      for (let round = 0; round < 10 && closed === 0; round += 1)
        closed = await floodPackets({ url, from, opening, repeated, connections, ms: floodMs });
    });
    attacking.abort();
    const waitedMs = p95(await hearing);
    console.info(`${title}: ${closed} connections were closed; an operator heard of events after ${waitedMs} ms (p95)`);
    expect(closed).toBeGreaterThan(0);
    expect(operator.connected).toBe(true);
  });

  it('are counted', async () => {
    const figures = await (await fetch(`${addresses.http}/metrics`)).text();
    expect(Number(/earshot_mqtt_over_budget\{?[^\n]* (\d+)/.exec(figures)?.[1])).toBeGreaterThan(0);
  });
});
