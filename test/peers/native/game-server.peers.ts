/** examples/game-server in Go, Python and TypeScript, each as its users start it, against a daemon that sends webhooks. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../../src/contract/routes.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { FaultProxy } from '../../support/fault-proxy.js';
import { freePort } from '../../support/free-port.js';
import { openStream } from '../../support/stream.js';
import { examples, gameServersIn } from './game-servers.js';

const folder = mkdtempSync(join(tmpdir(), 'earshot-game-server-'));
const programs = await gameServersIn(folder);

const retryAfterSeconds = 4;

let daemon: TestDaemon;
const proxy = new FaultProxy(() => daemon.url);
beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  await proxy.start();
});
afterAll(async () => {
  await proxy.stop();
  await daemon?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const params = () => ({ projectId: daemon.projectId });

describe.each(programs)('the game server in $language', { timeout: 120_000 }, ({ language, source, command }) => {
  it('has at most 115 lines of code', () => {
    const lines = readFileSync(join(examples, source), 'utf8').split('\n');
    expect(lines.filter((line) => line.trim() !== '' && !/^\s*(\/\/|#)/.test(line)).length).toBeLessThanOrEqual(115);
  });

  it('lets players in, sends what they do through refusals and cuts, and hears what moderators decide', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/webhook`;
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const body = { url, secret, events: ['sanction.*'] };
    const { id } = await daemon.client.call(routes.webhooks.create, { params: params(), body });
    const scopes = ['tokens', 'sanctions:read', 'gameplay'] as const;
    const { key } = await daemon.admin.call(routes.apiKeys.create, { body: { name: language, scopes: [...scopes] } });
    const [program, ...args] = command;
    const child = spawn(program, args, {
      env: {
        ...{ PATH: process.env.PATH, EARSHOT_URL: proxy.url, EARSHOT_PROJECT: daemon.projectId },
        ...{ EARSHOT_API_KEY: key, EARSHOT_WEBHOOK_SECRET: secret, PORT: String(port) },
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    const post = () => fetch(url, { method: 'POST', body: '{}', headers: { 'webhook-id': 'x' } });
    await eventually(async () => expect((await post()).status).toBe(400), 20_000); // nobody has signed that

    const player = `ann-${language}`;
    child.stdin.write(`join ${player}\n`);
    const [, room = '', token = ''] = await eventually(() => {
      const found = lines.map((line) => / may join (\S+) (\S+)$/.exec(line)).find((match) => match !== null);
      if (found == null) throw new Error(lines.join('\n'));
      return found;
    }, 10_000);
    const stream = await openStream(`${room}/events`, { Authorization: `Bearer ${token}` });
    expect((await stream.next()).data).toMatchObject({ you: { externalUserId: player, publish: true } });
    stream.close();

    const ban = { type: 'temp_ban', externalUserId: player, duration: 60, reason: 'cheating' } as const;
    const sanction = await daemon.client.call(routes.sanctions.create, { params: params(), body: ban });
    await eventually(() => expect(lines).toContain(`sanction.created sanction:${sanction.id}`), 20_000);
    child.stdin.write(`join ${player}\n`);
    await eventually(() => expect(lines).toContain(`${player} is banned: cheating`), 10_000);

    for (let count = 0; count < 3; count += 1) child.stdin.write(`kill ${player}\n`);
    await eventually(() => expect(lines.join('\n')).toMatch(/batch of 3 \[\W*200\W+200\W+200\W*\]/), 10_000);
    expect(await eventsOf(player)).toBe(3);

    // Each wait is longer than the program's own first ones, so only the header explains it.
    const retry = { 'Retry-After': String(retryAfterSeconds) };
    proxy.next.push({ kind: 'answer', status: 429, headers: retry, body: '{"code":"rate_limited"}' });
    proxy.next.push({ kind: 'answer', status: 503, headers: retry, body: 'Somebody in between is busy.' });
    proxy.next.push({ kind: 'cut after' });
    const before = proxy.passed.length;
    for (let count = 0; count < 2; count += 1) child.stdin.write(`kill ${player}\n`);
    await eventually(() => expect(lines.join('\n')).toMatch(/batch of 2 \[\W*200\W+200\W*\]/), 40_000);
    const tries = proxy.passed.slice(before);
    expect(tries.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(4).fill('POST /api/v1/events/batch'));
    expect(new Set(tries.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    const waits = tries.slice(1).map(({ at }, index) => (at - (tries[index]?.at ?? 0)) / 1_000);
    expect(Math.min(...waits.slice(0, 2))).toBeGreaterThanOrEqual(retryAfterSeconds - 0.05); // clocks of two processes
    expect(await eventsOf(player)).toBe(5); // the third try was counted, though its answer was lost

    const exit = once(child, 'exit');
    child.kill();
    await exit;
    await daemon.client.call(routes.webhooks.remove, { params: { ...params(), id } });
  });
});

const eventsOf = async (player: string): Promise<number> =>
  (await daemon.client.fetch(routes.gameEvents.export, { params: params(), query: {} }))
    .text()
    .then((text) => text.split('\n').filter((line) => line.includes(player)).length);
