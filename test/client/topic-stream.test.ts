import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TopicRefused } from '../../src/client/topic-refused.js';
import { type TopicNotice, TopicStream, type TopicStreamOptions } from '../../src/client/topic-stream.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { freePort } from '../support/free-port.js';
import { Relay } from '../support/relay.js';

let daemon: TestDaemon;
let relay: Relay;
beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_MQTT_PORT: String(await freePort()) } });
  relay = new Relay(() => daemon.mqttUrl);
  await relay.start();
});
afterAll(async () => {
  relay.stop();
  await daemon.stop();
});

const join = (externalUserId: string) =>
  daemon.client.call(participantRoutes.create, { params: { projectId: daemon.projectId }, body: { externalUserId } });

function follow(options: Partial<TopicStreamOptions> = {}, apiKey = daemon.apiKey) {
  const { projectId } = daemon;
  const stream = new TopicStream({
    url: relay.url.replace('http', 'mqtt'),
    credential: { projectId, apiKey },
    topics: [`projects/${projectId}/events/participant.created`],
    ...options,
  });
  const news = stream[Symbol.asyncIterator]();
  const next = async (): Promise<TopicNotice> => {
    const { value } = await news.next();
    if (value === undefined) throw new Error('The stream has ended.');
    return value;
  };
  return { next, close: () => stream.close() };
}

describe('a topic stream', { timeout: 60_000 }, () => {
  it('hears the events of the project, also after it was cut', async () => {
    const stream = follow();
    expect(await stream.next()).toEqual({ kind: 'connected' });
    await join('one');
    expect(await stream.next()).toMatchObject({ kind: 'message', text: expect.stringContaining('"one"') });
    relay.cut();
    expect(await stream.next()).toMatchObject({ kind: 'lost' });
    expect(await stream.next()).toEqual({ kind: 'connected' });
    await join('two');
    expect(await stream.next()).toMatchObject({ kind: 'message', text: expect.stringContaining('"two"') });
    stream.close();
    await expect(stream.next()).rejects.toThrow('The stream has ended.');
  });

  it('works over WebSocket at the address of the daemon', async () => {
    const stream = follow({ url: `${daemon.url.replace('http', 'ws')}/mqtt` });
    await stream.next();
    await join('three');
    expect(await stream.next()).toMatchObject({ kind: 'message', text: expect.stringContaining('"three"') });
    stream.close();
  });

  it('ends with the refusal of the credential or of the topic', async () => {
    await expect(follow({}, 'wrong').next()).rejects.toThrow(TopicRefused);
    await expect(follow({ topics: ['#'] }).next()).rejects.toThrow(TopicRefused);
  });

  it('is cut when its key is revoked, and refused from then on', async () => {
    const { id, key } = await daemon.admin.call(apiKeyRoutes.create, { body: { name: 'x', scopes: ['events'] } });
    const stream = follow({}, key);
    expect(await stream.next()).toEqual({ kind: 'connected' });
    await daemon.admin.call(apiKeyRoutes.revoke, { params: { id } });
    expect(await stream.next()).toMatchObject({ kind: 'lost' });
    await expect(stream.next()).rejects.toThrow(TopicRefused);
  });
});
