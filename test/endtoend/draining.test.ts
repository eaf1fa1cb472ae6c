/** SIGTERM to a daemon that serves: it says so first, and every request that reaches it is answered. */
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';

const delaySeconds = 2;
const atOnce = 8;

describe('SIGTERM', { timeout: 60_000 }, () => {
  let daemon: DaemonProcess;
  let token: string;
  beforeEach(async () => {
    daemon = new DaemonProcess({ EARSHOT_STOP_DELAY_SECONDS: String(delaySeconds) });
    await daemon.start();
    const login = new EarshotClient({ baseUrl: daemon.url }).call(accountRoutes.loginCredentials, {
      body: administrator,
    });
    ({ accessToken: token } = await login);
  });
  afterEach(() => daemon.dispose());

  const ready = async () => {
    const answer = await fetch(`${daemon.url}/health/ready`);
    return { status: answer.status, body: await answer.json(), connection: answer.headers.get('connection') };
  };
  const draining = () => eventually(async () => expect(await ready()).toMatchObject({ status: 503 }), 5_000);

  /** The project list, over this agent. */
  const list = (agent: http.Agent) =>
    new Promise<{ status: number | undefined; connection: string | undefined }>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${token}` };
      const asked = http.get(daemon.url + projectRoutes.list.path, { agent, headers }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve({ status: answer.statusCode, connection: answer.headers.connection }));
      });
      asked.on('error', reject);
    });

  it('keeps connections for longer than proxies keep theirs, which is a minute', async () => {
    const answer = await fetch(`${daemon.url}/health/live`);
    expect(answer.headers.get('keep-alive')).toBe('timeout=75');
  });

  it('makes it not ready first, while requests are answered and their connections closed', async () => {
    const agent = new http.Agent({ keepAlive: true });
    expect((await list(agent)).connection).toBe('keep-alive');
    const ended = daemon.end('SIGTERM');
    await draining();
    expect(await ready()).toMatchObject({
      status: 503,
      body: { problems: [{ part: 'daemon', problem: expect.stringContaining('stopping') }] },
      connection: 'close',
    });
    expect(await list(agent)).toEqual({ status: 200, connection: 'close' });
    expect(await ended).toBe(0);
    agent.destroy();
  });

  it('cuts no request that has come, on open connections and on new ones', async () => {
    const agent = new http.Agent({ keepAlive: true });
    await Promise.all(Array.from({ length: atOnce }, () => list(agent)));
    // Each login takes a while, one after the other: several are waiting when the signal comes.
    const logins = Array.from({ length: atOnce }, () =>
      new EarshotClient({ baseUrl: daemon.url }).call(accountRoutes.loginCredentials, { body: administrator }),
    );
    await sleep(20);
    const ended = daemon.end('SIGTERM');
    const statuses: (number | undefined)[] = [];
    for (const until = performance.now() + delaySeconds * 500; performance.now() < until; )
      statuses.push(...(await Promise.all(Array.from({ length: atOnce }, () => list(agent)))).map((one) => one.status));
    expect(statuses.every((status) => status === 200)).toBe(true);
    expect((await Promise.all(logins)).map(({ user }) => user.email)).toEqual(logins.map(() => administrator.email));
    expect(await ended).toBe(0);
    agent.destroy();
  });

  it('answers every request of a pipeline before it closes the connection', async () => {
    const { hostname, port } = new URL(daemon.url);
    const ended = daemon.end('SIGTERM');
    await draining();
    const socket = net.connect(Number(port), hostname);
    const one = `GET /api HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`;
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    socket.write(one.repeat(3));
    await once(socket, 'close');
    expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(3);
    expect(text.match(/^connection: \S+/gim)?.map((line) => line.toLowerCase())).toEqual([
      'connection: keep-alive',
      'connection: keep-alive',
      'connection: close',
    ]);
    expect(await ended).toBe(0);
  });
});
