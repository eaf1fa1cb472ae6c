// A whole daemon on a SQLite file of its own, with 10,000 players who have five challenges in progress each.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Daemon } from '#dist/daemon/daemon.js';
import { loadSettings } from '#dist/daemon/platform/config/load.js';
import { Database, sqlTime } from '#dist/daemon/platform/database/database.js';
import { createLogger } from '#dist/daemon/platform/observability/logger.js';
import { EarshotClient } from '#dist/src/client/earshot-client.js';
import { challengeRoutes } from '#dist/src/contract/gameplay/challenges.js';
import { accountRoutes } from '#dist/src/contract/identity/accounts.js';
import { apiKeyRoutes } from '#dist/src/contract/identity/api-keys.js';
import { projectRoutes } from '#dist/src/contract/projects/projects.js';
import { counted, playerName, players } from './workload.mjs';

const rowsPerInsert = 10_000;
const password = 'a long enough password';
const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-'));
const { settings } = loadSettings({
  environment: {},
  flags: {
    EARSHOT_PORT: '0',
    EARSHOT_MQTT_PORT: '0',
    EARSHOT_MEDIA_PORT: '0',
    EARSHOT_TRANSCRIBER: 'off',
    EARSHOT_LOG_LEVEL: 'error',
    EARSHOT_ADMIN_PASSWORD: password,
    EARSHOT_DATA_DIR: folder,
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
const { key } = await admin.call(apiKeyRoutes.create, { body: { name: 'bench', scopes: ['gameplay'], projectId } });
const challengeIds = [];
for (const eventName of counted) {
  const body = { name: eventName, eventName, goal: 1_000_000_000 };
  challengeIds.push((await admin.call(challengeRoutes.create, { params: { projectId }, body })).id);
}

const database = await Database.connect(`file:${join(folder, 'earshot.db')}`);
const standings = Array.from({ length: players }, (_, index) => playerName(index)).flatMap((user) =>
  challengeIds.map((challengeId) => [user, challengeId]),
);
const at = sqlTime(new Date());
for (let from = 0; from < standings.length; from += rowsPerInsert) {
  await database.transaction((tx) =>
    tx.$executeRawUnsafe(
      `INSERT INTO "PlayerChallenge" ("projectId", "userId", "challengeId", "state", "counter", "unlockedAt", "activatedAt")
       SELECT ?, value->>0, value->>1, 'in-progress', 0, ?, ? FROM json_each(?)`,
      ...[projectId, at, at, JSON.stringify(standings.slice(from, from + rowsPerInsert))],
    ),
  );
}
process.send({ url: `${baseUrl}/api/v1/events`, key });

process.once('SIGTERM', async () => {
  await daemon.stop();
  process.send({ stored: await database.read.gameEvent.count() });
  await database.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});
