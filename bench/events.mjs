// npm run bench -- events: durable intake of game events against a bare Express route that parses the same body. The
// programs take turns in short rounds, and what counts is the ratio within a round: a busy machine slows all. A server
// whose turn it is not is stopped, so that what it does behind its answers slows nobody.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median, ratio, round as rounded } from './statistics.mjs';
import { batchSize } from './workload.mjs';

const connections = 64;
const batchConnections = 8;
const secondsPerRound = 2;
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const execute = promisify(execFile);

const single = { route: '', connections, events: 1 };
const cases = [
  { what: 'nothing concerned', project: 'plain', kind: 'nothing', ...single },
  { what: '10,000 players × 5 challenges in progress', project: 'plain', kind: 'counted', ...single },
  { what: 'the same, 3 leaderboards, battle pass, webhook', project: 'full', kind: 'counted', ...single },
  {
    ...{ what: `batches of ${batchSize}, events`, project: 'plain', kind: 'batch' },
    ...{ route: '/batch', connections: batchConnections, events: batchSize },
  },
];

async function start(program, ...args) {
  const server = fork(path(program), args);
  const [{ url, key }] = await once(server, 'message');
  server.kill('SIGSTOP');
  return {
    async load({ route, connections: count, kind, events }) {
      server.kill('SIGCONT');
      const parameters = [url + route, key, count, secondsPerRound, kind];
      const { stdout } = await execute(process.execPath, [path('load.mjs'), ...parameters]);
      server.kill('SIGSTOP');
      const result = JSON.parse(stdout);
      return { ...result, perSecond: result.perSecond * events };
    },
    async stop() {
      const last = Promise.race([once(server, 'message'), once(server, 'exit')]);
      server.kill('SIGCONT');
      server.kill('SIGTERM');
      return (await last)[0];
    },
  };
}

const rates = (list) => list.map(({ perSecond }) => perSecond);
const p99s = (list) => list.map(({ p99 }) => p99);
const row = (what, list, bare) => ({
  what,
  'events/s': rounded(median(rates(list))),
  ratio: bare === null ? '1' : ratio(rates(list), rates(bare)),
  'p50 ms': median(list.map(({ p50 }) => p50)),
  'p99 ms': median(p99s(list)),
  'p99 ratio': bare === null ? '1' : ratio(p99s(list), p99s(bare)),
  failed: list.reduce((sum, { failed }) => sum + failed, 0),
});

/** What the bare program and each case made in each round, and how many events were stored. */
export async function measure(rounds) {
  const bare = await start('bare-express.mjs');
  const servers = { plain: await start('events-server.mjs', 'plain'), full: await start('events-server.mjs', 'full') };
  const bareResults = [];
  const results = cases.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    bareResults.push(await bare.load({ ...single, kind: 'counted' }));
    for (const [index, one] of cases.entries()) results[index].push(await servers[one.project].load(one));
  }
  await bare.stop();
  const stored = [await servers.plain.stop(), await servers.full.stop()].reduce((sum, one) => sum + one.stored, 0);
  return { bareResults, results, stored };
}

/**
 * For each case, the events a second of its best round over those of the bare program's best: where another program slowed
 * down a round of either, the ratio within that round says nothing.
 */
export const bestOverBare = ({ bareResults, results }) =>
  cases.map(({ what }, index) => ({
    what,
    best: Math.max(...rates(results[index])) / Math.max(...rates(bareResults)),
  }));

/** @param options `rounds`: how many of each */
export async function run({ rounds: asked }) {
  const rounds = Number(asked);
  const { bareResults, results, stored } = await measure(rounds);
  console.table([
    row('bare Express', bareResults, null),
    ...results.map((list, index) => row(cases[index].what, list, bareResults)),
  ]);
  const acknowledged = results.flatMap((list, index) => list.map(({ total }) => total * cases[index].events));
  console.log(
    `Medians of ${rounds} rounds at ${connections} connections, batches at ${batchConnections}. ` +
      `${acknowledged.reduce((sum, count) => sum + count, 0)} acknowledged in them, ${stored} stored with their warm-ups.`,
  );
}
