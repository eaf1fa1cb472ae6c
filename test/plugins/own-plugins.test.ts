/** Plugins of the operator's own: installed beside a running daemon, run on events, replaced and removed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDaemon } from '../../daemon/admin-socket/client.js';
import {
  installPlugin,
  listInstalled,
  recordedEvents,
  uninstallPlugin,
} from '../../daemon/modules/plugins/installed/admin-operations.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { annotationRoutes } from '../../src/contract/plugins/annotations.js';
import { pluginInstanceRoutes, pluginRoutes } from '../../src/contract/plugins/plugins.js';
import { sessionActionRoutes } from '../../src/contract/plugins/session-actions.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { verifyWebhook } from '../../src/signing/verify-webhook.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

let daemon: TestDaemon;
let receiver: Receiver;
beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.stop();
  await daemon.stop();
});

const params = () => ({ projectId: daemon.projectId });
const item = (id: string) => ({ ...params(), id });
const call: TestDaemon['client']['call'] = (route, input) => daemon.client.call(route, input);
const manifest = (slug: string, more: object = {}) => ({
  ...{ slug, name: 'Of our own', description: 'For a test.', version: '1.0.0', kind: 'message' as const },
  ...{ events: ['message.created'], main: 'plugin.js', ...more },
});
const shouts = (mark: string) => `export default ({ payload }, { settings }) => {
  const { content } = payload.data;
  const loud = content === content.toUpperCase();
  return loud ? { annotations: [{ type: 'shout', content: { mark: '${mark}', limit: settings.limit ?? null } }] } : null;
};`;
const install = (code: string | null, given: ReturnType<typeof manifest>) =>
  askDaemon(daemon.dataDir, installPlugin, { manifest: given, code });
const inProject = (pluginId: string, settings: Record<string, number> = {}) =>
  call(pluginInstanceRoutes.create, { params: params(), body: { pluginId, settings } });
const say = async (content: string) => {
  const { id } = await call(sessionRoutes.create, {
    params: params(),
    body: { title: 'Match', externalRoomId: crypto.randomUUID(), autoStart: false },
  });
  return call(sessionRoutes.say, { params: item(id), body: { externalUserId: 'u1', content } });
};
/** Returns the one run on the message, with its annotations. */
const outcome = ({ id, sessionId }: { id: string; sessionId: string }) =>
  eventually(async () => {
    const { plugins } = await call(sessionActionRoutes.list, { params: item(sessionId) });
    const [run] = plugins.flatMap(({ actions }) => actions);
    expect(run?.finishedAt ?? null).not.toBeNull();
    const found = await call(annotationRoutes.ofMessages, { body: { messageIds: [id] } });
    return { ...run, annotations: found[id] ?? [] };
  }, 30_000);

describe('code of the operator', () => {
  it('is in the catalogue at once, and runs with the settings of the project', async () => {
    const schema = { type: 'object', properties: { limit: { type: 'integer', minimum: 1 } } };
    await install(shouts('first'), manifest('shouts', { settingsSchema: schema, defaultSettings: { limit: 2 } }));
    expect(await call(pluginRoutes.get, { params: { slug: 'shouts' } })).toMatchObject({ version: '1.0.0' });
    const { id } = await inProject('shouts', { limit: 7 });
    expect(await outcome(await say('GET OUT'))).toMatchObject({
      status: 'succeeded',
      annotations: [{ type: 'shout', pluginSlug: 'shouts', content: { mark: 'first', limit: 7 } }],
    });
    expect(await outcome(await say('quietly'))).toMatchObject({ status: 'succeeded', annotations: [] });

    await install(shouts('second'), manifest('shouts', { version: '1.1.0' }));
    expect(await outcome(await say('AGAIN'))).toMatchObject({ annotations: [{ content: { mark: 'second' } }] });
    await askDaemon(daemon.dataDir, uninstallPlugin, { slug: 'shouts' });
    expect(await call(pluginInstanceRoutes.get, { params: item(id) })).toMatchObject({ plugin: null });
    await call(pluginInstanceRoutes.remove, { params: item(id) });
  });

  it('that throws costs its own run alone', async () => {
    await install(`export default () => { throw new Error('on purpose') }`, manifest('thrower'));
    const { id } = await inProject('thrower');
    expect(await outcome(await say('hello'))).toMatchObject({ status: 'failed', error: 'Error: on purpose' });
    await call(pluginInstanceRoutes.remove, { params: item(id) });
    expect((await askDaemon(daemon.dataDir, listInstalled, {})).map(({ slug }) => slug)).toContain('thrower');
  });

  it('may not take the name of a plugin of Earshot, nor ask for annotations', async () => {
    await expect(install(shouts('x'), manifest('summary'))).rejects.toThrow(/Choose another slug/);
  });

  it('is 256 KiB at most', async () => {
    const ofKib = (kib: number) => shouts('x').padEnd(kib * 1_024);
    await expect(install(ofKib(256.5), manifest('large'))).rejects.toThrow();
    await install(ofKib(256), manifest('large'));
    await askDaemon(daemon.dataDir, uninstallPlugin, { slug: 'large' });
  });

  it.each([
    ['message.annotation.created', /never run on message.annotation.created/],
    ['webhook.*', /never run on webhook/],
    ['nope', /There is no event type nope/],
    ['sesion.created', /Did you mean session.created/],
    ['mesage.*', /Did you mean message\.\*/],
  ])('may not ask for %s', async (pattern, refusal) => {
    await expect(install(shouts('x'), manifest('echo', { events: [pattern] }))).rejects.toThrow(refusal);
  });

  it('may ask for events of platform services', async () => {
    await install(shouts('x'), manifest('fleet', { events: ['fleet.server.*'] }));
    await askDaemon(daemon.dataDir, uninstallPlugin, { slug: 'fleet' });
  });

  it('is tried on what the log holds', async () => {
    const said = await say('something to try');
    const events = await askDaemon(daemon.dataDir, recordedEvents, { manifest: manifest('any'), limit: 1 });
    expect(events).toMatchObject([{ type: 'message.created', resourceId: `message:${said.id}` }]);

    await call(personRoutes.erase, { params: { ...params(), user: 'u1' } });
    expect(await askDaemon(daemon.dataDir, recordedEvents, { manifest: manifest('any'), limit: 100 })).toEqual([]);
  });
});

describe('the time of a run', () => {
  it('does not count the runs that it waits for', { timeout: 60_000 }, async () => {
    const code = 'export default () => { for (const end = Date.now() + 700; Date.now() < end; ); }';
    await install(code, manifest('busy'));
    const { id } = await inProject('busy');
    const said = await Promise.all(['one', 'two', 'three', 'four'].map(say));
    const runs = await Promise.all(said.map(outcome));
    await call(pluginInstanceRoutes.remove, { params: item(id) });
    // One computes at a time: together they take as long as from the first start to the last end.
    const times = (name: 'startedAt' | 'finishedAt') => runs.map((run) => Date.parse(run[name] ?? ''));
    const wholeMs = Math.max(...times('finishedAt')) - Math.min(...times('startedAt'));
    const computedMs = runs.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
    expect(computedMs).toBeGreaterThan(4 * 700 - 100);
    expect(computedMs).toBeLessThan(wholeMs * 1.5);
  });
});

describe('an endpoint of the studio', () => {
  it('gets the event signed, under an id that stays, and answers with annotations', async () => {
    const { main: _, ...endpoint } = manifest('elsewhere', { endpoint: receiver.url });
    const { secret } = await askDaemon(daemon.dataDir, installPlugin, { manifest: endpoint, code: null });
    let attempts = 0;
    receiver.behave = () => {
      attempts += 1;
      const answer = { annotations: [{ type: 'checked', content: { by: 'studio' } }] };
      return { status: 200, body: JSON.stringify(answer) };
    };
    const { id } = await inProject('elsewhere');
    const said = await say('hello there');
    expect(await outcome(said)).toMatchObject({ annotations: [{ type: 'checked', content: { by: 'studio' } }] });
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    expect(await verifyWebhook(body, headers, secret ?? '')).toMatchObject({
      type: 'message.created',
      resourceId: `message:${said.id}`,
      plugin: { instanceId: id, settings: {} },
    });
    expect(attempts).toBe(1);

    receiver.behave = () => ({ status: 422 });
    expect(await outcome(await say('no'))).toMatchObject({ status: 'failed', error: 'the endpoint answered 422' });
    receiver.behave = () => ({ status: 200, body: '{"annotations": 3}' });
    expect(await outcome(await say('odd'))).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('must be a list'),
    });
    const again = await askDaemon(daemon.dataDir, installPlugin, { manifest: endpoint, code: null });
    expect(again).toEqual({ secret: null }); // the receiver goes on with the one that it has
    await call(pluginInstanceRoutes.remove, { params: item(id) });
  });
});
