/**
 * `earshotd exec -- COMMAND`: a throw-away daemon on free ports and a temporary folder for a CI job. The command
 * finds it in EARSHOT_URL, EARSHOT_API_KEY, EARSHOT_PROJECT and EARSHOT_MQTT_URL; its exit code is ours.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from '../../src/client/api-client.js';
import { accountRoutes } from '../../src/contract/accounts.js';
import { apiKeyRoutes } from '../../src/contract/api-keys.js';
import { projectRoutes } from '../../src/contract/projects.js';
import { scopeNames } from '../../src/contract/scopes.js';
import { loadSettings } from '../config/load.js';
import { Daemon } from '../daemon.js';
import { createLogger } from '../observability/logger.js';
import type { SettingOptions } from './setting-options.js';

const administrator = 'ci@localhost';

export async function exec(command: readonly string[], { config, set }: SettingOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-exec-'));
  const password = randomBytes(18).toString('base64url');
  const { settings } = loadSettings({
    file: config,
    flags: {
      EARSHOT_PORT: '0',
      EARSHOT_MQTT_PORT: '0',
      EARSHOT_MEDIA_PORT: '0',
      EARSHOT_LOG_LEVEL: 'error',
      ...set,
      EARSHOT_DATA_DIR: folder,
      DATABASE_URL: `file:${join(folder, 'earshot.db')}`,
      EARSHOT_ADMIN_EMAIL: administrator,
      EARSHOT_ADMIN_PASSWORD: password,
    },
  });
  const daemon = new Daemon(settings, createLogger(settings.EARSHOT_LOG_LEVEL));
  try {
    await daemon.start();
    const environment = { ...process.env, ...(await credentials(daemon, password)) };
    process.exitCode = await runCommand(command, environment);
  } finally {
    await daemon.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  process.exit();
}

async function credentials(daemon: Daemon, password: string): Promise<Record<string, string>> {
  const baseUrl = daemon.addresses.http;
  const anonymous = new ApiClient({ baseUrl });
  const { accessToken } = await anonymous.call(accountRoutes.loginCredentials, {
    body: { email: administrator, password },
  });
  const client = new ApiClient({ baseUrl, credential: { kind: 'bearer', token: accessToken } });
  const [project] = await client.call(projectRoutes.list, {});
  const { key } = await client.call(apiKeyRoutes.create, { body: { name: 'exec', scopes: [...scopeNames] } });
  return {
    EARSHOT_URL: baseUrl,
    EARSHOT_API_KEY: key,
    EARSHOT_PROJECT: project?.id ?? '',
    EARSHOT_MQTT_URL: daemon.addresses.mqtt,
  };
}

function runCommand([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env });
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    process.on('SIGINT', () => {
      if (!process.stdin.isTTY) child.kill('SIGINT'); // a terminal sends ctrl-c to both
    });
    child.on('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}
