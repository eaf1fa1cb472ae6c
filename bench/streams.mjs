// npm run bench -- streams [--streams 1000,5000]: events from the change to everybody who follows them, against a bare Node SSE server that
// writes the same bytes to as many streams. The daemon stores each event first.
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Audience } from './audience.mjs';
import { startDaemon } from './daemon.mjs';
import { median, quantile, ratio, round } from './statistics.mjs';

const rounds = 3;
const deliveriesPerRound = 200_000;
const eventsPerRequest = 20;
const streamsPerKey = 1_000;
const latency = { streams: 1_000, perSecond: 10, seconds: 4 };

const residentMb = (pid) => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) / 1024;

async function daemonSide(streams) {
  const daemon = await startDaemon();
  const keys = [];
  for (let left = streams; left > 0; left -= streamsPerKey) keys.push(await daemon.key(['events:read']));
  const audience = new Audience();
  const url = `${daemon.baseUrl}/api/projects/${daemon.projectId}/events/stream?types=sanction.created`;
  return {
    pid: daemon.pid,
    audience,
    grow: (size) => audience.grow(size, url, (index) => ({ 'X-API-Key': keys[Math.floor(index / streamsPerKey)] })),
    publish: (count) => daemon.publish(count),
    async stop() {
      audience.close();
      await daemon.stop();
    },
  };
}

async function bareSide(frame) {
  const server = fork(fileURLToPath(new URL('bare-streams.mjs', import.meta.url)));
  const [{ url }] = await once(server, 'message');
  const audience = new Audience();
  return {
    pid: server.pid,
    audience,
    grow: (size) => audience.grow(size, url),
    publish: (count) => fetch(url, { method: 'POST', body: frame, headers: { 'x-count': String(count) } }),
    async stop() {
      audience.close();
      server.disconnect();
      await once(server, 'exit');
    },
  };
}

/** One event as the daemon writes it. */
async function frameOf({ audience, grow, publish }) {
  await grow(1);
  let frame;
  const heard = audience.hears(1, (_, chunk) => {
    frame = chunk;
  });
  await Promise.all([heard, publish(1)]);
  return frame;
}

/** Deliveries per second, from the first change until everybody has heard of the last. */
async function flatOut({ audience, publish }) {
  const events = deliveriesPerRound / audience.size;
  const began = performance.now();
  const heard = audience.hears(events);
  for (let left = events; left > 0; left -= eventsPerRequest) await publish(Math.min(left, eventsPerRequest));
  await heard;
  return (deliveriesPerRound / (performance.now() - began)) * 1_000;
}

/** Milliseconds from the call to each stream, of changes that come one by one. */
async function delays({ audience, publish }) {
  const events = latency.perSecond * latency.seconds;
  const called = [];
  const delayed = [];
  const heard = audience.hears(events, (number) => delayed.push(performance.now() - called[number]));
  for (let event = 0; event < events; event += 1) {
    called.push(performance.now());
    await Promise.all([publish(1), sleep(1_000 / latency.perSecond)]);
  }
  await heard;
  return { p50: quantile(delayed, 0.5), p99: quantile(delayed, 0.99) };
}

async function measure(sides, size) {
  const idleMb = sides.map(({ pid }) => residentMb(pid));
  for (const { grow } of sides) await grow(size);
  const openMb = sides.map(({ pid }) => residentMb(pid));
  const rates = sides.map(() => []);
  for (const side of sides) await flatOut(side); // warm-up
  for (let turn = 0; turn < rounds; turn += 1)
    for (const [index, side] of sides.entries()) rates[index].push(await flatOut(side));
  const delay = [];
  if (size === latency.streams) for (const side of sides) delay.push(await delays(side));
  return ['bare Node SSE server', 'daemon'].map((what, index) => ({
    streams: size,
    what,
    'deliveries/s': round(median(rates[index])),
    ratio: index === 0 ? '1' : ratio(rates[1], rates[0]),
    'p50 ms': delay[index] ? round(delay[index].p50, 1) : '',
    'p99 ms': delay[index] ? round(delay[index].p99, 1) : '',
    'MB before': round(idleMb[index]),
    'MB with the streams open': round(openMb[index]),
  }));
}

export async function run({ streams }) {
  const sizes = streams.split(',').map(Number);
  const daemon = await daemonSide(Math.max(...sizes));
  const bare = await bareSide(await frameOf(daemon));
  const rows = [];
  for (const size of sizes) rows.push(...(await measure([bare, daemon], size)));
  await bare.stop();
  await daemon.stop();
  console.table(rows);
  console.log(
    `Medians of ${rounds} rounds of ${deliveriesPerRound} deliveries. p50 and p99: from the call that changes something until each stream has it, at ${latency.streams} streams and ${latency.perSecond} events a second.`,
  );
}
