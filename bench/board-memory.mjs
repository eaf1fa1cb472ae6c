// npm run bench -- board-memory: memory of a daemon, as its operator starts it, to which a game sends events of 100,000 players that
// all come onto one board. While they come, once they are stored, and when V8 has had time to tidy up.
import { setTimeout as sleep } from 'node:timers/promises';
import { leaderboardRoutes } from '#dist/src/contract/gameplay/leaderboards.js';
import { startDaemon } from './daemon.mjs';
import { forgetPeak, peakMb, residentMb } from './memory.mjs';
import { round } from './statistics.mjs';
import { showTable } from './tables.mjs';
import { playerName } from './workload.mjs';

const members = 100_000;
const eventsPerBatch = 100;
const connections = 8;
const settledMs = 60_000;

async function send(url, key, from) {
  const events = Array.from({ length: Math.min(eventsPerBatch, members - from) }, (_, index) => ({
    ...{ user_id: playerName(from + index), event_name: 'earn-points', event_type: 'single', session_id: 'match-1' },
    meta_data: { amount: 1 + ((from + index) % 1_000) },
  }));
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ events }) });
  const { results } = await answer.json();
  if (!answer.ok || results.some(({ status }) => status !== 200)) throw new Error(`A batch got ${answer.status}.`);
}

export async function run() {
  const limits = ['CREDENTIAL', 'GAME_REQUESTS', 'GAME_EVENTS'].map((name) => [`EARSHOT_RATE_LIMIT_${name}`, '0']);
  const daemon = await startDaemon(Object.fromEntries(limits));
  const { admin, projectId, baseUrl, pid } = daemon;
  const pids = [pid];
  const key = await daemon.key(['gameplay']);
  const params = { projectId };
  const board = await admin.call(leaderboardRoutes.create, {
    params,
    body: { name: 'Points', eventName: 'earn-points' },
  });
  await sleep(settledMs);
  const idleMb = residentMb(pids);
  forgetPeak(pids);
  let next = 0;
  const game = async () => {
    while (next < members) {
      const from = next;
      next += eventsPerBatch;
      await send(`${baseUrl}/api/v1/events/batch`, key, from);
    }
  };
  await Promise.all(Array.from({ length: connections }, game));
  const query = { limit: 10 };
  const { total } = await admin.call(leaderboardRoutes.ranking, { params: { ...params, id: board.id }, query });
  if (total !== members) throw new Error(`The board has ${total} members.`);
  const storedMb = residentMb(pids);
  await sleep(settledMs);
  const settledMb = residentMb(pids);
  showTable([
    {
      members,
      'idle MiB': round(idleMb),
      'peak MiB': round(peakMb(pids)),
      'stored MiB': round(storedMb),
      'a minute later MiB': round(settledMb),
      'bytes a member': round(((settledMb - idleMb) * 1024 * 1024) / members),
    },
  ]);
  await daemon.stop();
}
