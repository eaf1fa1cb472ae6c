// npm run bench -- disk: the bytes of SQLite's file that a stored game event occupies, by table and index. Of one that counts
// nowhere, and of one that moves a challenge and so is announced in the log.
import { sqlTime } from '#dist/daemon/platform/database/dialect.js';
import { challengeRoutes } from '#dist/src/contract/gameplay/challenges.js';
import { openDaemon } from './daemon-here.mjs';
import { round } from './statistics.mjs';
import { showTable } from './tables.mjs';
import { batchSize, bodies, counted, playerName, players } from './workload.mjs';

const stored = 40_000;
const goal = 1_000_000_000;

const inPages = `SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name`;

export async function run() {
  const { admin, projectId, key, baseUrl, database, stop } = await openDaemon(['gameplay']);
  const sizes = async () =>
    new Map((await database.read.$queryRawUnsafe(inPages)).map((row) => [row.name, Number(row.bytes)]));
  const send = async (body) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    const answer = await fetch(`${baseUrl}/api/v1/events/batch`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(await answer.text());
    await answer.arrayBuffer();
  };
  const perEvent = async (what, body) => {
    const before = await sizes();
    for (let sent = 0; sent < stored; sent += batchSize) await send(body());
    const grown = [...(await sizes())].map(([name, bytes]) => ({
      name,
      bytes: (bytes - (before.get(name) ?? 0)) / stored,
    }));
    const rows = grown.filter(({ bytes }) => bytes >= 1).sort((a, b) => b.bytes - a.bytes);
    const sum = rows.reduce((bytes, row) => bytes + row.bytes, 0);
    console.log(what);
    showTable(
      [...rows, { name: 'all', bytes: sum }].map(({ name, bytes }) => ({ name, 'bytes an event': round(bytes, 0) })),
    );
  };
  try {
    const events = (one) => () =>
      JSON.stringify({ events: Array.from({ length: batchSize }, () => JSON.parse(one())) });
    await perEvent('an event that counts nowhere', events(bodies.nothing));
    const at = sqlTime(new Date());
    for (const eventName of counted) {
      const { id } = await admin.call(challengeRoutes.create, {
        params: { projectId },
        body: { name: eventName, eventName, goal },
      });
      for (let from = 0; from < players; from += 1_000)
        await database.transaction((tx) =>
          tx.$executeRawUnsafe(
            `INSERT INTO "PlayerChallenge" ("projectId", "userId", "challengeId", "state", "counter", "unlockedAt", "activatedAt")
             SELECT ?, value, ?, 'in-progress', 0, ?, ? FROM json_each(?)`,
            projectId,
            id,
            at,
            at,
            JSON.stringify(Array.from({ length: 1_000 }, (_, index) => playerName(from + index))),
          ),
        );
    }
    await perEvent('an event that moves a challenge', events(bodies.counted));
  } finally {
    await stop();
  }
}
