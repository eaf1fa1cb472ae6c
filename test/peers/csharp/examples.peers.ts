/** examples/csharp, as they stand: the server of a game, against a daemon. The scene of an evening plays the other one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../../src/contract/routes.js';
import { deliveryHeaders } from '../../../src/signing/signing.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { Compiled, hasMono } from './driver.js';

const examples = fileURLToPath(new URL('../../../examples/csharp/', import.meta.url));
const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;

it.each(readdirSync(examples))('%s has at most 100 lines', (name) => {
  expect(
    readFileSync(examples + name, 'utf8')
      .trimEnd()
      .split('\n').length,
  ).toBeLessThanOrEqual(100);
});

describe.skipIf(!hasMono)('GameServer.cs', { timeout: 60_000 }, () => {
  let compiled: Compiled;
  let daemon: TestDaemon;
  let url: string;
  const lines: string[] = [];
  let stop = async () => {};
  beforeAll(async () => {
    compiled = new Compiled();
    const program = compiled.compile('GameServer.exe', [`${examples}GameServer.cs`]);
    daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' } });
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const env = {
      ...{
        PATH: process.env.PATH,
        PORT: String(port),
        QUEUE: `${compiled.folder}/queue`,
        EARSHOT_WEBHOOK_SECRET: secret,
      },
      ...{ EARSHOT_URL: daemon.url, EARSHOT_PROJECT: daemon.projectId, EARSHOT_API_KEY: daemon.apiKey },
    };
    const child = spawn('mono', [program], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const channel of [child.stdout, child.stderr])
      createInterface({ input: channel }).on('line', (line) => lines.push(line));
    stop = async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    };
    await eventually(() => expect(lines).toEqual(['Waiting for players']));
  }, 60_000);
  afterAll(async () => {
    await stop();
    await daemon?.stop();
    compiled?.remove();
  });

  const params = () => ({ projectId: daemon.projectId });
  const post = (path: string) => fetch(url + path, { method: 'POST' });

  it('lets players in with a token, and nobody who is banned', async () => {
    const token = await (await post('/enter?user=ann')).text();
    const headers = { Authorization: `Bearer ${token}` };
    expect((await fetch(`${daemon.url}/api/v1/user-additional-info`, { headers })).status).toBe(200);
    const body = { type: 'temp_ban', externalUserId: 'zed', duration: 600, reason: 'cheating' } as const;
    await daemon.client.call(routes.sanctions.create, { params: params(), body });
    const refused = await post('/enter?user=zed');
    expect([refused.status, await refused.text()]).toEqual([403, 'cheating']);
    expect((await post('/enter')).status).toBe(400);
    expect((await post('/nowhere?user=ann')).status).toBe(404);
  });

  it('counts kills, in batches', async () => {
    const board = { name: 'Kills', eventName: 'kill-enemy' } as const;
    const { id } = await daemon.client.call(routes.leaderboards.create, { params: params(), body: board });
    for (const user of ['ann', 'ben', 'ann']) expect((await post(`/kill?user=${user}`)).status).toBe(202);
    await eventually(async () => {
      const { leaderboards } = await daemon.client.call(routes.players.get, { params: { ...params(), userId: 'ann' } });
      expect(leaderboards).toMatchObject([{ leaderboardId: id, score: 2 }]);
    });
  });

  it('tells of each sanction once, and believes nobody without the secret', async () => {
    const hook = { url: `${url}/hook`, secret, events: ['sanction.*'] };
    await daemon.client.call(routes.webhooks.create, { params: params(), body: hook });
    const mute = { type: 'mute', externalUserId: 'ben', duration: 600 } as const;
    await daemon.client.call(routes.sanctions.create, { params: params(), body: mute });
    await eventually(() => expect(lines).toContain('ben: sanction.created, mute'));
    const data = { externalUserId: 'cid', type: 'warn' };
    const text = JSON.stringify({
      id: 'made-up',
      type: 'sanction.created',
      timestamp: '2026-01-01T00:00:00Z',
      payload: { action: 'created', data },
    });
    const send = (key: string) =>
      fetch(`${url}/hook`, { method: 'POST', body: text, headers: deliveryHeaders(key, 'made-up', text, new Date()) });
    expect((await send('another')).status).toBe(400);
    expect([(await send(secret)).status, (await send(secret)).status]).toEqual([204, 204]);
    expect(lines.filter((line) => line.startsWith('cid'))).toHaveLength(1);
  });
});
