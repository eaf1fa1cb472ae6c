// npm run bench -- events: durable intake of game events against a bare Express route that parses the same body. The
// programs take turns in short rounds, and what counts is the ratio within a round: a busy machine slows all. A server
// whose turn it is not is stopped, so that what it does behind its answers slows nobody. The processor time of an event
// tells two kinds of credential apart where the machine is too busy for a ratio.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runLoad } from './run-load.mjs';
import { median, ratio, round as rounded } from './statistics.mjs';
import { showTable } from './tables.mjs';
import { batchSize } from './workload.mjs';

const connections = 64;
const batchConnections = 8;
const secondsPerRound = 2;
const path = (name) => fileURLToPath(new URL(name, import.meta.url));

const single = { route: '?auth=api_key', connections, events: 1, by: 'key' };
const cases = [
  { what: 'nothing concerned', project: 'plain', kind: 'nothing', ...single },
  {
    what: 'nothing concerned, by a key of the whole tenant',
    project: 'plain',
    kind: 'nothing',
    ...single,
    by: 'tenantKey',
  },
  {
    ...{ what: 'nothing concerned, by player tokens', project: 'plain', kind: 'own' },
    ...{ ...single, route: '?auth=access_token', by: 'tokens' },
  },
  { what: '10,000 players × 5 challenges in progress', project: 'plain', kind: 'counted', ...single },
  { what: 'the same, 3 leaderboards, battle pass, webhook', project: 'full', kind: 'counted', ...single },
  {
    ...{ what: `batches of ${batchSize}, events`, project: 'plain', kind: 'batch' },
    ...{ route: '/batch', connections: batchConnections, events: batchSize, by: 'key' },
  },
];

async function start(program, ...args) {
  const server = fork(path(program), args);
  const [{ url, ...credentials }] = await once(server, 'message');
  const cpuUs = async () => {
    server.send('cpu');
    const [{ user, system }] = await once(server, 'message');
    return user + system;
  };
  server.kill('SIGSTOP');
  return {
    async load({ route, connections: count, kind, events, by }) {
      server.kill('SIGCONT');
      const before = await cpuUs();
      const credential = by === 'tokens' ? { tokens: credentials.tokens } : { key: credentials[by] };
      const load = { url: url + route, ...credential, connections: count, seconds: secondsPerRound, kind };
      const result = await runLoad(load);
      const usedUs = (await cpuUs()) - before;
      server.kill('SIGSTOP');
      const cpuUsPerEvent = usedUs / (result.totalWithWarmUp * events);
      return { ...result, perSecond: result.perSecond * events, cpuUsPerEvent };
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
  'CPU µs/event': rounded(median(list.map(({ cpuUsPerEvent }) => cpuUsPerEvent))),
  'p50 ms': median(list.map(({ p50 }) => p50)),
  'p99 ms': median(p99s(list)),
  'p99 ratio': bare === null ? '1' : ratio(p99s(list), p99s(bare)),
  failed: list.reduce((sum, { failed }) => sum + failed, 0),
});

/** Returns the results of the bare program and each case in each round, and how many events were stored. */
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
  showTable([
    row('bare Express', bareResults, null),
    ...results.map((list, index) => row(cases[index].what, list, bareResults)),
  ]);
  const acknowledged = results.flatMap((list, index) => list.map(({ total }) => total * cases[index].events));
  console.log(
    `Medians of ${rounds} rounds at ${connections} connections by ${bareResults[0].by}, batches at ${batchConnections}. ` +
      `${acknowledged.reduce((sum, count) => sum + count, 0)} acknowledged in them, ${stored} stored with their warm-ups.`,
  );
}
