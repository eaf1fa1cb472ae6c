// A whole daemon on a SQLite file of its own, or on the PostgreSQL at the address that it is told, with a leaderboard of as many members as it is told.
import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { ScoreStore } from '#dist/daemon/modules/leaderboards/score-store.js';
import { leaderboardRoutes } from '#dist/src/contract/gameplay/leaderboards.js';
import { openDaemon } from './daemon-here.mjs';
import { playerName } from './workload.mjs';

const [members, databaseUrl] = [Number(process.argv[2]), process.argv[3] ?? ''];
const rowsPerInsert = 10_000;
const loadingMs = 200;

const { admin, projectId, key, baseUrl, database, stop } = await openDaemon(
  ['gameplay'],
  databaseUrl === '' ? {} : { DATABASE_URL: databaseUrl },
);
const body = { name: 'Points', eventName: 'earn-points' };
const { id } = await admin.call(leaderboardRoutes.create, { params: { projectId }, body });

const scores = new ScoreStore(database.dialect);
const { id: tallyId } = await database.read.leaderboardTally.findFirstOrThrow({ where: { leaderboardId: id } });
for (let from = 0; from < members; from += rowsPerInsert) {
  const rows = Array.from({ length: Math.min(rowsPerInsert, members - from) }, (_, index) => ({
    ...{ tallyId, memberType: 'user', memberId: playerName(from + index), sortOrder: 'desc' },
    ...{ score: Math.floor(Math.random() * 1_000_000), reachedId: uuidv7() },
  }));
  await database.transaction((tx) => scores.save(tx, rows, () => 0));
}

const board = `${baseUrl}/api/projects/${projectId}/leaderboards/${id}`;
const ask = async (url) => {
  const answer = await fetch(url, { headers: { 'x-api-key': key } });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
  return answer.text();
};
await ask(`${board}/ranking`); // from the table; the list is loaded from here on
const isLoaded = async () =>
  Number(/^earshot_leaderboard_members_in_memory\S* (\d+)/m.exec(await ask(`${baseUrl}/metrics`))?.[1]) >= members;
while (!(await isLoaded())) await sleep(loadingMs);

process.send({
  url: `${baseUrl}/api/v1/events`,
  topTen: `${board}/ranking?limit=10`,
  top: `${board}/ranking?limit=100`,
  member: `${board}/members/user/${playerName(Math.floor(members / 2))}?around=5`,
  rank: `${board}/members/user/${playerName(Math.floor(members / 2))}?around=2`,
  key,
});
process.once('SIGTERM', async () => {
  await stop();
  process.exit();
});
