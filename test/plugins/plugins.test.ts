/** The catalogue, plugins in projects, and what they say about messages and sessions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { annotationRoutes } from '../../src/contract/plugins/annotations.js';
import { pluginInstanceRoutes, pluginRoutes } from '../../src/contract/plugins/plugins.js';
import { sessionActionRoutes } from '../../src/contract/plugins/session-actions.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

const params = () => ({ projectId: daemon.projectId });
const item = (id: string) => ({ ...params(), id });
const call: TestDaemon['client']['call'] = (route, input) => daemon.client.call(route, input);
const session = () =>
  call(sessionRoutes.create, {
    params: params(),
    body: { title: 'Match', externalRoomId: crypto.randomUUID(), autoStart: false },
  });
const say = (id: string, content: string, externalUserId = 'u1') =>
  call(sessionRoutes.say, { params: item(id), body: { externalUserId, content } });
const install = (pluginId: string, settings: Record<string, string | number> = {}) =>
  call(pluginInstanceRoutes.create, { params: params(), body: { pluginId, settings } });
const uninstall = (id: string) => call(pluginInstanceRoutes.remove, { params: item(id) });
/** Runs of a session, the newest first. */
const runs = async (id: string) =>
  (await call(sessionActionRoutes.list, { params: item(id) })).plugins.flatMap(({ actions }) => actions);
const ended = (id: string, count: number) =>
  eventually(async () => {
    const found = await runs(id);
    expect(found.length).toBeGreaterThanOrEqual(count);
    expect(found.filter(({ finishedAt }) => finishedAt === null)).toEqual([]);
    return found;
  });

describe('GET /api/plugins', () => {
  it('lists the plugins of the program, each with a schema that its defaults fit or complete', async () => {
    const plugins = await call(pluginRoutes.list, {});
    expect(plugins.map(({ slug }) => slug)).toEqual(expect.arrayContaining(['moderation-api', 'sentiment', 'summary']));
    for (const { slug, settingsSchema } of plugins) {
      expect(settingsSchema).toMatchObject({ type: 'object' });
      expect(await call(pluginRoutes.get, { params: { slug } })).toMatchObject({ slug });
    }
  });

  it('knows no other', async () => {
    await expect(call(pluginRoutes.get, { params: { slug: 'nothing' } })).rejects.toMatchObject({
      status: 404,
      code: 'plugin_not_found',
    });
  });
});

describe('plugins of a project', () => {
  it('are installed with the defaults, changed, listed and uninstalled', async () => {
    const instance = await install('sentiment');
    expect(instance).toMatchObject({ pluginId: 'sentiment', enabled: true, settings: { minimum: 0 } });
    const changed = await call(pluginInstanceRoutes.update, {
      params: item(instance.id),
      body: { settings: { minimum: 0.5 } },
    });
    expect(changed).toMatchObject({ id: instance.id, enabled: true, settings: { minimum: 0.5 } });
    const [listed] = await call(pluginInstanceRoutes.list, { params: params() });
    expect(listed).toMatchObject({ ...changed, plugin: { slug: 'sentiment', kind: 'message' } });
    expect(await call(pluginInstanceRoutes.get, { params: item(instance.id) })).toEqual(listed);
    expect(await uninstall(instance.id)).toEqual({ id: instance.id, deleted: true });
    await expect(call(pluginInstanceRoutes.get, { params: item(instance.id) })).rejects.toMatchObject({
      status: 404,
      code: 'plugin_instance_not_found',
    });
  });

  it('are installed once', async () => {
    const { id } = await install('sentiment');
    await expect(install('sentiment')).rejects.toMatchObject({ status: 409, code: 'plugin_already_installed' });
    await uninstall(id);
  });

  it.each([
    ['an unknown plugin', 'nothing', {}, 'plugin_unknown'],
    ['a value outside of the schema', 'sentiment', { minimum: 2 }, 'plugin_settings_invalid'],
    ['a value of another type', 'sentiment', { minimum: 'much' }, 'plugin_settings_invalid'],
    ['a value that is missing', 'moderation-api', {}, 'plugin_settings_invalid'],
  ])('refuse %s', async (_, pluginId, settings, code) => {
    await expect(install(pluginId, settings)).rejects.toMatchObject({ status: 400, code });
  });

  it('never show a secret, keep it where *** is sent back, and ask for it again when the address changes', async () => {
    const { id, settings } = await install('moderation-api', { baseUrl: 'https://one.example/v1', apiKey: 'hush' });
    expect(settings).toMatchObject({ baseUrl: 'https://one.example/v1', apiKey: '***' });
    const update = (next: Record<string, string>) =>
      call(pluginInstanceRoutes.update, { params: item(id), body: { settings: next } });
    expect((await update({ baseUrl: 'https://one.example/v2', apiKey: '***' })).settings.apiKey).toBe('***');
    await expect(update({ baseUrl: 'https://two.example/v1', apiKey: '***' })).rejects.toMatchObject({
      code: 'secret_needed_again',
    });
    expect((await update({ baseUrl: 'https://two.example/v1' })).settings).not.toHaveProperty('apiKey');
    await uninstall(id);
  });
});

describe('a plugin of the catalogue', () => {
  it('is suggested where its slug is mistyped', async () => {
    const refused = { code: 'plugin_unknown', message: 'There is no plugin toxcity. Did you mean toxicity?' };
    await expect(install('toxcity')).rejects.toMatchObject(refused);
    const missing = call(pluginRoutes.get, { params: { slug: 'sentimnet' } });
    await expect(missing).rejects.toMatchObject({ status: 404, message: expect.stringContaining('mean sentiment?') });
  });

  it('annotates the messages from then on, beside the transcript and in batch', async () => {
    const { id: sessionId } = await session();
    const early = await say(sessionId, 'what a wonderful shot');
    const { id } = await install('sentiment');
    const kind = await say(sessionId, 'what a wonderful shot');
    // Words that every object of JavaScript knows weigh nothing.
    const constructed = await say(sessionId, 'constructor wonderful');
    const plain = await say(sessionId, 'the bridge lies north');
    const hostile = await say(sessionId, 'you are a terrible and horrible player', 'u2');
    const found = await ended(sessionId, 4);
    expect(found.map(({ status }) => status).sort()).toEqual(['skipped', 'succeeded', 'succeeded', 'succeeded']);
    const byMessage = await call(annotationRoutes.ofMessages, {
      body: { messageIds: [early.id, kind.id, constructed.id, plain.id, hostile.id, 'unknown'] },
    });
    const asked = [early.id, kind.id, constructed.id, plain.id, hostile.id];
    expect(Object.keys(byMessage).sort()).toEqual(asked.sort());
    expect([byMessage[early.id], byMessage[plain.id]]).toEqual([[], []]);
    expect(byMessage[constructed.id]).toMatchObject([{ content: { label: 'positive' } }]);
    expect(byMessage[hostile.id]).toMatchObject([
      { type: 'sentiment', pluginSlug: 'sentiment', externalUserId: 'u2', sessionId, content: { label: 'negative' } },
    ]);
    const transcript = await call(sessionRoutes.messages, { params: item(sessionId) });
    expect(transcript.map(({ annotations }) => annotations)).toEqual([
      [],
      byMessage[kind.id],
      byMessage[constructed.id],
      [],
      byMessage[hostile.id],
    ]);
    await uninstall(id);
    expect(await runs(sessionId)).toEqual([]);
  });

  it('is not run while it is disabled, nor on what happened meanwhile', async () => {
    const { id: sessionId } = await session();
    const { id } = await install('sentiment');
    const enable = (enabled: boolean) => call(pluginInstanceRoutes.update, { params: item(id), body: { enabled } });
    await enable(false);
    await say(sessionId, 'a terrible start');
    await enable(true);
    const { id: messageId } = await say(sessionId, 'a wonderful end');
    await ended(sessionId, 1);
    expect(Object.keys(await call(annotationRoutes.ofMessages, { body: { messageIds: [messageId] } }))).toHaveLength(1);
    expect(await runs(sessionId)).toHaveLength(1);
    await uninstall(id);
  });
});

describe('the summary of a session', () => {
  const lines = [
    'we should meet at the northern bridge before the storm comes',
    'ok',
    'the bridge in the north is guarded by two snipers today',
    'then we take the tunnel below the northern bridge instead',
    'my dog is barking again',
  ];

  it('is written when the session ends, and anew when somebody asks', async () => {
    const { id } = await install('summary', { lines: 2 });
    const { id: sessionId } = await session();
    for (const line of lines) await say(sessionId, line, 'Ada');
    const shadow = { type: 'shadow_mute' as const, externalUserId: 'Eve', duration: 600 };
    await call(sanctionRoutes.create, { params: params(), body: shadow });
    await say(sessionId, `${lines.join(' ')} says Eve`, 'Eve'); // it shares the most words with the others
    await call(sessionRoutes.stop, { params: item(sessionId) });
    const [first] = await eventually(async () => {
      const found = await call(annotationRoutes.ofSession, { params: { sessionId } });
      expect(found).toHaveLength(1);
      return found;
    });
    expect(first).toMatchObject({ type: 'summary', sessionId, content: { by: 'extract', lines: 5 } });
    expect(String(first?.content.text).split('\n')).toHaveLength(2);
    expect(first?.content.text).toContain('northern bridge');
    expect(first?.content.text).not.toContain('Eve');

    await call(pluginInstanceRoutes.update, { params: item(id), body: { settings: { lines: 1 } } });
    expect(await call(sessionActionRoutes.regenerateSummary, { params: item(sessionId) })).toEqual({
      sessionId,
      status: 'queued',
    });
    const [second] = await eventually(async () => {
      const found = await call(annotationRoutes.ofSession, { params: { sessionId } });
      expect(found).toHaveLength(1);
      expect(found[0]?.id).not.toBe(first?.id);
      return found;
    });
    expect(String(second?.content.text).split('\n')).toHaveLength(1);
    await uninstall(id);
  });

  it('is refused without the plugin and for unknown sessions', async () => {
    const { id: sessionId } = await session();
    const ask = (id: string) => call(sessionActionRoutes.regenerateSummary, { params: item(id) });
    await expect(ask(sessionId)).rejects.toMatchObject({ status: 409, code: 'summary_plugin_not_installed' });
    await expect(ask('unknown')).rejects.toMatchObject({ status: 404, code: 'session_not_found' });
    await expect(call(sessionActionRoutes.list, { params: item('unknown') })).rejects.toMatchObject({ status: 404 });
  });
});

describe('annotations of another project', () => {
  it('are out of reach of a key that is limited to a project', async () => {
    const { id } = await install('sentiment');
    const { id: sessionId } = await session();
    const { id: messageId } = await say(sessionId, 'a wonderful day');
    await ended(sessionId, 1);
    const other = await daemon.admin.call(projectRoutes.create, { body: { name: 'Other' } });
    const foreign = await daemon.clientWith(['messages:read'], other.id);
    expect(await foreign.call(annotationRoutes.ofMessages, { body: { messageIds: [messageId] } })).toEqual({});
    expect(await foreign.call(annotationRoutes.ofSession, { params: { sessionId } })).toEqual([]);
    await uninstall(id);
  });
});
