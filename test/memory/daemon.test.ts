/** A daemon that has served many: its heap is as large as after the first of them. */

import mqtt from 'mqtt';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { type Addresses, administrator, DaemonProcess } from '../support/daemon-process.js';
import { freePort } from '../support/free-port.js';
import { Heap, inspected, mebibyte } from '../support/heap.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { scale } from '../support/scale.js';
import { openStream } from '../support/stream.js';

/** Subscriptions that hear each event, or clients that are connected together. */
const atOnce = 10;
/** Number of groups that get an event. */
const groups = { deliveries: scale(100, 1_000), streams: scale(100, 500), mqtt: scale(60, 500) };
/** A tenth of a small run is not enough for what is compiled and cached once. */
const warmUpShare = scale(0.5, 0.1);
/** Events before the heap is first read: they have the daemon compile and cache what each of them needs. */
const eventsBefore = scale(0, 600);
/**
 * Turns of each kind before its first tenth. What V8 notes about code that it optimises, and gives up again, lies in old
 * space too: up to 1 MB, which comes within the first thousand clients and does not grow over twenty thousand more.
 */
const turnsBefore = scale(0, 100);
/** A listener left behind by each delivery would take 1.8 KB. */
const grownMax = scale(0.75, 1) * mebibyte;

let daemon: DaemonProcess;
let addresses: Addresses;
let heap: Heap;
let client: EarshotClient;
let apiKey: string;
let projectId: string;
let participantId: string;
let receivers: Receiver[] = [];

beforeAll(async () => {
  daemon = new DaemonProcess({
    ...{ NODE_OPTIONS: inspected, EARSHOT_ROLES: 'http,delivery,jobs,broker' },
    ...{ EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8', EARSHOT_MQTT_PORT: String(await freePort()) },
    ...{ EARSHOT_RATE_LIMIT_CREDENTIAL: '0', EARSHOT_RATE_LIMIT_ADDRESS: '0', EARSHOT_RATE_LIMIT_MQTT_ADDRESS: '0' },
  });
  addresses = await daemon.start();
  heap = await Heap.of(daemon.printed);
  const anonymous = new EarshotClient({ baseUrl: addresses.http });
  const { accessToken } = await anonymous.call(accountRoutes.loginCredentials, { body: administrator });
  client = new EarshotClient({ baseUrl: addresses.http, credential: { kind: 'bearer', token: accessToken } });
  apiKey = (await client.call(apiKeyRoutes.create, { body: { name: 'memory', scopes: ['events:read'] } })).key;
  projectId = (await client.call(projectRoutes.list, {}))[0]?.id ?? '';
  const body = { externalUserId: 'ann' };
  participantId = (await client.call(participantRoutes.create, { params: { projectId }, body })).id;
  for (let event = 0; event < eventsBefore; event += 1) await happen(event);
});
afterEach(async () => {
  await Promise.all(receivers.map((one) => one.stop()));
  receivers = [];
});
afterAll(async () => {
  heap.close();
  await daemon.dispose();
});

const happen = (turn: number) =>
  client.call(participantRoutes.update, {
    params: { projectId, id: participantId },
    body: { displayName: `Ann ${turn}` },
  });

/** Bytes of old space that the turns after the first ones have left. */
async function grownOver(turns: number, serve: (turn: number) => Promise<void>): Promise<number> {
  for (let turn = 1; turn <= turnsBefore; turn += 1) await serve(-turn);
  let first = 0;
  for (let turn = 1; turn <= turns; turn += 1) {
    await serve(turn);
    if (turn === turns * warmUpShare) first = await heap.oldSpace();
  }
  return (await heap.oldSpace()) - first;
}

describe('the heap of the daemon', { timeout: 900_000 }, () => {
  it(`is as it was, after ${groups.deliveries * atOnce} deliveries`, async () => {
    receivers = await Promise.all(Array.from({ length: atOnce }, () => startReceiver()));
    const params = { projectId };
    const secret = 'a long enough secret';
    const made: string[] = [];
    for (const { url } of receivers) {
      const body = { url, secret, events: ['participant.updated'] };
      made.push((await client.call(webhookRoutes.create, { params, body })).id);
    }
    const grown = await grownOver(groups.deliveries, async (turn) => {
      await happen(turn);
      await Promise.all(receivers.map((one) => one.waitFor(1)));
      for (const { received } of receivers) received.length = 0;
    });
    for (const id of made) await client.call(webhookRoutes.remove, { params: { projectId, id } });
    expect(grown).toBeLessThan(grownMax);
  });

  it(`is as it was, after ${groups.streams * atOnce} streams`, async () => {
    const url = `${addresses.http}/api/projects/${projectId}/events/stream`;
    const grown = await grownOver(groups.streams, async (turn) => {
      const streams = await Promise.all(Array.from({ length: atOnce }, () => openStream(url, { 'X-API-Key': apiKey })));
      await happen(turn);
      for (const stream of streams) expect((await stream.next(30_000)).event).toBeNull();
      for (const stream of streams) stream.close();
      await Promise.all(streams.map(({ ended }) => ended));
    });
    expect(grown).toBeLessThan(grownMax);
  });

  it(`is as it was, after ${groups.mqtt * atOnce} MQTT clients`, async () => {
    const topic = `projects/${projectId}/events/participant.updated`;
    const hear = async (): Promise<() => Promise<void>> => {
      const options = { username: projectId, password: apiKey, reconnectPeriod: 0 };
      const one = await mqtt.connectAsync(addresses.mqtt, options);
      const heard = new Promise((resolve) => one.once('message', resolve));
      await one.subscribeAsync(topic, { qos: 1 });
      return async () => {
        await heard;
        await one.endAsync();
      };
    };
    const grown = await grownOver(groups.mqtt, async (turn) => {
      const clients = await Promise.all(Array.from({ length: atOnce }, hear));
      await happen(turn);
      await Promise.all(clients.map((heardAndLeft) => heardAndLeft()));
    });
    expect(grown).toBeLessThan(grownMax);
  });
});
