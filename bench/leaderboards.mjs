// npm run bench -- leaderboards: the rank of a member, the top 100 and the neighbours of a member in memory, beside a sorted set
// of Redis (apt install redis-server) that holds the same members; then over HTTP, beside a bare Express route that answers with
// as many bytes. Redis answers over a Unix socket, as a daemon would have to ask it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { hasRedis, Redis } from './redis.mjs';
import { runLoad } from './run-load.mjs';
import { median, quantile, ratio, round } from './statistics.mjs';
import { showTable } from './tables.mjs';

const sizes = [10_000, 100_000, 1_000_000];
const rounds = 5;
const questions = ['rank', 'top', 'around'];
const redisAsked = 2_000;
const redisUpdates = 100_000;
/** Commands that Redis gets in one write, where its answers do not decide what comes next. */
const redisPipeline = 200;
const http = { members: 1_000_000, connections: 32, rounds: 3, secondsPerRound: 2 };
const budgetMs = 0.5;

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const pick = (count) => Math.floor(Math.random() * count);
const nameOf = (index) => `player-${index}`;

async function earshotSide(members) {
  const child = fork(path('ranked-list.mjs'), [String(members)], { execArgv: ['--expose-gc'] });
  const [{ bytes }] = await once(child, 'message');
  const ask = async (what) => {
    child.send(what);
    return (await once(child, 'message'))[0];
  };
  return { bytes, times: ask, updates: () => ask('updates'), stop: () => child.kill() };
}

async function redisSide(members) {
  const redis = await Redis.start();
  const inParts = async (count, command) => {
    for (let from = 0; from < count; from += redisPipeline) {
      const length = Math.min(redisPipeline, count - from);
      await redis.many(Array.from({ length }, (_, index) => command(from + index)));
    }
  };
  await inParts(members, (index) => ['ZADD', 'board', pick(1_000_000), nameOf(index)]);
  const asks = {
    rank: (member) => redis.call('ZREVRANK', 'board', member),
    top: () => redis.call('ZRANGE', 'board', 0, 99, 'REV', 'WITHSCORES'),
    async around(member) {
      const rank = Number(await redis.call('ZREVRANK', 'board', member));
      await redis.call('ZRANGE', 'board', Math.max(0, rank - 5), rank + 5, 'REV', 'WITHSCORES');
    },
  };
  return {
    bytes: Number(await redis.call('MEMORY', 'USAGE', 'board', 'SAMPLES', '0')) / members,
    async times(question) {
      const times = [];
      for (let turn = 0; turn < redisAsked; turn += 1) {
        const member = nameOf(pick(members));
        const began = performance.now();
        await asks[question](member);
        times.push(performance.now() - began);
      }
      return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
    },
    async updates() {
      const began = performance.now();
      await inParts(redisUpdates, () => ['ZADD', 'board', pick(1_000_000), nameOf(pick(members))]);
      return (redisUpdates / (performance.now() - began)) * 1_000;
    },
    stop: () => redis.stop(),
  };
}

/** The sides take turns; each figure is the median of its rounds. */
async function measure(members, withRedis) {
  const sides = [await earshotSide(members), ...(withRedis ? [await redisSide(members)] : [])];
  const found = sides.map(() => ({ rank: [], top: [], around: [], updates: [] }));
  for (let turn = 0; turn <= rounds; turn += 1)
    for (const [index, side] of sides.entries()) {
      const times = [];
      for (const question of questions) times.push([question, await side.times(question)]);
      const updates = await side.updates();
      if (turn === 0) continue; // warm-up
      for (const [question, time] of times) found[index][question].push(time);
      found[index].updates.push(updates);
    }
  for (const side of sides) await side.stop();
  const middle = (times, part) => round(median(times.map((time) => time[part])), 4);
  return sides.map(({ bytes }, index) => ({
    members,
    what: ['Earshot, in process', 'Redis ZSET, Unix socket'][index],
    ...Object.fromEntries(
      questions.map((question) => [
        `${question} p50 / p99 ms`,
        `${middle(found[index][question], 'p50')} / ${middle(found[index][question], 'p99')}`,
      ]),
    ),
    'updates/s': round(median(found[index].updates)),
    'ratio of updates': withRedis ? (index === 0 ? ratio(found[0].updates, found[1].updates) : '1') : '',
    'bytes a member': round(bytes),
    worst: Math.max(...questions.map((question) => middle(found[index][question], 'p99'))),
  }));
}

async function overHttp() {
  const start = async (program, ...args) => {
    const server = fork(path(program), args);
    const failed = once(server, 'exit').then(() => Promise.reject(new Error(`${program} ended.`)));
    const [addresses] = await Promise.race([once(server, 'message'), failed]);
    failed.catch(() => {}); // it ends when the bench is done
    return { server, addresses };
  };
  const sides = [await start('bare-express.mjs'), await start('leaderboards-server.mjs', String(http.members))];
  const rows = [];
  for (const [what, address, kind] of [
    ['top 100', 'top', 'get'],
    ['a member, with ten around', 'member', 'get'],
    ['POST /api/v1/events, durable, on the board', 'url', 'onBoard'],
  ]) {
    const results = sides.map(() => []);
    for (let turn = 0; turn < http.rounds; turn += 1)
      for (const [index, { addresses }] of sides.entries()) {
        const { connections, secondsPerRound: seconds } = http;
        results[index].push(await runLoad({ url: addresses[address], key: addresses.key, connections, seconds, kind }));
      }
    const rates = results.map((list) => list.map(({ perSecond }) => perSecond));
    rows.push({
      what,
      'bare Express, requests/s': round(median(rates[0])),
      'daemon, requests/s': round(median(rates[1])),
      ratio: ratio(rates[1], rates[0]),
      'p50 ms': median(results[1].map(({ p50 }) => p50)),
      'p99 ms': median(results[1].map(({ p99 }) => p99)),
      failed: results.flat().reduce((sum, { failed }) => sum + failed, 0),
    });
  }
  for (const { server } of sides) {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
  return rows;
}

export async function run() {
  const withRedis = hasRedis();
  const rows = [];
  for (const members of sizes) rows.push(...(await measure(members, withRedis)));
  showTable(rows.map(({ worst: _, ...row }) => row));
  const worst = Math.max(...rows.filter(({ what }) => what.startsWith('Earshot')).map((row) => row.worst));
  console.log(`Medians of ${rounds} rounds. The slowest p99 in process is ${worst} ms; the budget is ${budgetMs} ms.`);
  if (!withRedis) console.log('WITHOUT REDIS: redis-server is missing. Install it with: apt install redis-server');
  showTable(await overHttp());
  console.log(
    `Medians of ${http.rounds} rounds at ${http.connections} connections, on a board of ${http.members} members. Events go to random players.`,
  );
}
