/**
 * One tenant, and one player, that take as many streams and MQTT connections as they can, from very many addresses: another
 * tenant still gets its own, and who is refused learns why.
 */
import { once } from 'node:events';
import net from 'node:net';
import mqtt from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { type Addresses, DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { makeOtherProject } from '../support/other-tenant.js';
import { deadOffer, roomToken, signIn } from '../support/room-client.js';
import { scale } from '../support/scale.js';

/** More than any kind has places on such a machine. */
const attempts = scale(450, 3_000);
const ofOnePlayer = scale(40, 500);
const atOnce = 50;
/** More than an address may send MQTT packets at once where it may send two a second. */
const connectionsOf56 = 60;
const everywhere = (n: number): string => `127.1.${n % 16}.${1 + (n % 200)}`;
/** Stands where nobody else does. */
const elsewhere = '127.0.9.9';

const held = new Set<net.Socket>();
afterAll(() => release());
function release(): void {
  for (const socket of held) socket.destroy();
  held.clear();
}

/** Sends `bytes` and keeps the connection. Returns what was answered first, at least `length` bytes; less where it was closed. */
async function ask(url: string, bytes: Buffer | string, localAddress: string, length = 1): Promise<Buffer> {
  const { hostname: host, port } = new URL(url);
  const socket = net.connect({ host, port: Number(port), localAddress });
  held.add(socket);
  socket.on('error', () => {}).write(bytes);
  let answer = Buffer.alloc(0);
  const closed = once(socket, 'close').then(() => null);
  while (answer.length < length) {
    const chunk = await Promise.race([once(socket, 'data').then(([data]) => data as Buffer), closed]);
    if (chunk === null) break;
    answer = Buffer.concat([answer, chunk]);
  }
  if (answer.length < length) held.delete(socket);
  socket.resume();
  return answer;
}

/** Counts the calls by their outcome. */
async function hoard(count: number, one: (n: number) => Promise<string>): Promise<Record<string, number>> {
  const told: Record<string, number> = {};
  for (let begun = 0; begun < count; begun += atOnce) {
    const answers = await Promise.all(
      Array.from({ length: Math.min(atOnce, count - begun) }, (_, n) => one(begun + n).catch(() => 'closed')),
    );
    for (const answer of answers) told[answer] = (told[answer] ?? 0) + 1;
  }
  return told;
}

const field = (text: string): Buffer =>
  Buffer.concat([Buffer.from([text.length >> 8, text.length & 0xff]), Buffer.from(text)]);
const packet = (first: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const long = body.length < 128 ? [body.length] : [(body.length & 0x7f) | 0x80, body.length >> 7];
  return Buffer.concat([Buffer.from([first, ...long]), body]);
};
/** CONNECT of MQTT 3.1.1 (3.1) with user name and password, or with neither. */
const connect = (credential: { username: string; password: string } | null): Buffer => {
  const flags = Buffer.from([4, credential === null ? 0x02 : 0xc2, 0, 60]);
  const names = credential === null ? [] : [field(credential.username), field(credential.password)];
  return packet(0x10, field('MQTT'), flags, field(''), ...names);
};
const subscribe = (topic: string): Buffer => packet(0x82, Buffer.from([0, 1]), field(topic), Buffer.from([0]));
/** The return code of CONNACK (3.2.2.3). */
const connack = (answer: Buffer): string => (answer.length < 4 ? 'closed' : `CONNACK ${answer[3]}`);
const suback = (answer: Buffer): string =>
  answer.length < 9 ? connack(answer).replace('CONNACK 0', 'closed') : answer[8] === 0x80 ? 'refused' : 'subscribed';
const eventStream = (key: string, forwardedFor?: string): string =>
  `GET /api/events/stream HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n${
    forwardedFor === undefined ? '' : `X-Forwarded-For: ${forwardedFor}\r\n`
  }\r\n`;
const roomStream = (room: string, token: string): string =>
  `GET /rooms/${room}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
const statusOf = (answer: Buffer): string => /^HTTP\/1.1 (\d+)/.exec(answer.toString('latin1'))?.[1] ?? 'closed';

const mqttPort = await freePort();
const open = { EARSHOT_RATE_LIMIT_CREDENTIAL: '0', EARSHOT_RATE_LIMIT_ADDRESS: '0' };

describe('a tenant that hoards places', { timeout: 240_000 }, () => {
  const daemon = new DaemonProcess({ ...open, EARSHOT_MQTT_PORT: String(mqttPort) }, rentedMachine);
  let addresses: Addresses;
  let client: EarshotClient;
  let projectId: string;
  let key: string;
  let other: { key: string; projectId: string };
  let others: EarshotClient;
  beforeAll(async () => {
    addresses = await daemon.start();
    ({ client, projectId } = await signIn(addresses.http));
    key = (await client.call(apiKeyRoutes.create, { body: { name: 'hoarder', scopes: ['events:read'] } })).key;
    other = await makeOtherProject(daemon.databaseUrl, new Date());
    others = new EarshotClient({ baseUrl: addresses.http, credential: { kind: 'apiKey', key: other.key } });
  });
  afterAll(() => daemon.dispose());

  const figure = async (kind: string): Promise<number> => {
    const text = await (await fetch(`${addresses.http}/metrics`)).text();
    return Number(new RegExp(`connections_over_share\\{[^}]*kind="${kind}"[^}]*\\} (\\d+)`).exec(text)?.[1]);
  };

  it('by event streams leaves one to others, and is told to close some', async () => {
    await watchingHealth(daemon, `${attempts} event streams of one tenant`, async () => {
      const told = await hoard(attempts, async (n) =>
        statusOf(await ask(addresses.http, eventStream(key), everywhere(n))),
      );
      expect(Object.keys(told).sort()).toEqual(['200', '429']);
      expect(statusOf(await ask(addresses.http, eventStream(other.key), elsewhere))).toBe('200');
      const refused = await fetch(`${addresses.http}/api/events/stream`, { headers: { 'X-API-Key': key } });
      expect(Number(refused.headers.get('retry-after'))).toSatisfy((seconds) => seconds >= 5 && seconds <= 15);
      expect(await refused.json()).toMatchObject({
        code: 'rate_limited',
        message: expect.stringContaining('limit of open streams. Close some'),
      });
    });
    await eventually(async () => expect(await figure('streams')).toBeGreaterThan(0));
    expect(daemon.printed.some((line) => line.includes('"lacking":"tenant"'))).toBe(true);
    release();
  });

  it('by streams of rooms leaves one to others', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 15 }, (_, n) => roomToken(client, projectId, `room-${n}`, `listener-${n}`)),
    );
    const mine = (n: number): string => roomStream(`room-${n % 15}`, tokens[n % 15] ?? '');
    await others.call(settingsRoutes.put, {
      params: { projectId: other.projectId },
      body: { tokenProvider: 'embedded' },
    });
    const theirs = await roomToken(others, other.projectId, 'arena', 'ann');
    await watchingHealth(daemon, `streams of the rooms of one tenant, and ${attempts} more`, async () => {
      const begun = await hoard(120, async (n) => statusOf(await ask(addresses.http, mine(n), everywhere(n))));
      expect(begun['200']).toBeGreaterThan(0);
      const told = await hoard(attempts, async (n) =>
        statusOf(await ask(addresses.http, eventStream(key), everywhere(n))),
      );
      expect(told['429']).toBeGreaterThan(0);
      expect(statusOf(await ask(addresses.http, mine(0), '127.0.9.8'))).toBe('429'); // one share for both kinds
      expect(statusOf(await ask(addresses.http, roomStream('arena', theirs), elsewhere))).toBe('200');
    });
    release();
  });

  it('by MQTT with its key leaves a connection to others, and hears CONNACK 3', async () => {
    const by = (credential: { key: string; projectId: string }) =>
      connect({ username: credential.projectId, password: credential.key });
    await watchingHealth(daemon, `${attempts} MQTT connections of one tenant`, async () => {
      const told = await hoard(attempts, async (n) =>
        connack(await ask(addresses.mqtt, by({ key, projectId }), everywhere(n), 4)),
      );
      expect(Object.keys(told).sort()).toEqual(['CONNACK 0', 'CONNACK 3']);
      expect(connack(await ask(addresses.mqtt, by(other), elsewhere, 4))).toBe('CONNACK 0');
    });
    await eventually(async () => expect(await figure('mqtt')).toBeGreaterThan(0));
    release();
  });

  it('by MQTT without a credential leaves topics to others', async () => {
    const topicOf = async (by: EarshotClient, project: string) =>
      (await by.call(playerRoutes.topic, { params: { projectId: project, userId: 'ann' }, body: {} })).topic;
    const [mine, theirs] = await Promise.all([topicOf(client, projectId), topicOf(others, other.projectId)]);
    const follow = async (topic: string, from: string) =>
      suback(await ask(addresses.mqtt, Buffer.concat([connect(null), subscribe(topic)]), from, 9));
    const few = 140; // fewer than all places, so that those of the other tenant are free
    await watchingHealth(daemon, `${few} MQTT connections that listen to the topics of one tenant`, async () => {
      const told = await hoard(few, (n) => follow(mine, everywhere(n)));
      expect(told).toEqual({ subscribed: expect.any(Number), refused: expect.any(Number) });
      expect(await follow(theirs, elsewhere)).toBe('subscribed');
    });
    await eventually(async () => expect(await figure('anonymous_mqtt')).toBeGreaterThan(0));
    release();
  });

  it('cannot be used up by one of its players', async () => {
    const player = (userId: string) => client.call(playerRoutes.createToken, { params: { projectId, userId } });
    const byToken = (token: string) => connect({ username: 'player', password: token });
    const [eve, bob] = [(await player('eve')).token, (await player('bob')).token];
    const rooms = await Promise.all(['a', 'b', 'c', 'd'].map((room) => roomToken(client, projectId, room, 'eve')));
    await watchingHealth(daemon, `${ofOnePlayer} MQTT connections and streams of one player`, async () => {
      const told = await hoard(ofOnePlayer, async (n) =>
        connack(await ask(addresses.mqtt, byToken(eve), everywhere(n), 4)),
      );
      expect(told).toEqual({ 'CONNACK 0': 20, 'CONNACK 3': ofOnePlayer - 20 });
      expect(connack(await ask(addresses.mqtt, byToken(bob), elsewhere, 4))).toBe('CONNACK 0');
      const streams = await hoard(ofOnePlayer, async (n) => {
        const room = n % rooms.length;
        return statusOf(await ask(addresses.http, roomStream('abcd'[room] ?? '', rooms[room] ?? ''), everywhere(n)));
      });
      expect(streams).toEqual({ 200: 20, 429: ofOnePlayer - 20 });
    });
    release();
  });
});

describe('a tenant whose people listen in ever more rooms', { timeout: 120_000 }, () => {
  const peersMax = 6;
  const daemon = new DaemonProcess({ ...open, EARSHOT_PEERS_TENANT: String(peersMax) }, rentedMachine);
  beforeAll(() => daemon.start());
  afterAll(() => daemon.dispose());

  it('has a share of the peers, which each that leaves gives back; another tenant has its own', async () => {
    const { client, projectId } = await signIn(daemon.url);
    const other = await makeOtherProject(daemon.databaseUrl, new Date());
    const others = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key: other.key } });
    /** One person for each room; resolves to the status, and what to close. */
    const listen = async (room: string, token: string) => {
      const url = `${daemon.url}/rooms/${room}/whep`;
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/sdp' };
      const response = await fetch(url, { method: 'POST', headers, body: deadOffer('whep') });
      const close = () => fetch(new URL(response.headers.get('location') ?? '', url), { method: 'DELETE', headers });
      return { status: response.status, retryAfter: response.headers.get('retry-after'), close };
    };
    const tokenOf = (room: string, user = `of-${room}`) => roomToken(client, projectId, room, user);
    await watchingHealth(daemon, 'listeners beyond the share of a tenant', async () => {
      const answers = [];
      for (let n = 0; n < peersMax + 2; n += 1) answers.push(await listen(`room${n}`, await tokenOf(`room${n}`)));
      expect(answers.map(({ status }) => status)).toEqual([...Array(peersMax).fill(201), 429, 429]);
      expect(answers.at(-1)?.retryAfter).toBe('10');
      await others.call(settingsRoutes.put, {
        params: { projectId: other.projectId },
        body: { tokenProvider: 'embedded' },
      });
      const own = await roomToken(others, other.projectId, 'theirs', 'ann');
      expect((await listen('theirs', own)).status).toBe(201);
      expect((await answers[0]?.close())?.status).toBe(200);
      expect((await listen('again', await tokenOf('again'))).status).toBe(201);
    });
    const figures = await (await fetch(`${daemon.url}/metrics`)).text();
    expect(figures).toMatch(/earshot_room_peers_over_share\S* 2/);
    // A peer that never connects is given up, and so is its place.
    await eventually(async () => expect((await listen('later', await tokenOf('later'))).status).toBe(201), 20_000);
  });
});

describe('somebody with a /48 of IPv6', { timeout: 120_000 }, () => {
  const daemon = new DaemonProcess(
    { ...open, EARSHOT_TRUSTED_PROXIES: '127.0.0.0/8', EARSHOT_RATE_LIMIT_MQTT_ADDRESS: '2' },
    rentedMachine,
  );
  beforeAll(() => daemon.start());
  afterAll(() => daemon.dispose());

  it('has the share of one address in each /56 of it', async () => {
    const { client } = await signIn(daemon.url);
    const { key } = await client.call(apiKeyRoutes.create, { body: { name: 'wide', scopes: ['events:read'] } });
    const from56 = (n: number): string => `2001:db8:7:${(0x1200 + (n % 256)).toString(16)}::${(n + 1).toString(16)}`;
    await watchingHealth(daemon, `${attempts} event streams from the 256 networks of one /56`, async () => {
      const told = await hoard(attempts, async (n) =>
        statusOf(await ask(daemon.url, eventStream(key, from56(n)), '127.0.0.1')),
      );
      const third = told['200'] ?? 0;
      expect(third).toBeGreaterThan(0);
      expect(third).toBeLessThan(attempts / 3);
      expect(statusOf(await ask(daemon.url, eventStream(key, '2001:db8:7:1300::1'), '127.0.0.1'))).toBe('200');
    });
    release();
  });

  it('has the MQTT packets of one address in each /56 of it', async () => {
    const told = async (address: string): Promise<string> => {
      const wsOptions = { headers: { 'X-Forwarded-For': address } };
      const url = `${daemon.url.replace('http', 'ws')}/mqtt`;
      const client = mqtt.connect(url, { wsOptions, reconnectPeriod: 0 }).on('error', () => {});
      const answer = await new Promise<string>((resolve) => {
        client.once('connect', () => resolve('connected')).once('close', () => resolve('refused'));
      });
      client.end(true);
      return answer;
    };
    const tellings: string[] = [];
    for (let n = 0; n < connectionsOf56; n += 1)
      tellings.push(await told(`2001:db8:8:${(0x1200 + n).toString(16)}::1`));
    expect(tellings).toContain('connected');
    expect(tellings.at(-1)).toBe('refused');
    expect(await told('2001:db8:8:1300::1')).toBe('connected');
  });
});
