import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import mqtt, { type IClientOptions, type IConnackPacket, type MqttClient } from 'mqtt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AudienceSubject } from '../../daemon/modules/mqtt/audience.js';
import { MqttAuthenticator } from '../../daemon/modules/mqtt/authenticator.js';
import { Broker } from '../../daemon/modules/mqtt/broker.js';
import { LatestOnly } from '../../daemon/modules/mqtt/latest-only.js';
import { mqttLimits as limits } from '../../daemon/modules/mqtt/limits.js';
import { TcpListener, WebSocketListener } from '../../daemon/modules/mqtt/listeners.js';
import { TopicPublisher } from '../../daemon/modules/mqtt/publisher.js';
import { ClientAddresses } from '../../daemon/platform/http/client-addresses.js';
import { ConnectionPlaces } from '../../daemon/platform/http/connection-places.js';
import { HttpListener } from '../../daemon/platform/http/server.js';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import type { DomainEvent } from '../../src/contract/events.js';
import { hasOpenssl, writeCertificate } from '../support/certificates.js';
import { eventually } from '../support/eventually.js';

const topics = new Map<string, AudienceSubject>();
const keys = new Set<string>();
/** What happens once after a lookup has read what is stored, by the lookup. */
const beforeAnswer: Record<string, () => void> = {};
const newTopic = (userId: string, subject: string): string => {
  const name = randomBytes(16).toString('hex');
  topics.set(name, { projectId: 'p', userId, subject });
  return name;
};

/** A challenge of u1 as it is announced; the data is all that the broker looks at. */
const challenge = (userId: string, counter: number) => ({
  challenge_id: 'c1',
  challenge_duration_time: null,
  live_date: null,
  challenge_goal: 3,
  user_challenge_current_score: counter,
  challenge_icon: null,
  challenge_icon_hd: null,
  challenge_price: null,
  challenge_reward: null,
  challenge_reward_type: null,
  challenge_goal_condition: 0 as const,
  challenge_xp: null,
  repeatable: false,
  type: 'in-progress' as const,
  challenge_auto_activated: false,
  is_claimed: false,
  user_challenge_unlocked_at: null,
  user_challenge_activated_at: null,
  user_challenge_is_claimed: false,
  user_challenge_status: 2,
  user_id: userId,
});
const changed = (userId: string, counter: number, projectId = 'p'): DomainEvent => ({
  id: randomBytes(8).toString('hex'),
  type: 'challenge.changed',
  source: 'earshot:gameplay',
  tenantId: 't',
  projectId,
  resourceId: 'challenge:c1',
  timestamp: '2026-01-01T00:00:00.000Z',
  payload: {
    action: 'updated',
    data: {
      webhook_type: 'challenge-changed',
      category_position: 0,
      old_challenge: challenge(userId, counter - 1),
      new_challenge: challenge(userId, counter),
    },
  },
});

const operatorsMax = 3;
const connectionsMax = 12;
const anonymousMax = 8;
const places = (max: number) => new ConnectionPlaces('mqtt', { max, perNetworkMax: 0 }, createLogger('silent'));
const addresses = new ClientAddresses([]);
/** Less than the broker waits for a client that does not read. */
const hearsWithinMs = limits.drainTimeoutMs / 2;

let broker: Broker;
let publisher: TopicPublisher;
let tcp: TcpListener;
let webSockets: WebSocketListener;
let http: HttpListener;
let clients: MqttClient[];

function makeBroker(keepaliveSecondsMax: number = limits.keepaliveSecondsMax): Broker {
  const operators = {
    tenantFollowing: async (projectId: string, key: string) => (keys.has(`${projectId} ${key}`) ? 't' : null),
  };
  const players = {
    verify: (token: string) =>
      token.endsWith('good')
        ? Promise.resolve({ tenantId: 't', projectId: 'p', userId: 'u' })
        : Promise.reject(new Error('bad')),
  };
  return new Broker(
    {
      find: async (name) => {
        const found = topics.get(name) ?? null;
        beforeAnswer.name?.();
        return found;
      },
      tenantOf: async () => {
        beforeAnswer.tenant?.();
        return 't';
      },
      inReach: async (ids) => new Set(ids),
    },
    new MqttAuthenticator(operators, players),
    createLogger('silent'),
    { all: places(connectionsMax), anonymous: places(anonymousMax) },
    { ...limits, operatorsPerProjectMax: operatorsMax, keepaliveSecondsMax },
  );
}

const listenerOf = (of: Broker): TcpListener =>
  new TcpListener({
    broker: of,
    addresses,
    host: '127.0.0.1',
    wantedPort: 0,
    tls: null,
    setting: 'EARSHOT_MQTT_PORT',
    log: createLogger('silent'),
  });
beforeEach(async () => {
  topics.clear();
  keys.clear();
  clients = [];
  broker = makeBroker();
  publisher = new TopicPublisher(broker);
  await broker.start();
  tcp = listenerOf(broker);
  await tcp.start();
  http = new HttpListener('127.0.0.1', 0, null, 'EARSHOT_PORT', createLogger('silent'));
  await http.start((_request, response) => response.end());
  webSockets = new WebSocketListener(broker, addresses, http.upgrades);
  webSockets.start();
});
afterEach(async () => {
  for (const client of clients) client.end(true);
  tcp.stop();
  webSockets.stop();
  await broker.stop();
  await http.stop(0);
});

/** Messages arrive in `messages` as `topic payload`. */
const connect = async (options: IClientOptions = {}, url = tcp.url) => {
  const client = mqtt.connect(url, { reconnectPeriod: 0, connectTimeout: 2000, ...options });
  clients.push(client);
  const messages: { topic: string; payload: unknown; qos: number; retain: boolean }[] = [];
  client.on('message', (topic, payload, { qos, retain }) => {
    messages.push({ topic, payload: JSON.parse(payload.toString()), qos, retain });
  });
  await new Promise((resolve, reject) => client.once('connect', resolve).once('error', reject).once('close', reject));
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
  return { client, messages, closed };
};
/** CONNECT of MQTT 3.1.1 with an empty client id and no credential. */
const rawConnect = (clean: boolean, keepalive = 0): Buffer =>
  Buffer.from([0x10, 0x0c, 0x00, 0x04, 0x4d, 0x51, 0x54, 0x54, 0x04, clean ? 0x02 : 0x00, 0, keepalive, 0x00, 0x00]);
/** Returns the QoS granted to a subscription to `filter`; 128 is a refusal. */
const granted = async (client: MqttClient, filter: string, qos: 0 | 1 | 2 = 1) =>
  client.subscribeAsync(filter, { qos }).then(
    ([grant]) => grant?.qos,
    () => 128,
  );

describe.each([
  ['TCP', () => tcp.url],
  ['WebSocket', () => `${http.url.replace('http', 'ws')}/mqtt`],
])('a client without credentials over %s', (_, url) => {
  it('hears its topics, each at the quality of service it asked for, not retained', async () => {
    const { client, messages } = await connect({}, url());
    const all = newTopic('u1', 'challenges');
    const one = newTopic('u1', 'challenge:c1');
    await client.subscribeAsync(all, { qos: 0 });
    await client.subscribeAsync(one, { qos: 1 });
    const event = changed('u1', 1);
    publisher.publish(event);
    await eventually(() => expect(messages).toHaveLength(2));
    const payload = event.payload.data;
    expect(messages).toContainEqual({ topic: all, payload, qos: 0, retain: false });
    expect(messages).toContainEqual({ topic: one, payload, qos: 1, retain: false });
  });
});

describe('a client that counts on a lasting session', () => {
  it('is told on each topic that it may have missed something; others are not', async () => {
    const topic = newTopic('u1', 'challenges');
    const returning = await connect({ clean: false, clientId: 'phone' });
    await returning.client.subscribeAsync(topic, { qos: 1 });
    const fresh = await connect();
    await fresh.client.subscribeAsync(topic, { qos: 1 });
    await eventually(() => expect(returning.messages).toHaveLength(1));
    expect(returning.messages[0]).toMatchObject({ topic, payload: { type: 'stream.gap' } });
    publisher.publish(changed('u1', 1));
    await eventually(() => expect(returning.messages).toHaveLength(2));
    await eventually(() => expect(fresh.messages).toHaveLength(1));
    expect(await granted(returning.client, 'f'.repeat(32))).toBe(128);
    expect(returning.messages).toHaveLength(2);
  });

  it('is told so as an operator too', async () => {
    keys.add('p good');
    const { client, messages } = await connect({ clean: false, clientId: 'desk', username: 'p', password: 'good' });
    await client.subscribeAsync(['projects/p/events/#', 'projects/p/events/sanction.created']);
    await eventually(() =>
      expect(messages.map(({ topic }) => topic).toSorted()).toEqual([
        'projects/p/events',
        'projects/p/events/sanction.created',
      ]),
    );
  });
});

describe('topic rights', () => {
  it('let nobody hear of another player, project or challenge', async () => {
    const { client, messages } = await connect();
    await client.subscribeAsync(newTopic('u1', 'challenges'));
    await client.subscribeAsync(newTopic('u1', 'challenge:c2'));
    publisher.publish(changed('u2', 1));
    publisher.publish(changed('u1', 1, 'other-project'));
    publisher.publish(changed('u1', 7));
    await eventually(() => expect(messages).toHaveLength(1));
    expect(messages[0]?.payload).toMatchObject({ new_challenge: { user_challenge_current_score: 7 } });
  });

  it('follow a player to another id', async () => {
    const { client, messages } = await connect();
    const topic = newTopic('u1', 'challenges');
    await client.subscribeAsync(topic);
    const data = { id: 'p1', externalUserId: 'u9', movedFrom: 'u1', joinedId: null };
    publisher.publish({ ...changed('u1', 1), type: 'participant.moved', payload: { action: 'updated', data } });
    publisher.publish(changed('u1', 2));
    publisher.publish(changed('u9', 3));
    await eventually(() => expect(messages).toHaveLength(1));
    expect(messages[0]).toMatchObject({ topic, payload: { new_challenge: { user_challenge_current_score: 3 } } });
    await client.unsubscribeAsync(topic);
    expect(broker.idle).toBe(true);
  });

  it.each(['name', 'tenant'])('follow a player who is moved while the %s of a topic is looked up', async (slow) => {
    const topic = newTopic('u1', 'challenges');
    const data = { id: 'p1', externalUserId: 'u9', movedFrom: 'u1', joinedId: null };
    beforeAnswer[slow] = () => {
      delete beforeAnswer[slow];
      topics.set(topic, { projectId: 'p', userId: 'u9', subject: 'challenges' });
      publisher.publish({ ...changed('u1', 1), type: 'participant.moved', payload: { action: 'updated', data } });
    };
    const { client, messages } = await connect();
    expect(await granted(client, topic)).toBe(1);
    expect(beforeAnswer).toEqual({});
    publisher.publish(changed('u1', 2));
    publisher.publish(changed('u9', 3));
    await eventually(() => expect(messages).toHaveLength(1));
    expect(messages[0]).toMatchObject({ topic, payload: { new_challenge: { user_challenge_current_score: 3 } } });
  });

  it('are those of each name, also where the topics of two players lead to one leaderboard', async () => {
    const { client, messages } = await connect();
    const [first, second] = [newTopic('', 'leaderboard:b1'), newTopic('', 'leaderboard:b1')];
    await client.subscribeAsync([first, second]);
    const heard = () => messages.splice(0).map(({ topic }) => topic);
    const publish = () => broker.publish({ projectId: 'p', userId: '', subject: 'leaderboard:b1' }, '{}');
    publish();
    await eventually(() => expect(messages).toHaveLength(2));
    expect(new Set(heard())).toEqual(new Set([first, second]));
    await client.unsubscribeAsync(first);
    publish();
    await eventually(() => expect(messages).toHaveLength(1));
    expect(heard()).toEqual([second]);
    await client.unsubscribeAsync(second);
    await eventually(() => expect(broker.idle).toBe(true));
  });

  it.each(['#', '+', '$SYS/#', '$SYS/+/heartbeat', 'projects/p/events/#', 'f'.repeat(32), 'F'.repeat(32)])(
    'refuse the filter %s',
    async (filter) => {
      const { client } = await connect();
      expect(await granted(client, filter)).toBe(128);
      expect(await granted(client, newTopic('u1', 'challenges'))).toBe(1);
    },
  );

  it('refuse to publish, even to one of its own topics', async () => {
    const listener = await connect();
    const topic = newTopic('u1', 'challenges');
    await listener.client.subscribeAsync(topic);
    const { client, closed } = await connect();
    client.publish(topic, '{"forged": true}');
    await closed;
    publisher.publish(changed('u1', 1));
    await eventually(() => expect(listener.messages).toHaveLength(1));
    expect(listener.messages[0]?.payload).not.toHaveProperty('forged');
  });

  it('refuse a will', async () => {
    const will = { topic: newTopic('u1', 'challenges'), payload: Buffer.from('{}'), qos: 0 as const, retain: false };
    await expect(connect({ will })).rejects.toMatchObject({ code: 5 });
  });

  it('close a connection that keeps guessing', async () => {
    const { client, closed } = await connect();
    for (let guess = 0; guess <= limits.refusalsPerClientMax; guess += 1) {
      client.subscribe(randomBytes(16).toString('hex'));
    }
    await closed;
  });

  it('close a connection that announces a packet larger than it may send', async () => {
    const socket = net.connect(Number(new URL(tcp.url).port), '127.0.0.1');
    socket.on('error', () => {});
    const closed = once(socket, 'close');
    socket.write(rawConnect(true));
    await once(socket, 'data');
    socket.write(Buffer.from([0x82, 0xff, 0xff, 0xff, 0x7f])); // 256 MiB are to follow
    await closed;
  });
});

describe('sessions', () => {
  it.each([
    ['refuse an empty client id with a lasting session (MQTT-3.1.3-8)', false, 2],
    ['take an empty client id with a clean session', true, 0],
  ])('%s', async (_, clean, returnCode) => {
    const socket = net.connect(Number(new URL(tcp.url).port), '127.0.0.1');
    const closed = once(socket, 'close');
    socket.write(rawConnect(clean));
    const [answer] = await once(socket, 'data');
    expect([...answer]).toEqual([0x20, 0x02, 0x00, returnCode]);
    if (clean) socket.destroy();
    await closed;
  });

  it.each([
    ['a clean session', true, 1],
    ['a lasting session, of which nothing is kept', false, 0],
  ] as const)('grant %s what is delivered', async (_, clean, delivered) => {
    const { client, messages } = await connect({ clean, clientId: 'one' });
    expect(await granted(client, newTopic('u1', 'challenges'), 1)).toBe(delivered);
    expect(await granted(client, newTopic('u1', 'challenge:c1'), 2)).toBe(delivered);
    publisher.publish(changed('u1', 1));
    const published = () => messages.filter(({ payload }) => !isDeepStrictEqual(payload, { type: 'stream.gap' }));
    await eventually(() => expect(published().map(({ qos }) => qos)).toEqual([delivered, delivered]));
  });

  it('grant each filter of one SUBSCRIBE for itself', async () => {
    const { client } = await connect();
    const [two, none] = [newTopic('u1', 'challenges'), 'f'.repeat(32)];
    const grants = await client
      .subscribeAsync({ [two]: { qos: 2 }, [none]: { qos: 2 } })
      .catch((error: unknown) => error);
    expect(grants).toBeInstanceOf(Error); // the client rejects where one of them is refused
    expect(await granted(client, two, 2)).toBe(1);
  });

  it('do not take over from one another by the same client id', async () => {
    const first = await connect({ clientId: 'same' });
    const topic = newTopic('u1', 'challenges');
    await first.client.subscribeAsync(topic);
    const second = await connect({ clientId: 'same' });
    await second.client.subscribeAsync(topic);
    publisher.publish(changed('u1', 1));
    await eventually(() => expect([first.messages.length, second.messages.length]).toEqual([1, 1]));
  });

  it('end with the connection and with the unsubscription', async () => {
    const { client, messages } = await connect();
    const topic = newTopic('u1', 'challenges');
    await client.subscribeAsync(topic);
    expect(broker.idle).toBe(false);
    await client.unsubscribeAsync(topic);
    await eventually(() => expect(broker.idle).toBe(true));
    publisher.publish(changed('u1', 1));
    await client.subscribeAsync(topic);
    publisher.publish(changed('u1', 2));
    await eventually(() => expect(messages).toHaveLength(1));
    await client.endAsync(true);
    await eventually(() => expect(broker.idle).toBe(true));
  });

  it.each(['at once', 'while one is looked up'])('take packets in their order that come %s', async (when) => {
    const { client, messages } = await connect();
    const [again, gone] = [newTopic('u1', 'challenges'), newTopic('u1', 'challenge:c1')];
    await client.subscribeAsync([again, gone]);
    const sent = [
      client.unsubscribeAsync(again),
      client.subscribeAsync(again),
      client.unsubscribeAsync(again),
      client.subscribeAsync(again),
      client.unsubscribeAsync(gone),
      client.subscribeAsync(gone),
      ...(when === 'at once' ? [] : [delay(20)]),
      client.unsubscribeAsync(gone),
    ];
    await Promise.all(sent);
    publisher.publish(changed('u1', 1));
    await eventually(() => expect(messages).toHaveLength(1));
    await delay(50);
    expect(messages.map(({ topic }) => topic)).toEqual([again]);
  });

  it('take all packets that come with CONNECT, in their order', async () => {
    const topic = newTopic('u1', 'challenges');
    const name = [0, topic.length, ...Buffer.from(topic)];
    const packet = (type: number, ...body: number[]) => Buffer.from([type, body.length, ...body]);
    const subscribe = (id: number) => packet(0x82, 0, id, ...name, 0);
    const unsubscribe = (id: number) => packet(0xa2, 0, id, ...name);
    const socket = net.connect(Number(new URL(tcp.url).port), '127.0.0.1');
    let answers = Buffer.alloc(0);
    socket.on('data', (bytes) => {
      answers = Buffer.concat([answers, bytes]);
    });
    socket.write(Buffer.concat([rawConnect(true), subscribe(1), unsubscribe(2), subscribe(3), packet(0xc0)]));
    const [connack, suback, unsuback] = [0x20, 0x90, 0xb0];
    const expected = [...[connack, 2, 0, 0, suback, 3, 0, 1, 0, unsuback, 2, 0, 2], ...[suback, 3, 0, 3, 0, 0xd0, 0]];
    await eventually(() => expect([...answers]).toEqual(expected));
    publisher.publish(changed('u1', 1));
    await eventually(() => expect(answers[expected.length]).toBe(0x30));
    socket.destroy();
  });

  it('may show a player token, which is checked', async () => {
    await connect({ username: 'player', password: `${'x'.repeat(80)}good` });
    await expect(connect({ username: 'player', password: `${'x'.repeat(80)}bad` })).rejects.toMatchObject({ code: 4 });
  });
});

describe('an operator', () => {
  const key = 'k'.repeat(59);
  beforeEach(() => keys.add(`p ${key}`));

  it('who unsubscribes and subscribes again at once follows', async () => {
    const { client, messages } = await connect({ username: 'p', password: key });
    const filter = 'projects/p/events/#';
    await client.subscribeAsync(filter);
    await Promise.all([client.unsubscribeAsync(filter), client.subscribeAsync(filter)]);
    publisher.publish(changed('u1', 1));
    await eventually(() => expect(messages).toHaveLength(1));
    await Promise.all([client.subscribeAsync(filter), client.unsubscribeAsync(filter)]);
    publisher.publish(changed('u1', 2));
    await delay(50);
    expect(messages).toHaveLength(1);
  });

  it('follows every event of its project as envelopes', async () => {
    const { client, messages } = await connect({ username: 'p', password: key });
    expect(await granted(client, 'projects/p/events/#')).toBe(1);
    const event = changed('u1', 1);
    publisher.publish(changed('u1', 1, 'q'));
    publisher.publish(event);
    await eventually(() => expect(messages).toHaveLength(1));
    expect(messages[0]).toMatchObject({ topic: 'projects/p/events/challenge.changed', payload: event, retain: false });
  });

  it.each([
    '#',
    'projects/#',
    'projects/+/events/#',
    'projects/q/events/#',
    '$SYS/#',
    '$share/all/projects/p/events/#',
  ])('is refused %s', async (filter) => {
    const { client } = await connect({ username: 'p', password: key });
    expect(await granted(client, filter)).toBe(128);
  });

  it.each([
    'gathering.*',
    '*',
    'gathering',
    'Gathering.Started',
    'gathering/started',
    '+/+',
    'gathering.started/+',
    '',
  ])('is refused a filter that no event can match: projects/p/events/%s', async (rest) => {
    const { client } = await connect({ username: 'p', password: key });
    expect(await granted(client, `projects/p/events/${rest}`)).toBe(128);
  });

  it.each(['#', '+', '+/#', 'challenge.changed', 'challenge.changed/#'])(
    'hears what its filter matches: projects/p/events/%s',
    async (rest) => {
      const { client, messages } = await connect({ username: 'p', password: key });
      expect(await granted(client, `projects/p/events/${rest}`)).toBe(1);
      publisher.publish(changed('u1', 1));
      await eventually(() => expect(messages).toHaveLength(1));
    },
  );

  it.each(['gathering.#', 'gathering.+', '#/started'])(
    'is disconnected for a filter that MQTT does not allow (3.1.1, 4.7.1): %s',
    async (rest) => {
      const { client, closed } = await connect({ username: 'p', password: key });
      const lengths = Buffer.from([0, 1, 0, `projects/p/events/${rest}`.length]);
      const body = Buffer.concat([lengths, Buffer.from(`projects/p/events/${rest}`), Buffer.from([0])]);
      client.stream.write(Buffer.concat([Buffer.from([0x82, body.length]), body]));
      await closed;
    },
  );

  it.each([
    ['another project', 'q', key],
    ['a project that would be a wildcard', '+', key],
    ['a wrong key', 'p', 'wrong'],
    ['no key', 'p', undefined],
  ])('is not admitted with %s', async (_, username, password) => {
    await expect(connect(password === undefined ? { username } : { username, password })).rejects.toMatchObject({
      code: 4,
    });
  });

  it('is sent away soon after its key was revoked', async () => {
    const { closed } = await connect({ username: 'p', password: key });
    keys.clear();
    await closed;
  });

  it('follows so many filters, and another one when it has dropped one', async () => {
    const { client } = await connect({ username: 'p', password: key });
    const filter = (number: number) => `projects/p/events/game.kind-${number}`;
    const all = Array.from({ length: limits.subscriptionsPerOperatorMax }, (_, number) => filter(number));
    expect(await Promise.all(all.map((one) => granted(client, one)))).toEqual(all.map(() => 1));
    expect(await granted(client, filter(-1))).toBe(128);
    expect(await granted(client, filter(0))).toBe(1); // it is one of those
    await client.unsubscribeAsync(filter(0));
    expect(await granted(client, filter(-1))).toBe(1);
  });

  it('is one of so many of its project, and makes place when it goes', async () => {
    keys.add(`q ${key}`);
    const credentials = { username: 'p', password: key };
    const [first] = await Promise.all(Array.from({ length: operatorsMax }, () => connect(credentials)));
    await expect(connect(credentials)).rejects.toMatchObject({ code: 3 });
    await connect({ ...credentials, username: 'q' });
    first?.client.end(true);
    await eventually(() => connect(credentials));
  });

  it('that does not read is cut off, while another one hears everything', async () => {
    const credentials = { username: 'p', password: key };
    const [slow, other] = [await connect(credentials), await connect(credentials)];
    for (const { client } of [slow, other]) await client.subscribeAsync('projects/p/events/#', { qos: 0 });
    slow.client.stream.unpipe().pause();
    const event = { ...changed('u1', 1), type: 'image.taken' };
    const large = { ...event, payload: { action: 'occurred' as const, data: 'x'.repeat(8 * 1024) } };
    const burst = 10;
    let sent = 0;
    while (broker.connected === 2) {
      for (let each = 0; each < burst; each += 1) publisher.publish(large);
      sent += burst;
      await eventually(() => expect(other.messages).toHaveLength(sent), hearsWithinMs);
    }
    expect(slow.messages.length).toBeLessThan(sent);
  });
});

describe('a CONNECT with an empty name and password', () => {
  const connack = async (...fields: number[]): Promise<number[]> => {
    const body = Buffer.from([0, 4, ...Buffer.from('MQTT'), 4, 0xc2, 0, 60, 0, 0, ...fields]);
    const socket = net.connect({ port: Number(new URL(tcp.url).port), host: '127.0.0.1' });
    socket.write(Buffer.concat([Buffer.from([0x10, body.length]), body]));
    const [answer] = await once(socket, 'data');
    socket.destroy();
    return [...(answer as Buffer)];
  };

  it('is one without a credential, as clients of game engines send it', async () => {
    expect(await connack(0, 0, 0, 0)).toEqual([0x20, 2, 0, 0]);
  });

  it('is refused with a name alone', async () => {
    expect(await connack(0, 1, 0x70, 0, 0)).toEqual([0x20, 2, 0, 4]);
  });
});

describe('a CONNECT of another version of MQTT', () => {
  /** CONNECT with the name and level, and what MQTT 5 may add to it. */
  const connectOf = (level: number, name = 'MQTT', rest = [0x02, 0, 60, 0, 0, 0]): Buffer => {
    const body = Buffer.from([0, name.length, ...Buffer.from(name), level, ...rest]);
    return Buffer.concat([Buffer.from([0x10, body.length]), body]);
  };
  const answerTo = async (...pieces: Buffer[]): Promise<number[]> => {
    const socket = net.connect({ port: Number(new URL(tcp.url).port), host: '127.0.0.1', noDelay: true });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    const ended = once(socket, 'close');
    for (const piece of pieces) {
      socket.write(piece);
      await delay(5);
    }
    await ended;
    return [...Buffer.concat(chunks)];
  };
  const refused = [0x20, 2, 0, 1];

  it.each([
    ['6', connectOf(6), refused],
    ['2', connectOf(2), refused],
    ['0', connectOf(0), refused],
    ['127', connectOf(127), refused],
    ['6 of the older name', connectOf(6, 'MQIsdp'), refused],
  ])('is answered in a form that its client reads, and closed: level %s', async (_, packet, answer) => {
    expect(await answerTo(packet)).toEqual(answer);
    expect(await answerTo(...[...packet].map((byte) => Buffer.from([byte])))).toEqual(answer);
  });

  it('is closed without an answer where it is none of MQTT', async () => {
    expect(await answerTo(connectOf(4, 'HTTP'))).toEqual([]);
    expect(await answerTo(connectOf(9, 'MQTTX'))).toEqual([]);
  });

  it('is closed where its properties are none', async () => {
    expect(await answerTo(connectOf(5, 'MQTT', [0xff, 0xff, 0xff]))).toEqual([]);
  });
});

describe('a client of MQTT 5', () => {
  const url = { tcp: () => tcp.url, webSocket: () => `${http.url.replace('http', 'ws')}/mqtt` };
  const connect5 = (options: IClientOptions = {}, at = tcp.url) => connect({ protocolVersion: 5, ...options }, at);
  const connackOf = (options: IClientOptions = {}): Promise<IConnackPacket> => {
    const client = mqtt.connect(tcp.url, { protocolVersion: 5, reconnectPeriod: 0, ...options });
    clients.push(client);
    return new Promise((resolve) => client.once('connect', resolve));
  };

  it.each(Object.entries(url))('hears its topics over %s until it unsubscribes', async (_, at) => {
    const { client } = await connect5({}, at());
    const [name, other] = [newTopic('u1', 'challenges'), newTopic('u2', 'challenges')];
    expect(await client.subscribeAsync([name, other], { qos: 2 })).toMatchObject([{ qos: 1 }, { qos: 1 }]);
    const heard: [string, number][] = [];
    client.on('message', (topic, _payload, { qos }) => heard.push([topic, qos]));
    publisher.publish(changed('u1', 1));
    await eventually(() => expect(heard).toEqual([[name, 1]]));
    await client.unsubscribeAsync([name, other]);
    publisher.publish(changed('u1', 2));
    await client.subscribeAsync(name, { qos: 0 });
    publisher.publish(changed('u1', 3));
    await eventually(() =>
      expect(heard).toEqual([
        [name, 1],
        [name, 0],
      ]),
    );
  });

  it('is told what it may not count on', async () => {
    const properties = { sessionExpiryInterval: 86_400 };
    expect(await connackOf({ clientId: 'one', clean: false, keepalive: 60, properties })).toMatchObject({
      ...{ reasonCode: 0, sessionPresent: false },
      properties: {
        sessionExpiryInterval: 0,
        maximumQoS: 1,
        retainAvailable: false,
        sharedSubscriptionAvailable: false,
      },
    });
    const nameless = await connackOf({ clientId: '', clean: true, keepalive: 0 });
    expect(nameless.properties).toMatchObject({
      assignedClientIdentifier: expect.stringMatching(/./),
      serverKeepAlive: limits.keepaliveSecondsMax,
    });
  });

  it('reads why it is refused', async () => {
    await expect(connect5({ username: 'p', password: 'wrong' })).rejects.toMatchObject({ code: 0x86 });
    const will = { topic: 'x', payload: Buffer.from('x'), qos: 0 as const, retain: false };
    await expect(connect5({ will })).rejects.toMatchObject({ code: 0x87 });
    const properties = { authenticationMethod: 'SCRAM-SHA-1' };
    await expect(connect5({ properties })).rejects.toMatchObject({ code: 0x8c });
    const { client } = await connect5();
    const unknown = randomBytes(16).toString('hex');
    await expect(client.subscribeAsync(unknown, { qos: 0 })).rejects.toMatchObject({ packet: { granted: [0x87] } });
  });

  it('gets no packet larger than it takes, and no more to acknowledge than it takes', async () => {
    const small = await connect5({ properties: { maximumPacketSize: 200 } });
    const few = await connect5({ properties: { receiveMaximum: 1 } });
    const name = newTopic('u1', 'challenges');
    expect(await small.client.subscribeAsync(name, { qos: 1 })).toMatchObject([{ qos: 1 }]);
    expect(await few.client.subscribeAsync(name, { qos: 1 })).toMatchObject([{ qos: 1 }]);
    publisher.publish(changed('u1', 1));
    publisher.publish(changed('u1', 2));
    await eventually(() => expect(few.messages).toMatchObject([{ qos: 1 }, { qos: 0 }]));
    publisher.publish(changed('u1', 3));
    await eventually(() => expect(few.messages[2]).toMatchObject({ qos: 1 }));
    await small.client.unsubscribeAsync(name); // answered behind whatever was sent before
    expect(small.messages).toEqual([]);
  });
});

describe('connections', () => {
  const rawSocket = async (port = Number(new URL(tcp.url).port)) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => {});
    const closed = once(socket, 'close');
    await once(socket, 'connect');
    return { socket, closed };
  };

  it('without a credential have the smaller share, and those with one still come in', async () => {
    keys.add('p key');
    for (let n = 0; n < anonymousMax; n += 1) await connect();
    await expect(connect()).rejects.toMatchObject({ code: 3 });
    await connect({ username: 'p', password: 'key' });
    await connect({ username: 'player', password: `${'x'.repeat(80)}good` });
  });

  it('that have not shown who they are give way to new ones', async () => {
    const silent = await Promise.all(Array.from({ length: connectionsMax }, () => rawSocket()));
    await connect();
    await Promise.race(silent.map(({ closed }) => closed));
    expect(broker.connected).toBe(connectionsMax);
    for (const { socket } of silent) socket.destroy();
  });

  it.skipIf(!hasOpenssl)('have a place before they are encrypted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'earshot-mqtt-'));
    const files = writeCertificate(folder, 'broker');
    const door = new TcpListener({
      broker,
      addresses,
      host: '127.0.0.1',
      wantedPort: 0,
      tls: files,
      setting: 'EARSHOT_MQTT_PORT',
      log: createLogger('silent'),
    });
    await door.start();
    const port = Number(new URL(door.url).port);
    const silent = await Promise.all(Array.from({ length: connectionsMax + 1 }, () => rawSocket(port)));
    await Promise.race(silent.map(({ closed }) => closed));
    await connect({ rejectUnauthorized: false }, door.url);
    expect(broker.connected).toBe(1);
    for (const { socket } of silent) socket.destroy();
    door.stop();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['announces one second', limits.keepaliveSecondsMax, 1],
    ['announces none, and is held to what the broker allows', 1, 0],
    ['announces more than the broker allows', 1, 200],
  ])('end after one and a half times the keepalive: a client that %s', async (_, most, keepalive) => {
    const strict = makeBroker(most);
    await strict.start();
    const door = listenerOf(strict);
    await door.start();
    const { socket, closed } = await rawSocket(Number(new URL(door.url).port));
    socket.write(rawConnect(true, keepalive));
    const began = performance.now();
    socket.resume();
    await closed;
    expect(performance.now() - began).toBeGreaterThanOrEqual(1_400);
    door.stop();
    await strict.stop();
  });
});

it('limits what waits: beyond it, the oldest is told at once and forgotten', () => {
  const told: string[] = [];
  const latest = new LatestOnly(60_000, 2);
  const tell = (key: string, what: string) => latest.run(key, () => told.push(what));
  for (const what of ['a1', 'a2', 'a3']) tell('a', what);
  for (const what of ['b1', 'b2']) tell('b', what);
  expect(told).toEqual(['a1', 'b1']);
  tell('c', 'c1');
  tell('a', 'a4');
  expect(told).toEqual(['a1', 'b1', 'a3', 'c1', 'b2', 'a4']);
  latest.stop();
});
