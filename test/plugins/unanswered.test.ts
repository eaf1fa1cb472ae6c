/** Endpoints and models that are slow, or that never answer: they have the 60 s that docs/plugins.md states. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDaemon } from '../../daemon/admin-socket/client.js';
import { installPlugin } from '../../daemon/modules/plugins/installed/admin-operations.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';
import { sessionActionRoutes } from '../../src/contract/plugins/session-actions.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

let daemon: TestDaemon;
let service: Receiver;
beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  service = await startReceiver();
});
afterAll(async () => {
  await service.stop();
  await daemon.stop();
});

const params = () => ({ projectId: daemon.projectId });
const call: TestDaemon['client']['call'] = (route, input) => daemon.client.call(route, input);
const install = (pluginId: string, settings: Record<string, string | boolean> = {}) =>
  call(pluginInstanceRoutes.create, { params: params(), body: { pluginId, settings } });
const uninstall = (id: string) => call(pluginInstanceRoutes.remove, { params: { ...params(), id } });
const say = async (content: string): Promise<string> => {
  const body = { title: 'Match', externalRoomId: crypto.randomUUID(), autoStart: false };
  const { id } = await call(sessionRoutes.create, { params: params(), body });
  await call(sessionRoutes.say, { params: { ...params(), id }, body: { externalUserId: 'u1', content } });
  return id;
};
const runsOf = async (id: string) => {
  const { plugins } = await call(sessionActionRoutes.list, { params: { ...params(), id } });
  return plugins.flatMap(({ slug, actions }) => actions.map((action) => ({ slug, ...action })));
};
const installEndpoint = (slug: string) => {
  const about = { slug, name: 'Elsewhere', description: 'For a test.', version: '1.0.0', kind: 'message' as const };
  const manifest = { ...about, events: ['message.created'], endpoint: service.url };
  return askDaemon(daemon.dataDir, installPlugin, { manifest, code: null });
};
const moderation = { results: [{ flagged: true, categories: { hate: true }, category_scores: { hate: 1 } }] };

describe('an endpoint or a model', () => {
  it('may take longer than webhooks may', { timeout: 60_000 }, async () => {
    await installEndpoint('slow');
    const instances = [await install('slow'), await install('moderation-api', { baseUrl: service.url })];
    service.behave = ({ body }) => {
      const answer = body.includes('"input"') ? moderation : { annotations: [{ type: 'checked', content: {} }] };
      return { status: 200, body: JSON.stringify(answer), afterMs: 16_000 };
    };
    const sessionId = await say('hello there');
    await eventually(async () => {
      const runs = await runsOf(sessionId);
      expect(runs.map(({ slug, status }) => [slug, status]).sort()).toEqual([
        ['moderation-api', 'succeeded'],
        ['slow', 'succeeded'],
      ]);
    }, 40_000);
    expect(service.received.splice(0)).toHaveLength(2);
    for (const { id } of instances) await uninstall(id);
  });
});

describe('a call that got no answer', () => {
  it('is not repeated where the service may charge for it, unless the project asks for that', async () => {
    service.behave = () => ({ cut: true });
    const once = await install('moderation-api', { baseUrl: service.url });
    const first = await say('hello');
    const failed = { status: 'failed', error: expect.stringContaining('set repeatUnanswered') };
    await eventually(async () => expect(await runsOf(first)).toMatchObject([failed]));
    await uninstall(once.id);

    const often = await install('moderation-api', { baseUrl: service.url, repeatUnanswered: true });
    const second = await say('hello');
    await eventually(async () => expect(await runsOf(second)).toMatchObject([{ status: 'queued' }]));
    await uninstall(often.id);
  });

  it('is repeated where the service cannot be reached, which costs nothing', async () => {
    const { id } = await install('moderation-api', { baseUrl: 'http://127.0.0.1:9' });
    const sessionId = await say('hello');
    const refused = { status: 'queued', error: expect.stringContaining('ECONNREFUSED') };
    await eventually(async () => expect(await runsOf(sessionId)).toMatchObject([refused]));
    await uninstall(id);
  });

  it('of an endpoint is repeated under the same id', async () => {
    await installEndpoint('silent');
    service.behave = () => ({ cut: true });
    const { id } = await install('silent');
    const sessionId = await say('hello');
    await eventually(async () => expect(await runsOf(sessionId)).toMatchObject([{ status: 'queued' }]));
    await uninstall(id);
  });
});
