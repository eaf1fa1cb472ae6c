/** Plugins as people type them: the catalogue, instances, annotations, and own plugins of the operator. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PluginInstance } from '../../src/contract/plugins/plugins.js';
import { routes } from '../../src/contract/routes.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { programEnvironment } from '../support/program-environment.js';

let daemon: TestDaemon;
let folder: string;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
beforeAll(async () => {
  daemon = await startDaemon();
  folder = mkdtempSync(join(tmpdir(), 'earshot-plugin-'));
});
afterAll(async () => {
  cli.dispose();
  await daemon.stop();
  rmSync(folder, { recursive: true, force: true });
});

const program = createRequire(import.meta.url).resolve('../../bin/earshotd.js');
const earshotd = (...args: string[]) =>
  promisify(execFile)(process.execPath, [program, ...args], {
    env: { ...programEnvironment, EARSHOT_DATA_DIR: daemon.dataDir },
  }).catch((failed: { code: number; stdout: string; stderr: string }) => failed);

describe('earshot', () => {
  it('installs a plugin, changes and disables it, and shows what it said', async () => {
    expect((await cli.run(['plugins', 'list'])).stdout).toContain('moderation-api');
    const create = ['plugins', 'install', 'sentiment', '--set', 'minimum=0.1'];
    const { id } = await cli.json<PluginInstance>(create);
    expect(await cli.json<PluginInstance>(['plugins', 'update', id, '--set', 'minimum=0.2'])).toMatchObject({
      settings: { minimum: 0.2 },
    });
    const params = { projectId: daemon.projectId };
    const session = await daemon.client.call(routes.sessions.create, {
      params,
      body: { title: 'Match', externalRoomId: 'arena', autoStart: false },
    });
    const at = { ...params, id: session.id };
    const body = { externalUserId: 'u1', content: 'a wonderful shot' };
    const message = await daemon.client.call(routes.sessions.say, { params: at, body });
    await eventually(async () =>
      expect((await cli.run(['sessions', 'messages', session.id])).stdout).toContain('sentiment positive'),
    );
    expect((await cli.run(['annotations', 'messages', message.id, 'unknown'])).stdout).toContain('sentiment');
    expect((await cli.run(['annotations', 'session', session.id])).stderr).toContain('Nothing to show');
    expect((await cli.run(['sessions', 'actions', session.id])).stdout).toContain('succeeded');
    expect((await cli.run(['sessions', 'summary', session.id])).stderr).toContain('no summary');
    expect((await cli.run(['sessions', 'summary', session.id, '--regenerate'])).code).toBe(5);
    expect(await cli.json(['plugins', 'disable', id])).toMatchObject({ enabled: false });
    expect(await cli.json(['plugins', 'enable', id])).toMatchObject({ enabled: true });
    expect((await cli.run(['plugins', 'installed'])).stdout).toContain('sentiment');
    expect((await cli.run(['plugins', 'installed', id])).stdout).toContain('1.0.0');
    expect(await cli.json(['plugins', 'uninstall', id, '--yes'])).toEqual({ id, deleted: true });
  });

  it('says what is wrong with settings', async () => {
    const { code, stderr } = await cli.run(['plugins', 'install', 'sentiment', '--set', 'minimum=7']);
    expect({ code, stderr }).toMatchObject({ stderr: expect.stringContaining('minimum') });
    expect(code).not.toBe(0);
    expect((await cli.run(['plugins', 'install', 'sentiment', '--set', 'minimum'])).code).toBe(2);
  });
});

describe('earshotd plugins', () => {
  const manifest = {
    ...{ slug: 'greets', name: 'Greets', description: 'For a test.', version: '1.0.0', kind: 'message' },
    ...{ events: ['message.created'], main: 'plugin.js' },
  };
  const event = (content: string) => ({
    ...{ id: 'e1', type: 'message.created', source: 'cortex:api', tenantId: 't1', projectId: 'p1' },
    ...{ resourceId: 'message:m1', timestamp: '2026-01-01T00:00:00.000Z' },
    payload: { action: 'created', data: { id: 'm1', sessionId: 's1', content } },
  });

  it('tries, installs, lists and removes a plugin', { timeout: 60_000 }, async () => {
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
    const code = `export default ({ payload }) => {
      if (payload.data.content === 'broken') throw new Error('on purpose');
      console.log('read', payload.data.content);
      return { annotations: [{ type: 'greeting', content: { found: true } }] };
    };`;
    writeFileSync(join(folder, 'plugin.js'), code);
    const events = join(folder, 'events.jsonl');
    writeFileSync(events, JSON.stringify(event('hello')));
    const tried = await earshotd('plugins', 'test', folder, '--events', events);
    expect(tried.stdout).toContain('greeting: {"found":true}');
    expect(tried.stdout).toContain('printed: read hello');
    writeFileSync(events, `${JSON.stringify(event('hello'))}\n${JSON.stringify(event('broken'))}\n`);
    const failed = await earshotd('plugins', 'test', folder, '--events', events);
    expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining('failed: Error: on purpose') });
    writeFileSync(events, Buffer.from(JSON.stringify(event('h\xe9llo')), 'latin1'));
    const undecoded = await earshotd('plugins', 'test', folder, '--events', events);
    expect(undecoded).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('events.jsonl:1: a character is not UTF-8'),
    });
    const counted = await earshotd('plugins', 'test', folder, '--last', '0x10');
    expect(counted).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--last takes a whole number from 1 to'),
    });

    const erased = { ...event(''), payload: { action: 'created', data: { id: 'm1', redacted: true } } };
    writeFileSync(events, `${JSON.stringify(erased)}\n${JSON.stringify(event('hello'))}\n`);
    const example = await earshotd('plugins', 'test', 'examples/plugin', '--events', events);
    expect(example).toMatchObject({ stderr: expect.stringContaining('1 events of 2, 0 failed') });
    expect(example).not.toHaveProperty('code');

    expect((await earshotd('plugins', 'install', folder)).stdout).toContain('installed greets 1.0.0');
    expect((await earshotd('plugins', 'list')).stdout).toContain('greets');
    expect((await cli.run(['plugins', 'get', 'greets'])).code).toBe(0);
    expect((await earshotd('plugins', 'uninstall', 'greets')).stdout).toContain('uninstalled greets');
    expect(await earshotd('plugins', 'uninstall', 'greets')).toMatchObject({ code: expect.any(Number) });
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, main: undefined }));
    expect((await earshotd('plugins', 'install', folder)).stderr).toContain('either main or endpoint');
  });
});
