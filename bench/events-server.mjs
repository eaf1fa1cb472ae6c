// Intake of game events behind the real HTTP side, on a SQLite file of its own: 10,000 players with 5 challenges each.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database, sqlTime } from '#dist/daemon/database/database.js';
import { migrate } from '#dist/daemon/database/migrate.js';
import { EventLog } from '#dist/daemon/events/log.js';
import { LocalWakeUps } from '#dist/daemon/events/wake-ups.js';
import { ChallengeService } from '#dist/daemon/features/gameplay/challenge-service.js';
import { ChallengeStore } from '#dist/daemon/features/gameplay/challenge-store.js';
import { ChallengeDefinitions } from '#dist/daemon/features/gameplay/definitions.js';
import { EventStore } from '#dist/daemon/features/gameplay/event-store.js';
import { EventIntake } from '#dist/daemon/features/gameplay/intake.js';
import { PlayerChallenges } from '#dist/daemon/features/gameplay/player-challenges.js';
import { gameplayRouter } from '#dist/daemon/features/gameplay/router.js';
import { StandingStore } from '#dist/daemon/features/gameplay/standing-store.js';
import { createApp } from '#dist/daemon/http/app.js';
import { Authentication } from '#dist/daemon/http/authentication.js';
import { Authorisation } from '#dist/daemon/http/authorisation.js';
import { createLogger } from '#dist/daemon/observability/logger.js';
import { CreateChallengeRequest } from '#dist/src/contract/challenges.js';
import { counted, playerName, players } from './workload.mjs';

const now = () => new Date();
const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-'));
const url = `file:${join(folder, 'earshot.db')}`;
await migrate(url, now);
const database = await Database.connect(url);
const log = new EventLog(database, new LocalWakeUps(), now);
await log.start();

const at = now();
await database.transaction(async (tx) => {
  await tx.tenant.create({ data: { id: 't', name: 'Studio', createdAt: at } });
  await tx.project.create({ data: { id: 'p', tenantId: 't', name: 'Game', billingProjectId: 'p', createdAt: at } });
});
const challengeStore = new ChallengeStore(database.dialect);
const definitions = new ChallengeDefinitions(challengeStore);
const standings = new StandingStore(database.dialect);
const configuration = new ChallengeService(database, challengeStore, now);
const challenges = new PlayerChallenges(database, log, definitions, standings, now);
const ids = [];
for (const eventName of counted) {
  const request = CreateChallengeRequest.parse({ name: eventName, eventName, goal: 1_000_000_000 });
  ids.push((await configuration.create('p', request)).id);
}
const rows = Array.from({ length: players }, (_, index) => playerName(index)).flatMap((user) =>
  ids.map((id) => [user, id]),
);
for (let from = 0; from < rows.length; from += 10_000) {
  await database.transaction((tx) =>
    tx.$executeRawUnsafe(
      `INSERT INTO "PlayerChallenge" ("projectId", "userId", "challengeId", "state", "counter", "unlockedAt", "activatedAt")
       SELECT 'p', value->>0, value->>1, 'in-progress', 0, ?, ? FROM json_each(?)`,
      sqlTime(at),
      sqlTime(at),
      JSON.stringify(rows.slice(from, from + 10_000)),
    ),
  );
}

const unlimited = { requestsPerSecond: 0, eventsPerSecond: 0 };
const intake = new EventIntake(database, log, definitions, new EventStore(database.dialect), standings, now, unlimited);
const key = {
  kind: 'apiKey',
  id: 'k',
  tenantId: 't',
  projectId: 'p',
  scopes: ['gameplay'],
  credentialId: 'k',
  expiresAt: null,
};
const nobody = async () => null;
const app = createApp({
  routes: gameplayRouter({ intake, challenges, tokens: null, info: null, topics: null }),
  edge: {
    authentication: new Authentication({ apiKey: async () => key, userToken: nobody, playerToken: nobody }),
    authorisation: new Authorisation({
      grant: async () => ({ projectId: 'p', tenantId: 't', role: 'admin' }),
      onlyProject: async () => 'p',
    }),
    idempotency: { once: (_route, _caller, _request, _body, run) => run() },
  },
  routers: [],
  trustedProxies: [],
  corsOrigins: [],
  log: createLogger('error'),
});
const server = app.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));

process.once('SIGTERM', async () => {
  server.close();
  server.closeAllConnections();
  await intake.stop();
  process.send({ stored: await database.read.gameEvent.count(), announced: Number(await log.head()) });
  await database.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});
