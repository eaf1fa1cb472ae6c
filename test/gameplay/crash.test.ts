/** Acknowledged is durable: a daemon killed under load has lost nothing that it said it had. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../daemon/database/database.js';
import { ApiClient } from '../../src/client/api-client.js';
import { accountRoutes } from '../../src/contract/accounts.js';
import { apiKeyRoutes } from '../../src/contract/api-keys.js';
import { challengeRoutes } from '../../src/contract/challenges.js';
import { playerRoutes } from '../../src/contract/players.js';
import { projectRoutes } from '../../src/contract/projects.js';

const program = fileURLToPath(new URL('../../bin/earshotd.js', import.meta.url));
const account = { email: 'admin@localhost', password: 'a long enough password' };
const senders = 32;
/** Four daemons are started one after the other, beside whatever else the machine does. */
const patienceMs = 120_000;

let dataDir: string;
let child: ChildProcess | null = null;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'earshot-crash-'));
});
afterEach(async () => {
  await kill();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Starts a daemon process on the folder; resolves to its HTTP address. */
async function start(): Promise<string> {
  const environment = {
    EARSHOT_PORT: '0',
    EARSHOT_MQTT_PORT: '0',
    EARSHOT_MEDIA_PORT: '0',
    EARSHOT_TRANSCRIBER: 'off',
    EARSHOT_DATA_DIR: dataDir,
    EARSHOT_ADMIN_PASSWORD: account.password,
  };
  const started = spawn(process.execPath, [program, 'run'], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = started;
  const said: string[] = [];
  started.stderr.on('data', (chunk) => said.push(String(chunk)));
  for await (const line of createInterface({ input: started.stdout })) {
    said.push(line);
    if (!line.startsWith('{')) continue;
    const entry: { msg?: string; http?: string } = JSON.parse(line);
    if (entry.msg !== 'listening' || entry.http === undefined) continue;
    started.stdout.resume();
    return entry.http;
  }
  throw new Error(`The daemon did not start: ${said.join('\n')}`);
}

async function kill(): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

describe('kill -9 under load', () => {
  it(
    'leaves every acknowledged event exactly once, in rows, counter and log',
    async () => {
      let url = await start();
      const { accessToken } = await new ApiClient({ baseUrl: url }).call(accountRoutes.loginCredentials, {
        body: account,
      });
      const admin = () => new ApiClient({ baseUrl: url, credential: { kind: 'bearer', token: accessToken } });
      const [project] = await admin().call(projectRoutes.list, {});
      const projectId = project?.id ?? '';
      const { key } = await admin().call(apiKeyRoutes.create, {
        body: { name: 'game', scopes: ['gameplay'], projectId },
      });
      const challenge = await admin().call(challengeRoutes.create, {
        params: { projectId },
        body: { name: 'Endless', eventName: 'kill-enemy', goal: 1_000_000, counting: 'total' },
      });
      const params = { projectId, userId: 'u1', id: challenge.id };
      await admin().call(playerRoutes.unlock, { params });
      await admin().call(playerRoutes.activate, { params });

      const acknowledged = new Set<string>();
      let sent = 0;
      const send = async () => {
        for (;;) {
          sent += 1;
          const idempotencyKey = `event-${sent}`;
          const answer = await fetch(`${url}/api/v1/events`, {
            method: 'POST',
            headers: {
              Authorization: `Bearer ${key}`,
              'Content-Type': 'application/json',
              'Idempotency-Key': idempotencyKey,
            },
            body: JSON.stringify({ user_id: 'u1', event_name: 'kill-enemy', meta_data: { amount: 1 } }),
          });
          if (answer.status === 200) acknowledged.add(idempotencyKey);
        }
      };
      for (const round of [1, 2, 3]) {
        const load = Array.from({ length: senders }, () => send().catch(() => {}));
        const wanted = acknowledged.size + 200;
        while (acknowledged.size < wanted) await new Promise((resolve) => setTimeout(resolve, round));
        await kill();
        await Promise.all(load);
        url = await start();
      }

      const player = await admin().call(playerRoutes.get, { params: { projectId, userId: 'u1' } });
      await kill();
      const database = await Database.connect(`file:${join(dataDir, 'earshot.db')}`);
      const rows = await database.read.gameEvent.findMany();
      const announced = await database.read.domainEvent.findMany({
        where: { type: 'challenge.changed' },
        orderBy: { position: 'asc' },
      });
      await database.close();
      const stored = rows.map(({ idempotencyKey }) => idempotencyKey?.split(' ')[1]);
      expect(new Set(stored).size).toBe(stored.length);
      for (const id of acknowledged) expect(stored).toContain(id);
      expect(player.challenges).toMatchObject([{ counter: rows.length }]);
      const counters = announced.map(
        ({ payload }) => JSON.parse(payload).data.new_challenge.user_challenge_current_score,
      );
      expect(counters).toEqual([0, 0, ...Array.from({ length: rows.length }, (_, index) => index + 1)]);
    },
    patienceMs,
  );
});
