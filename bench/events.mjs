// npm run bench -- events: durable intake of game events against a bare Express route that parses the same body. The
// two take turns in short rounds, and each round of one is compared with that of the other beside it: a busy machine
// slows both.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median, ratio, round as rounded } from './statistics.mjs';

const connections = 64;
const rounds = 5;
const secondsPerRound = 2;
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const execute = promisify(execFile);

async function start(program) {
  const server = fork(path(program));
  const [{ url, key }] = await once(server, 'message');
  return {
    async load(seconds) {
      const { stdout } = await execute(process.execPath, [path('load.mjs'), url, key, connections, seconds]);
      return JSON.parse(stdout);
    },
    async stop() {
      const last = Promise.race([once(server, 'message'), once(server, 'exit')]);
      server.kill('SIGTERM');
      return (await last)[0];
    },
  };
}

const rates = (list) => list.map(({ perSecond }) => perSecond);
const row = (what, list, share) => ({
  what,
  'requests/s': rounded(median(rates(list))),
  ratio: share,
  'p50 ms': median(list.map(({ p50 }) => p50)),
  'p99 ms': median(list.map(({ p99 }) => p99)),
  failed: list.reduce((sum, { failed }) => sum + failed, 0),
});

export async function run() {
  const bare = await start('bare-express.mjs');
  const intake = await start('events-server.mjs');
  const results = { bare: [], intake: [] };
  for (let round = 0; round < rounds; round += 1) {
    results.bare.push(await bare.load(secondsPerRound));
    results.intake.push(await intake.load(secondsPerRound));
  }
  await bare.stop();
  const { stored } = await intake.stop();

  console.table([
    row('bare Express', results.bare, '1'),
    row('POST /api/v1/events, durable', results.intake, ratio(rates(results.intake), rates(results.bare))),
  ]);
  const acknowledged = results.intake.reduce((sum, { total }) => sum + total, 0);
  console.log(
    `Medians of ${rounds} rounds at ${connections} connections. ${acknowledged} acknowledged in them, ${stored} stored with their warm-ups.`,
  );
}
