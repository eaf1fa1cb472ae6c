/** The receivers of docs/receive-webhooks.md, as they stand there: each takes what the daemon has signed, and refuses the rest. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../../src/contract/routes.js';
import { deliveryHeaders, newWebhookSecret } from '../../../src/signing/signing.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { blockWith } from './commands.js';

const page = 'docs/receive-webhooks.md';
const receivers = [
  { language: 'js', file: 'receive.mjs', needs: ['node'], run: 'exec node receive.mjs' },
  { language: 'python', file: 'receive.py', needs: ['python3'], run: 'exec python3 receive.py' },
  { language: 'go', file: 'receive.go', needs: ['go'], run: 'go build -o receive receive.go && exec ./receive' },
  { language: 'csharp', file: 'Receive.cs', needs: ['mcs', 'mono'], run: 'mcs Receive.cs && exec mono Receive.exe' },
];
const isInstalled = (program: string): boolean => spawnSync('which', [program]).status === 0;
const startMs = 60_000;

describe.each(receivers)('the receiver in $language', { timeout: 2 * startMs }, ({ language, file, needs, run }) => {
  const secret = newWebhookSecret();
  const folder = mkdtempSync(join(tmpdir(), 'earshot-receiver-'));
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  });
  afterAll(async () => {
    await daemon.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.skipIf(!needs.every(isInstalled))('takes deliveries, and refuses what nobody signed', async () => {
    writeFileSync(join(folder, file), blockWith(page, language, 'webhook-signature'));
    const port = String(await freePort());
    const { PATH = '', HOME = '' } = process.env; // Go keeps in HOME what it has compiled
    const child = spawn('sh', ['-c', run], {
      cwd: folder,
      env: { PATH, HOME, LANG: 'C.UTF-8', SECRET: secret, PORT: port },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    const url = `http://127.0.0.1:${port}/hook`;
    const post = async (headers: Record<string, string>, body: string) =>
      (await fetch(url, { method: 'POST', headers, body })).status;
    try {
      const body = JSON.stringify({ type: 'sanction.created', payload: { data: { externalUserId: 'forged' } } });
      await eventually(async () => expect(await post({}, body)).toBe(400), startMs);

      const params = { projectId: daemon.projectId };
      await daemon.client.call(routes.webhooks.create, { params, body: { url, secret, events: ['sanction.*'] } });
      const mute = { type: 'mute', externalUserId: 'jürgen', duration: 600, reason: 'shouting' } as const;
      await daemon.client.call(routes.sanctions.create, { params, body: mute });
      await eventually(() => expect(lines.some((line) => line.includes('jürgen'))).toBe(true), 20_000);

      const now = new Date();
      const past = new Date(now.getTime() - 6 * 60_000);
      const ahead = new Date(now.getTime() + 6 * 60_000);
      const signed = deliveryHeaders(secret, 'id', body, now);
      expect(await post(signed, body)).toBe(204);
      expect(await post(deliveryHeaders(newWebhookSecret(), 'id', body, now, secret), body)).toBe(204); // while it is changed
      expect(await post(signed, `${body} `)).toBe(400);
      expect(await post({ ...signed, 'webhook-id': 'other' }, body)).toBe(400);
      expect(await post({ ...signed, 'webhook-timestamp': 'soon' }, body)).toBe(400);
      expect(await post({ ...signed, 'webhook-signature': 'v1,' }, body)).toBe(400);
      expect(await post(deliveryHeaders(newWebhookSecret(), 'id', body, now), body)).toBe(400);
      for (const time of [past, ahead]) expect(await post(deliveryHeaders(secret, 'id', body, time), body)).toBe(400);
    } finally {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    }
  });
});
