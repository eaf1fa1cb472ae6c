/** Runs that are in flight while their plugin is disabled, their daemon stops, or a newer summary is asked for. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { annotationRoutes } from '../../src/contract/plugins/annotations.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';
import { sessionActionRoutes } from '../../src/contract/plugins/session-actions.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

describeDaemonsOnEachDatabase('plugin runs in flight', (start) => {
  let daemon: TestDaemon;
  let service: Receiver;
  let aheadMs = 0;
  beforeAll(async () => {
    const settings = { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' };
    daemon = await start({ now: () => new Date(Date.now() + aheadMs), settings });
    service = await startReceiver();
  });
  afterAll(async () => {
    await service.stop();
    await daemon.stop();
  });

  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ ...params(), id });
  const call: TestDaemon['client']['call'] = (route, input) => daemon.client.call(route, input);
  const install = (pluginId: string, settings: Record<string, string> = {}) =>
    call(pluginInstanceRoutes.create, {
      params: params(),
      body: { pluginId, settings: { baseUrl: service.url, apiKey: 'hush', ...settings } },
    });
  const uninstall = (id: string) => call(pluginInstanceRoutes.remove, { params: item(id) });
  const enable = (id: string, enabled: boolean) =>
    call(pluginInstanceRoutes.update, { params: item(id), body: { enabled } });
  const session = async () => {
    const body = { title: 'Match', externalRoomId: crypto.randomUUID(), autoStart: false };
    const { id } = await call(sessionRoutes.create, { params: params(), body });
    return id;
  };
  const say = (id: string, content: string) =>
    call(sessionRoutes.say, { params: item(id), body: { externalUserId: 'u1', content } });
  const runs = async (id: string) =>
    (await call(sessionActionRoutes.list, { params: item(id) })).plugins.flatMap(({ actions }) => actions);
  const asked = (text: string) => service.received.filter(({ body }) => body.includes(text));
  const summary = (text: string, afterMs: number) => ({
    ...{ status: 200, afterMs, body: JSON.stringify({ choices: [{ message: { content: text } }] }) },
  });

  it('are skipped when they fail for now after their plugin was disabled, and read no old words when it is enabled', async () => {
    service.behave = () => ({ status: 503, afterMs: 800 });
    const { id } = await install('moderation-api');
    const sessionId = await session();
    await say(sessionId, 'old words');
    await eventually(() => expect(asked('old words')).toHaveLength(1));
    await enable(id, false);
    const skipped = { status: 'skipped', error: 'the plugin was disabled' };
    await eventually(async () => expect(await runs(sessionId)).toMatchObject([skipped]));
    await enable(id, true);
    aheadMs += 3_600_000;
    await say(sessionId, 'new words');
    await eventually(() => expect(asked('new words')).toHaveLength(1));
    expect(asked('old words')).toHaveLength(1);
    await uninstall(id);
  });

  it('of before are skipped when their plugin is enabled again while they still run', async () => {
    service.behave = () => ({ status: 503, afterMs: 1_500 });
    const { id } = await install('moderation-api');
    const sessionId = await session();
    await say(sessionId, 'words of before');
    await eventually(() => expect(asked('words of before')).toHaveLength(1));
    await enable(id, false);
    await enable(id, true);
    expect(await runs(sessionId)).toMatchObject([{ status: 'skipped' }]);
    aheadMs += 3_600_000;
    await say(sessionId, 'words of after');
    await eventually(() => expect(asked('words of after')).toHaveLength(1));
    expect(asked('words of before')).toHaveLength(1);
    await uninstall(id);
  });

  it('lose no attempt to a restart of the daemon', async () => {
    service.behave = () => ({ hang: true });
    const { id } = await install('moderation-api');
    const sessionId = await session();
    await say(sessionId, 'words before restarts');
    for (let restart = 1; restart <= 6; restart += 1) {
      await eventually(() => expect(asked('words before restarts')).toHaveLength(restart));
      await daemon.restart();
    }
    await eventually(() => expect(asked('words before restarts')).toHaveLength(7));
    expect(await runs(sessionId)).toMatchObject([{ status: 'running', error: null }]);
    await uninstall(id);
  }, 120_000);

  it('make one summary of a session at a time, the one that was asked for last', async () => {
    let most = 0;
    let atOnce = 0;
    service.behave = () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      setTimeout(() => {
        atOnce -= 1;
      }, 400);
      return summary(`summary ${asked('to the bridge').length}`, 400);
    };
    const { id } = await install('summary');
    const sessionId = await session();
    await say(sessionId, 'to the bridge');
    const ask = () => call(sessionActionRoutes.regenerateSummary, { params: item(sessionId) });
    await ask();
    await eventually(() => expect(asked('to the bridge')).toHaveLength(1));
    // While the first is being written, many ask again, and the session ends.
    await Promise.all([ask(), ask(), ask(), ask()]);
    await call(sessionRoutes.stop, { params: item(sessionId) });
    await eventually(async () => {
      const found = await runs(sessionId);
      expect(found.filter(({ finishedAt }) => finishedAt === null)).toEqual([]);
      expect(found.filter(({ status }) => status === 'succeeded').length).toBeGreaterThanOrEqual(2);
      const [newest, ...others] = await call(annotationRoutes.ofSession, { params: { sessionId } });
      expect(others).toEqual([]);
      expect(newest?.content.text).toBe(`summary ${asked('to the bridge').length}`);
    });
    expect(most).toBe(1);
    // Of the four who asked together, the last stays.
    expect(asked('to the bridge').length).toBeLessThanOrEqual(3);
    await uninstall(id);
  });
});
