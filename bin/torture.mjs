/**
 * `npm run torture`: what the documents promise, tried as often as docs/reliability.md says, in half an hour on two cores.
 * It shows a bar, and writes the page at the end. `--seed N` makes up other trials, `--share 0.1` has a tenth of them,
 * `--minutes N` ends the long part sooner, and `--parts kills,soak` runs these parts and keeps the rows of the others.
 * With names of suites, as in `npm run torture -- hostile`, it runs these at full scale and writes no page.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { resultsFile, writePage } from './reliability.mjs';
import { build, install, root } from './set-up.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    seed: { type: 'string' },
    share: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '30' },
    parts: { type: 'string' },
  },
});

/**
 * Two run side by side, the last alone, because it measures what others notice. `weight`: its share of the bar.
 * `isSmall`: at the scale of `npm run test:long`.
 */
const parts = [
  { name: 'kills', lane: 0, weight: 20, suites: ['test/torture/kills.test.ts'] },
  { name: 'power-cuts', lane: 1, weight: 3, suites: ['test/torture/power-cuts.test.ts'] },
  { name: 'requests', lane: 1, weight: 8, suites: ['test/contract/generated/generated.test.ts'] },
  { name: 'matrix', lane: 1, weight: 1, suites: ['test/contract/authorisation/authorisation.test.ts'] },
  { name: 'addresses', lane: 1, weight: 1, suites: ['test/platform/outbound/guard.test.ts'] },
  {
    name: 'signatures',
    lane: 1,
    weight: 1,
    suites: ['test/ingest/ingest-signature.test.ts', '-t', 'refused after any change'],
  },
  { name: 'soak', lane: 1, weight: 3, suites: ['test/memory/soak.torture.ts'] },
  { name: 'hostile', lane: 2, weight: 6, suites: ['test/hostile'], isSmall: true },
];
const soakMinutes = 3;
/** Share of the time after which the long part ends: the attacks come after it. */
const beforeAttacks = 0.75;

const bar = (done, text) => {
  if (!process.stderr.isTTY) return;
  const filled = Math.round(20 * done);
  process.stderr.write(
    `\r\u001b[K${'█'.repeat(filled)}${'░'.repeat(20 - filled)}  ${Math.floor(done * 100)} %  ${text}`,
  );
};
const say = (text) => process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[K' : ''}${text}\n`);
const linesOf = (file) =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];

/** Proof of the attacks, from what others noticed of each (test/support/health-watch.ts). */
function attackProof(health) {
  const rows = linesOf(health);
  const worst = rows.reduce((a, b) => (b.live.worstMs > a.live.worstMs ? b : a), rows[0]);
  const failed = rows.reduce((sum, { live, writes }) => sum + live.failed + writes.failed, 0);
  return {
    promise: 'hostile',
    count: rows.length,
    seed: null,
    worst: `${failed} requests of others failed; slowest answer of the health check ${worst.live.worstMs.toFixed(0)} ms (${worst.title})`,
    table: [
      ['attack', 'health checks', 'slowest', "neighbour's writes", 'p95', 'memory', 'waited for a processor'],
      ...rows.map(({ title, live, writes, memoryMib, starvedMs }) => [
        title,
        String(live.answers),
        `${live.worstMs.toFixed(0)} ms`,
        String(writes.answers),
        `${writes.p95Ms.toFixed(0)} ms`,
        `${memoryMib.toFixed(0)} MiB`,
        `${starvedMs.toFixed(0)} ms`,
      ]),
    ],
  };
}

async function run() {
  install({ tools: true });
  build(root, { library: true });
  const named = values.parts?.split(',');
  const chosen = parts.filter(({ name }) => named === undefined || named.includes(name));
  const folder = mkdtempSync(join(os.tmpdir(), 'earshot-torture-'));
  const files = Object.fromEntries(chosen.map(({ name }) => [name, join(folder, `${name}.jsonl`)]));
  const began = Date.now();
  const until = began + Number(values.minutes) * 60_000 * (chosen.some(({ lane }) => lane === 2) ? beforeAttacks : 1);
  const machine = {
    processors: `${os.cpus().length} × ${os.cpus()[0]?.model ?? 'unknown'}`,
    memoryGib: Math.round(os.totalmem() / 1024 ** 3),
    system: `${os.type()} ${os.release()}`,
    node: process.version,
    load: os.loadavg()[0],
  };
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const failed = [];
  const ended = new Set();
  const finished = ({ name, weight }) => {
    if (ended.has(name)) return weight;
    const { done = 0, whole = 1 } = linesOf(files[name]).findLast(({ kind }) => kind === 'progress') ?? {};
    return weight * Math.min(1, done / whole);
  };
  const whole = chosen.reduce((sum, { weight }) => sum + weight, 0);
  const running = new Set();
  const timer = setInterval(
    () => bar(chosen.reduce((sum, part) => sum + finished(part), 0) / whole, [...running].join(', ')),
    1_000,
  );

  async function runPart({ name, suites, isSmall = false }) {
    running.add(name);
    const startedAt = Date.now();
    const log = join(folder, `${name}.log`);
    const health = join(folder, `${name}.health.jsonl`);
    const child = spawn(
      process.execPath,
      [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--no-file-parallelism', ...suites],
      {
        cwd: root,
        stdio: ['ignore', openSync(log, 'w'), openSync(log, 'a')],
        env: {
          ...process.env,
          EARSHOT_TEST_BUILT: '1',
          EARSHOT_TEST_SUITES: 'all',
          EARSHOT_TORTURE: isSmall ? '0' : '1',
          EARSHOT_TORTURE_SHARE: values.share,
          EARSHOT_TORTURE_UNTIL: String(until),
          EARSHOT_SOAK_MINUTES: String(Math.max(1, soakMinutes * Math.min(1, Number(values.share) * 3))),
          EARSHOT_RELIABILITY_FILE: files[name],
          EARSHOT_HEALTH_FILE: health,
          ...(values.seed === undefined ? {} : { EARSHOT_FUZZ_SEED: values.seed }),
        },
      },
    );
    const [status] = await once(child, 'exit');
    running.delete(name);
    ended.add(name);
    if (status !== 0) {
      failed.push(name);
      say(`${name} failed:\n${readFileSync(log, 'utf8')}`);
      return;
    }
    const proofs = linesOf(files[name]).filter(({ kind }) => kind === 'proof');
    if (name === 'hostile' && existsSync(health)) proofs.push({ at: new Date().toISOString(), ...attackProof(health) });
    const minutes = (Date.now() - startedAt) / 60_000;
    mkdirSync(join(root, 'test/.cache'), { recursive: true });
    for (const { kind, ...proof } of proofs)
      appendFileSync(resultsFile, `${JSON.stringify({ ...proof, part: name, minutes, commit, machine })}\n`);
    say(`${name}: ${minutes.toFixed(1)} minutes`);
  }
  const lane = async (number) => {
    for (const part of chosen.filter((one) => one.lane === number)) await runPart(part);
  };
  await Promise.all([lane(0), lane(1)]);
  await lane(2);
  clearInterval(timer);
  writePage();
  rmSync(folder, { recursive: true, force: true });
  say(`${((Date.now() - began) / 60_000).toFixed(1)} minutes. docs/reliability.md is written.`);
  if (failed.length > 0) say(`Failed: ${failed.join(', ')}. Their rows are those of an earlier run, or are left out.`);
  process.exit(failed.length > 0 ? 1 : 0);
}

if (positionals.length > 0) {
  process.env.EARSHOT_TORTURE = '1';
  await import('./test.mjs');
} else await run();
