// A daemon as its operator starts it: a process of its own on a temporary data folder, with what the benches ask of it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { EarshotClient } from '#dist/src/client/earshot-client.js';
import { accountRoutes } from '#dist/src/contract/identity/accounts.js';
import { apiKeyRoutes } from '#dist/src/contract/identity/api-keys.js';
import { sanctionBatchRoutes } from '#dist/src/contract/moderation/sanction-batches.js';
import { participantRoutes } from '#dist/src/contract/people/participants.js';
import { projectRoutes } from '#dist/src/contract/projects/projects.js';

const bundled = fileURLToPath(new URL('../bin/earshotd.js', import.meta.url));
const email = 'admin@localhost';
const password = 'a long enough password';
/** For profiles: BENCH_NODE_ARGS='--cpu-prof --cpu-prof-dir=/tmp/profile' npm run bench -- streams */
const nodeArgs = (process.env.BENCH_NODE_ARGS ?? '').split(' ').filter(Boolean);

async function addressOf(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    const entry = line.startsWith('{') ? JSON.parse(line) : {};
    if (entry.msg === 'listening') return entry.http;
  }
  throw new Error('The daemon did not start.');
}

/**
 * @param settings instead of the bench's own
 * @param program file that is run in place of the daemon's
 */
export async function startDaemon(settings = {}, program = bundled) {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-'));
  const began = performance.now();
  const child = spawn(process.execPath, [...nodeArgs, program, 'run'], {
    env: {
      PATH: process.env.PATH,
      EARSHOT_PORT: '0',
      EARSHOT_MQTT_PORT: '0',
      EARSHOT_MEDIA_PORT: '0',
      EARSHOT_TRANSCRIBER: 'off',
      EARSHOT_CONNECTIONS_ADDRESS: '0',
      EARSHOT_STORAGE_DAY_MB: '0',
      EARSHOT_CONNECTIONS_TENANT: '0',
      EARSHOT_CONNECTIONS_PLAYER: '0',
      EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8',
      EARSHOT_ADMIN_EMAIL: email,
      EARSHOT_ADMIN_PASSWORD: password,
      EARSHOT_DATA_DIR: folder,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const clear = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const end = () => {
    child.kill('SIGKILL');
    clear();
  };
  process.once('exit', end);
  const baseUrl = await addressOf(child);
  const readyMs = performance.now() - began;
  child.stdout.resume();

  const login = { body: { email, password } };
  const { accessToken } = await new EarshotClient({ baseUrl }).call(accountRoutes.loginCredentials, login);
  const admin = new EarshotClient({ baseUrl, credential: { kind: 'bearer', token: accessToken } });
  const [{ id: projectId }] = await admin.call(projectRoutes.list, {});
  let users = 0;
  let writer = null;
  let changes = 0;

  async function startWriter(key) {
    const game = new EarshotClient({ baseUrl, credential: { kind: 'apiKey', key } });
    const body = { externalUserId: 'changed' };
    const { id } = await game.call(participantRoutes.create, { params: { projectId }, body });
    return { game, id };
  }

  return {
    pid: child.pid,
    readyMs,
    baseUrl,
    admin,
    accessToken,
    projectId,
    async key(scopes, of = projectId) {
      return (await admin.call(apiKeyRoutes.create, { body: { name: 'bench', scopes, projectId: of } })).key;
    },
    /** Makes so many sanction.created events, in one transaction. */
    async publish(count) {
      const items = Array.from({ length: count }, () => ({ type: 'warn', externalUserId: `u${users++}` }));
      await admin.call(sanctionBatchRoutes.apply, { params: { projectId }, body: { items } });
    },
    /** Changes one participant as a game's server does: an event in a transaction of its own. */
    async change() {
      writer ??= startWriter(await this.key(['participants']));
      const { game, id } = await writer;
      const body = { displayName: `Player ${changes++}` };
      await game.call(participantRoutes.update, { params: { projectId, id }, body });
    },
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      process.off('exit', end);
      clear();
    },
  };
}
