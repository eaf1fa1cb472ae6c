// npm run bench -- rebuild [--events 250000,1000000]: a leaderboard is counted again from its stored events without one player, put in place
// and taken back, while new events come in. Says how long that takes, how much memory, and how long the new events wait for their answers.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStore } from '#dist/daemon/modules/game-events/event-store.js';
import { readGameEvent } from '#dist/daemon/modules/game-events/model/game-event.js';
import { ScoreStore } from '#dist/daemon/modules/leaderboards/score-store.js';
import { Database } from '#dist/daemon/platform/database/database.js';
import { leaderboardRebuildRoutes as rebuilds } from '#dist/src/contract/gameplay/leaderboard-rebuilds.js';
import { leaderboardRoutes } from '#dist/src/contract/gameplay/leaderboards.js';
import { startDaemon } from './daemon.mjs';
import { quantile, round } from './statistics.mjs';
import { showTable } from './tables.mjs';
import { bodies, playerName, players } from './workload.mjs';

const eventName = 'earn-points';
const storedAtOnce = 1_000;
const mostAmount = 5;
const senders = 4;
const pauseMs = 20;
const aloneMs = 5_000;
const askMs = 100;
const memoryMs = 50;
const cheater = playerName(0);

/** Stores events and the scores that follow from them, as the intake would have. */
async function fill(database, projectId, count) {
  const [store, scores] = [new EventStore(database), new ScoreStore('sqlite')];
  const { tallyId } = await database.read.leaderboardPeriod.findFirstOrThrow();
  const totals = new Map();
  for (let from = 0; from < count; from += storedAtOnce) {
    const some = Array.from({ length: Math.min(storedAtOnce, count - from) }, (_, index) => {
      const meta_data = { amount: 1 + ((from + index) % mostAmount) };
      const payload = { user_id: playerName((from + index) % players), event_name: eventName, meta_data };
      return { projectId, event: readGameEvent(payload, null), idempotencyKey: null };
    });
    const stored = await database.transaction((tx) => store.insert(tx, some, new Date()));
    await sleep(1); // the daemon writes, too
    for (const { id, event } of stored) {
      const score = (totals.get(event.userId)?.score ?? 0) + event.amount;
      totals.set(event.userId, { score, reachedId: id });
    }
  }
  const rows = [...totals].map(([memberId, total]) => ({
    ...{ tallyId, memberType: 'user', memberId, sortOrder: 'desc', ...total },
  }));
  for (let from = 0; from < rows.length; from += storedAtOnce)
    await database.transaction((tx) => scores.save(tx, rows.slice(from, from + storedAtOnce), () => 0));
}

/** How many members of the board have another score than the sum of their stored events. Nobody may be sending. */
async function wrongScores({ read }, without) {
  const sums = await read.$queryRawUnsafe(
    'SELECT "userId", sum("amount") AS "score" FROM "GameEvent" WHERE "userId" <> ? GROUP BY "userId"',
    without,
  );
  const { tallyId } = await read.leaderboardPeriod.findFirstOrThrow();
  const rows = await read.leaderboardScore.findMany({ where: { tallyId } });
  const live = new Map(rows.map(({ memberId, sortKey }) => [memberId, -Number(sortKey)]));
  const different = sums.filter(({ userId, score }) => live.get(userId) !== Number(score)).length;
  return different + Math.abs(live.size - sums.length);
}

/** Players who go on playing: each sends an event, waits for its answer, and pauses. */
function play(url, key) {
  const times = [];
  let isOver = false;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const all = Array.from({ length: senders }, async () => {
    while (!isOver) {
      const began = performance.now();
      const answer = await fetch(url, { method: 'POST', headers, body: bodies.onBoard() });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`An event was answered ${answer.status}.`);
      times.push(performance.now() - began);
      await sleep(pauseMs);
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(all);
    return { sent: times.length, p50: round(quantile(times, 0.5), 1), p99: round(quantile(times, 0.99), 1) };
  };
}

/** The most memory of a process from now on until it is asked. */
function memoryOf(pid) {
  let kib = 0;
  const look = () => {
    kib = Math.max(kib, Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]));
  };
  look();
  const timer = setInterval(look, memoryMs);
  return () => {
    clearInterval(timer);
    return round(kib / 1024);
  };
}

async function measure(count) {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-rebuild-'));
  const daemon = await startDaemon({ EARSHOT_DATA_DIR: folder });
  const database = await Database.connect(`file:${join(folder, 'earshot.db')}`);
  try {
    const { admin, projectId, baseUrl, pid } = daemon;
    const key = await daemon.key(['gameplay']);
    const body = { name: 'Points', eventName };
    const { id } = await admin.call(leaderboardRoutes.create, { params: { projectId }, body });
    await fill(database, projectId, count);

    let rebuildId = '';
    const until = async (status) => {
      for (;;) {
        const rebuild = await admin.call(rebuilds.get, { params: { projectId, id, rebuildId } });
        if (rebuild.status === status) return;
        if (rebuild.status === 'failed') throw new Error(`The rebuild failed: ${rebuild.failure}.`);
        await sleep(askMs);
      }
    };
    const asked = (route) => admin.call(route, { params: { projectId, id, rebuildId } });
    const make = async () => {
      rebuildId = (await admin.call(rebuilds.make, { params: { projectId, id }, body: { without: [cheater] } })).id;
      await until('ready');
    };
    const phases = [
      { what: 'no rebuild', work: () => sleep(aloneMs), without: '' },
      { what: 'counted without a player', work: make, without: '' },
      { what: 'put in place', work: () => asked(rebuilds.apply).then(() => until('applied')), without: cheater },
      { what: 'taken back', work: () => asked(rebuilds.undo).then(() => until('undone')), without: '' },
    ];
    const rows = [];
    for (const { what, work, without } of phases) {
      const [memory, played] = [memoryOf(pid), play(`${baseUrl}/api/v1/events`, key)];
      const began = performance.now();
      await work();
      const seconds = round((performance.now() - began) / 1_000, 1);
      const { sent, p50, p99 } = await played();
      const wrong = await wrongScores(database, without);
      rows.push({
        ...{ events: count, what, seconds, 'memory MiB': memory(), 'wrong scores': wrong },
        ...{ 'new events': sent, 'their p50 / p99 ms': `${p50} / ${p99}` },
      });
    }
    return rows;
  } finally {
    await database.close();
    await daemon.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function run({ events }) {
  const rows = [];
  for (const count of events.split(',')) rows.push(...(await measure(Number(count))));
  showTable(rows);
  console.log(`${senders} players went on sending, each ${pauseMs} ms after the last answer.`);
  if (rows.some((row) => row['wrong scores'] > 0)) process.exitCode = 1;
}
