/** The examples do what they say, against a daemon, as they stand. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDaemon } from '../../daemon/admin-socket/client.js';
import { installPlugin } from '../../daemon/modules/plugins/installed/admin-operations.js';
import { readPlugin } from '../../daemon/modules/plugins/installed/plugin-folder.js';
import { routes } from '../../src/contract/routes.js';
import { deliveryHeaders } from '../../src/signing/signing.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { ciJobs } from './ci-jobs.js';
import { names, run, textOf } from './support.js';

const examplesFolder = fileURLToPath(new URL('../../examples/', import.meta.url));
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' } });
});
afterAll(() => daemon.stop());
const params = () => ({ projectId: daemon.projectId });

describe('every example program', () => {
  it.each(names.filter((name) => /\.[cm]?js$/.test(name)))('%s has at most 60 lines', (name) => {
    expect(textOf(name).trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  });
});

describe('webhook-receiver.mjs', () => {
  const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;

  it('tells of each sanction once, and believes nobody without the secret', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/hook`;
    const receiver = run('webhook-receiver.mjs', { PORT: String(port), EARSHOT_WEBHOOK_SECRET: secret });
    await eventually(() => expect(receiver.lines[0]).toContain('Waiting for webhooks'));

    const body = { url, secret, events: ['sanction.*'] };
    await daemon.client.call(routes.webhooks.create, { params: params(), body });
    const mute = { type: 'mute', externalUserId: 'u1', duration: 600, reason: 'shouting' } as const;
    const { id } = await daemon.client.call(routes.sanctions.create, { params: params(), body: mute });
    await eventually(() => expect(receiver.lines).toContain('u1: mute, shouting'));
    await daemon.client.call(routes.sanctions.revoke, { params: { ...params(), id }, body: {} });
    await eventually(() => expect(receiver.lines).toContain('u1: mute was lifted'));

    const event = {
      ...{ id: 'made-up', type: 'sanction.created', source: 'cortex:api', tenantId: 't', resourceId: 'sanction:1' },
      ...{ timestamp: new Date().toISOString(), payload: { action: 'created', data: { externalUserId: 'u2' } } },
    };
    const text = JSON.stringify(event);
    const post = (key: string) =>
      fetch(url, { method: 'POST', body: text, headers: deliveryHeaders(key, event.id, text, new Date()) });
    expect((await post('whsec_c29tZWJvZHkgZWxzZQ==')).status).toBe(400);
    expect((await post(secret)).status).toBe(204);
    expect((await post(secret)).status).toBe(204);
    await eventually(() => expect(receiver.lines.filter((line) => line.startsWith('u2'))).toHaveLength(1));
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(2 * 1024 * 1024) })).status).toBe(413);
    await receiver.stop();
  });
});

describe('plugin and plugin-endpoint', () => {
  const install = (folder: string, more: object = {}) => {
    const { manifest, code } = readPlugin(join(examplesFolder, folder));
    return askDaemon(daemon.dataDir, installPlugin, { manifest: { ...manifest, ...more }, code });
  };
  const annotationsOf = async (pluginId: string, content: string) => {
    const { id } = await daemon.client.call(routes.pluginInstances.create, { params: params(), body: { pluginId } });
    const session = await daemon.client.call(routes.sessions.create, {
      params: params(),
      body: { title: 'Evening', externalRoomId: pluginId, autoStart: false },
    });
    const at = { ...params(), id: session.id };
    await daemon.client.call(routes.sessions.say, { params: at, body: { externalUserId: 'u1', content } });
    const found = await eventually(async () => {
      const [message] = await daemon.client.call(routes.sessions.messages, { params: at });
      expect(message?.annotations).toHaveLength(1);
      return message?.annotations ?? [];
    }, 30_000);
    await daemon.client.call(routes.pluginInstances.remove, { params: { ...params(), id } });
    return found;
  };

  it('mark what is shouted', { timeout: 60_000 }, async () => {
    expect(await install('plugin')).toEqual({ secret: null });
    expect(await annotationsOf('shouting', 'GET OUT OF HERE')).toMatchObject([{ content: { score: 1 } }]);
  });

  it('and who is named, by a server that believes the daemon alone', { timeout: 60_000 }, async () => {
    const port = await freePort();
    const { secret } = await install('plugin-endpoint', { endpoint: `http://127.0.0.1:${port}/` });
    const server = run('plugin-endpoint/server.mjs', { PORT: String(port), SECRET: secret ?? '' });
    await eventually(() => expect(server.lines[0]).toContain('Waiting'));
    expect(await annotationsOf('names', 'it was Voldemort')).toMatchObject([{ content: { names: ['voldemort'] } }]);
    expect((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })).status).toBe(401);
    await server.stop();
  });
});

describe('mqtt-player.mjs', () => {
  it('shows how things stand, and then every step', async () => {
    const body = { name: 'Three down', eventName: 'kill-enemy', goal: 3 } as const;
    const { id } = await daemon.client.call(routes.challenges.create, { params: params(), body });
    const player = { ...params(), userId: 'u1' };
    for (const action of ['unlock', 'activate'] as const)
      await daemon.client.call(routes.players[action], { params: { ...player, id } });
    const { token } = await daemon.client.call(routes.players.createToken, { params: player });
    const env = { EARSHOT_URL: daemon.url, EARSHOT_PROJECT: daemon.projectId, EARSHOT_PLAYER_TOKEN: token };
    const client = run('mqtt-player.mjs', env);
    await eventually(() => expect(client.lines).toEqual(['Three down: 0 of 3, in-progress']));

    const kill = { event_name: 'kill-enemy', event_type: 'single', meta_data: { amount: 1 } } as const;
    for (let count = 0; count < 3; count += 1)
      await daemon.client.call(routes.players.sendEvent, { params: player, body: kill });
    await eventually(() =>
      expect(client.lines.slice(1)).toEqual([
        'Three down: 1 of 3, in-progress',
        'Three down: 2 of 3, in-progress',
        'Three down: 3 of 3, unclaimed',
      ]),
    );
    await client.stop();
  });
});

describe.each(ciJobs)('$name', { timeout: 120_000 }, ({ judge }) => {
  /** A game with Earshot beside it, as fresh-clone.test.ts sets it up. */
  const folder = mkdtempSync(join(tmpdir(), 'earshot-ci-'));
  beforeAll(() => symlinkSync(fileURLToPath(new URL('../../', import.meta.url)), join(folder, 'earshot')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const sh = (line: string) =>
    new Promise<number>((resolve) => {
      const env = { PATH: process.env.PATH, HOME: folder };
      execFile('sh', ['-c', line], { cwd: folder, env }, (error) => resolve(Number(error?.code ?? 0)));
    });

  it('ends well where the event comes, and leaves a report', async () => {
    expect(await sh(judge)).toBe(0);
    expect(readFileSync(join(folder, 'moderation.xml'), 'utf8')).toMatch(/tests="2" failures="0"/);
  });

  it('fails where it does not', async () => {
    expect(await sh(judge.replace('type=mute', 'type=ban').replace('5s', '1s'))).not.toBe(0);
    expect(readFileSync(join(folder, 'moderation.xml'), 'utf8')).toMatch(/tests="2" failures="1"/);
  });
});
