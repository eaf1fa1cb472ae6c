// npm run bench: durable intake of game events against a bare Express route that parses the same body, in one run.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const connections = 64;
const seconds = Number(process.env.BENCH_SECONDS ?? 5);
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const run = promisify(execFile);

async function measure(name, program) {
  const server = fork(path(program));
  const [{ port }] = await once(server, 'message');
  const load = (duration) =>
    run(process.execPath, [path('load.mjs'), `http://127.0.0.1:${port}/api/v1/events`, connections, duration]);
  await load(1); // warm up
  const { stdout } = await load(seconds);
  const last = Promise.race([once(server, 'message'), once(server, 'exit')]);
  server.kill('SIGTERM');
  const [{ stored, announced } = {}] = await last;
  return { name, ...JSON.parse(stdout), stored, announced };
}

const before = await measure('bare Express', 'bare-express.mjs');
const intake = await measure('POST /api/v1/events, durable', 'events-server.mjs');
const after = await measure('bare Express', 'bare-express.mjs');
const bare = (before.perSecond + after.perSecond) / 2;

console.table(
  [before, intake, after].map(({ name, perSecond, p50, p99, failed }) => ({
    what: name,
    'requests/s': Math.round(perSecond),
    ratio: (perSecond / bare).toFixed(2),
    'p50 ms': p50,
    'p99 ms': p99,
    failed,
  })),
);
console.log(
  `stored ${intake.stored} events, announced ${intake.announced}, acknowledged ${intake.total} in the measured run`,
);
