/** The plugins that ask a service, against small servers that speak as OpenAI's API does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { annotationRoutes } from '../../src/contract/plugins/annotations.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';
import { sessionActionRoutes } from '../../src/contract/plugins/session-actions.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

let daemon: TestDaemon;
let service: Receiver;
let aheadMs = 0;
beforeAll(async () => {
  daemon = await startDaemon({
    now: () => new Date(Date.now() + aheadMs),
    settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' },
  });
  service = await startReceiver();
});
afterAll(async () => {
  await service.stop();
  await daemon.stop();
});

const params = () => ({ projectId: daemon.projectId });
const item = (id: string) => ({ ...params(), id });
const call: TestDaemon['client']['call'] = (route, input) => daemon.client.call(route, input);
const install = (pluginId: string, settings: Record<string, string>) =>
  call(pluginInstanceRoutes.create, {
    params: params(),
    body: { pluginId, settings: { baseUrl: service.url, ...settings } },
  });
const uninstall = (id: string) => call(pluginInstanceRoutes.remove, { params: item(id) });
const session = () =>
  call(sessionRoutes.create, {
    params: params(),
    body: { title: 'Match', externalRoomId: crypto.randomUUID(), autoStart: false },
  });
const say = (id: string, content: string) =>
  call(sessionRoutes.say, { params: item(id), body: { externalUserId: 'u1', content } });
const lastRun = async (id: string) =>
  (await call(sessionActionRoutes.list, { params: item(id) })).plugins.flatMap(({ actions }) => actions)[0];
const moderates = ({ body }: { body: string }) => {
  const { input } = JSON.parse(body);
  const flagged = input.includes('hurt');
  const result = {
    flagged,
    categories: { violence: flagged, hate: false },
    category_scores: { violence: 0.91234, hate: 0 },
  };
  return { status: 200, body: JSON.stringify({ id: 'm1', model: 'small', results: [result] }) };
};

describe('moderation-api', () => {
  it('sends the words of messages alone, with the key, and annotates what is flagged', async () => {
    service.behave = moderates;
    const { id } = await install('moderation-api', { apiKey: 'hush', model: 'small' });
    const { id: sessionId } = await session();
    const bad = await say(sessionId, 'I will hurt you');
    const good = await say(sessionId, 'nice shot');
    const found = await eventually(async () => {
      expect(await lastRun(sessionId)).toMatchObject({ status: 'skipped', error: 'it was not flagged' });
      return call(annotationRoutes.ofMessages, { body: { messageIds: [bad.id, good.id] } });
    });
    expect(found).toEqual({
      [bad.id]: [
        expect.objectContaining({
          type: 'moderation',
          content: { flagged: true, categories: ['violence'], scores: { violence: 0.9123, hate: 0 }, model: 'small' },
        }),
      ],
      [good.id]: [],
    });
    const [first] = service.received.splice(0);
    expect(first?.headers.authorization).toBe('Bearer hush');
    expect(JSON.parse(first?.body ?? '')).toEqual({ model: 'small', input: 'I will hurt you' });
    await uninstall(id);
  });

  it('asks again where the service fails, under the same id, and gives up where it refuses', async () => {
    service.behave = () => ({ status: 503 });
    const { id } = await install('moderation-api', { annotate: 'all' });
    const { id: sessionId } = await session();
    await say(sessionId, 'hello');
    await eventually(async () =>
      expect(await lastRun(sessionId)).toMatchObject({ status: 'queued', error: expect.stringContaining('503') }),
    );
    service.behave = moderates;
    aheadMs += 6_000;
    await eventually(async () => expect(await lastRun(sessionId)).toMatchObject({ status: 'succeeded' }));
    const ids = service.received.splice(0).map(({ headers }) => headers['idempotency-key']);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);

    service.behave = () => ({ status: 401, body: 'no such key' });
    await say(sessionId, 'again');
    await eventually(async () =>
      expect(await lastRun(sessionId)).toMatchObject({ status: 'failed', error: expect.stringContaining('401') }),
    );
    service.received.splice(0);
    await uninstall(id);
  });
});

describe('summary', () => {
  it('is written by the model where one is configured', async () => {
    service.behave = () => ({
      status: 200,
      body: JSON.stringify({ choices: [{ message: { content: 'They met at the bridge.' } }] }),
    });
    const { id } = await install('summary', { apiKey: 'hush', model: 'small' });
    const { id: sessionId } = await session();
    await say(sessionId, 'to the bridge');
    await call(sessionRoutes.stop, { params: item(sessionId) });
    const [annotation] = await eventually(async () => {
      const found = await call(annotationRoutes.ofSession, { params: { sessionId } });
      expect(found).toHaveLength(1);
      return found;
    });
    expect(annotation).toMatchObject({ content: { text: 'They met at the bridge.', by: 'small', lines: 1 } });
    expect(JSON.parse(service.received.splice(0)[0]?.body ?? '').messages[1].content).toBe('u1: to the bridge');
    await uninstall(id);
  });
});
