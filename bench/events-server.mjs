// A whole daemon on a SQLite file of its own, with 10,000 players who have five challenges in progress each. With the
// argument `full`, the project also has three leaderboards, a battle pass with two challenges in progress for each player,
// and a webhook for everything that is announced of them. The webhook is disabled: its deliveries are stored with the
// events, as always, and held; `npm run bench -- webhooks` measures the sending.
import { sqlTime } from '#dist/daemon/platform/database/dialect.js';
import { battlePassLevelRoutes } from '#dist/src/contract/gameplay/battle-pass-levels.js';
import { battlePassRoutes } from '#dist/src/contract/gameplay/battle-passes.js';
import { challengeRoutes } from '#dist/src/contract/gameplay/challenges.js';
import { leaderboardRoutes } from '#dist/src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '#dist/src/contract/gameplay/players.js';
import { apiKeyRoutes } from '#dist/src/contract/identity/api-keys.js';
import { webhookRoutes } from '#dist/src/contract/webhooks/webhooks.js';
import { openDaemon } from './daemon-here.mjs';
import { counted, inPass, onBoards, playerName, players } from './workload.mjs';

const isFull = process.argv[2] === 'full';
const rowsPerInsert = 10_000;
const playersWithToken = 1_000;
const goal = 1_000_000_000;
const { admin, projectId, key, baseUrl, database, stop } = await openDaemon(['gameplay']);
const make = (route, body, more = {}) => admin.call(route, { params: { projectId, ...more }, body });

const challengeIds = [];
for (const eventName of counted)
  challengeIds.push((await make(challengeRoutes.create, { name: eventName, eventName, goal })).id);

const at = sqlTime(new Date());
const names = Array.from({ length: players }, (_, index) => playerName(index));
async function insertInto(table, columns, rows) {
  for (let from = 0; from < rows.length; from += rowsPerInsert)
    await database.transaction((tx) =>
      tx.$executeRawUnsafe(
        `INSERT INTO "${table}" (${columns.map((name) => `"${name}"`).join(', ')})
         SELECT ${columns.map((_, place) => `value->>${place}`).join(', ')} FROM json_each(?)`,
        JSON.stringify(rows.slice(from, from + rowsPerInsert)),
      ),
    );
}

if (isFull) {
  for (const eventName of onBoards) await make(leaderboardRoutes.create, { name: eventName, eventName });
  const hook = { url: 'https://game.example/hook', secret: 'a long enough secret' };
  const events = ['challenge.*', 'battlepass.*', 'leaderboard.*'];
  const { id } = await make(webhookRoutes.create, { ...hook, events });
  await make(webhookRoutes.update, { enabled: false }, { id });
  const { id: battlePassId } = await make(battlePassRoutes.create, { name: 'Season' });
  const challenges = inPass.map((eventName) => ({ name: eventName, eventName, goal }));
  const level = await make(battlePassLevelRoutes.create, { position: 1, challenges }, { id: battlePassId });
  challengeIds.push(...level.challenges.map((challenge) => challenge.id));
  const pass = names.map((user) => [projectId, user, battlePassId, user, at]);
  await insertInto('PlayerBattlePass', ['projectId', 'userId', 'battlePassId', 'purchaseId', 'unlockedAt'], pass);
  const levels = names.map((user) => [projectId, user, battlePassId, level.id, at]);
  await insertInto('PlayerBattlePassLevel', ['projectId', 'userId', 'battlePassId', 'levelId', 'activatedAt'], levels);
}
await insertInto(
  'PlayerChallenge',
  ['projectId', 'userId', 'challengeId', 'state', 'counter', 'unlockedAt', 'activatedAt'],
  names.flatMap((user) => challengeIds.map((id) => [projectId, user, id, 'in-progress', 0, at, at])),
);

const { key: tenantKey } = await admin.call(apiKeyRoutes.create, { body: { name: 'tenant', scopes: ['gameplay'] } });
const tokens = [];
for (const userId of names.slice(0, playersWithToken)) {
  const { token } = await admin.call(playerRoutes.createToken, { params: { projectId, userId } });
  tokens.push(token);
}
process.send({ url: `${baseUrl}/api/v1/events`, key, tenantKey, tokens });
process.on('message', () => process.send(process.cpuUsage()));

process.once('SIGTERM', async () => {
  process.send({ stored: await stop(() => database.read.gameEvent.count()) });
  process.exit();
});
