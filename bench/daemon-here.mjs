// A whole daemon in this process, on a database that the caller may fill by hand: a SQLite file of its own unless the settings
// name another.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Daemon } from '#dist/daemon/daemon.js';
import { loadSettings } from '#dist/daemon/platform/config/load.js';
import { Database } from '#dist/daemon/platform/database/database.js';
import { createLogger } from '#dist/daemon/platform/observability/logger.js';
import { EarshotClient } from '#dist/src/client/earshot-client.js';
import { accountRoutes } from '#dist/src/contract/identity/accounts.js';
import { apiKeyRoutes } from '#dist/src/contract/identity/api-keys.js';
import { projectRoutes } from '#dist/src/contract/projects/projects.js';

const password = 'a long enough password';

export async function openDaemon(scopes, more = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-'));
  const { settings } = loadSettings({
    environment: {},
    flags: {
      EARSHOT_PORT: '0',
      EARSHOT_MQTT_PORT: '0',
      EARSHOT_MEDIA_PORT: '0',
      EARSHOT_TRANSCRIBER: 'off',
      EARSHOT_LOG_LEVEL: 'error',
      // Counted as always, and never reached.
      EARSHOT_RATE_LIMIT_CREDENTIAL: '100000000',
      EARSHOT_RATE_LIMIT_GAME_REQUESTS: '10000000',
      EARSHOT_RATE_LIMIT_GAME_EVENTS: '10000000',
      EARSHOT_ADMIN_PASSWORD: password,
      EARSHOT_DATA_DIR: folder,
      ...more,
    },
  });
  const daemon = new Daemon(settings, createLogger(settings.EARSHOT_LOG_LEVEL));
  await daemon.start();
  const baseUrl = daemon.addresses.http;
  const { accessToken } = await new EarshotClient({ baseUrl }).call(accountRoutes.loginCredentials, {
    body: { email: settings.EARSHOT_ADMIN_EMAIL, password },
  });
  const admin = new EarshotClient({ baseUrl, credential: { kind: 'bearer', token: accessToken } });
  const [{ id: projectId }] = await admin.call(projectRoutes.list, {});
  const { key } = await admin.call(apiKeyRoutes.create, { body: { name: 'bench', scopes, projectId } });
  const database = await Database.connect(settings.DATABASE_URL ?? `file:${join(folder, 'earshot.db')}`);
  return {
    ...{ admin, projectId, key, baseUrl, database },
    /** Resolves to what `last` reads of the database when the daemon has stopped. */
    async stop(last = () => null) {
      await daemon.stop();
      const read = await last();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
      return read;
    },
  };
}
