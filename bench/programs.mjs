// npm run bench -- programs: how long the programs take to be of use, and what a daemon occupies that has nothing to do.
// Programs that start are measured beside a bare node, a command beside the same request by curl. They take turns, and
// what counts is what each takes longer: a busy machine slows both.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startDaemon } from './daemon.mjs';
import { median, ratio, round } from './statistics.mjs';

const rounds = 9;
const daemons = 3;
/** A fresh daemon has settled down by then. */
const settledMs = 3_000;
const execute = promisify(execFile);
const program = (name) => fileURLToPath(new URL(`../bin/${name}`, import.meta.url));
const node =
  (args, env = {}) =>
  () =>
    execute(process.execPath, args, { env: { PATH: process.env.PATH, HOME: '/nonexistent', ...env } });

/** A table of contestants that take turns, each compared with the first of them. */
async function inTurns(contestants) {
  const times = contestants.map(() => []);
  for (let turn = -1; turn < rounds; turn += 1)
    for (const [index, { work }] of contestants.entries()) {
      const began = performance.now();
      await work();
      if (turn >= 0) times[index].push(performance.now() - began); // the first turn brings files into memory
    }
  return contestants.map(({ what, budget }, index) => ({
    what,
    ms: round(median(times[index])),
    'ms over the bare one': round(median(times[index].map((ms, turn) => ms - times[0][turn]))),
    ratio: index === 0 ? '1' : ratio(times[index], times[0]),
    budget,
  }));
}

const starts = () =>
  inTurns([
    { what: 'bare node', work: node(['-e', '0']), budget: '' },
    { what: 'earshot --version', work: node([program('earshot.js'), '--version']), budget: '+30 ms, ratio 1.6' },
    { what: 'earshot --help', work: node([program('earshot.js'), '--help']), budget: '+80 ms, ratio 2.6' },
    { what: 'earshotd --version', work: node([program('earshotd.js'), '--version']), budget: '' },
  ]);

function calls({ baseUrl }, key) {
  const curl = ['-s', '-f', '-H', `X-API-Key: ${key}`, `${baseUrl}/api/projects`];
  const env = { EARSHOT_URL: baseUrl, EARSHOT_API_KEY: key };
  return inTurns([
    { what: 'curl', work: () => execute('curl', curl), budget: '' },
    { what: 'earshot projects list', work: node([program('earshot.js'), 'projects', 'list'], env), budget: '+150 ms' },
  ]);
}

const residentMb = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
const childrenOf = (pid) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);

export async function run() {
  const began = await starts();
  const figures = { readyMs: [], daemonMb: [], roomsMb: [] };
  let called;
  for (let turn = 0; turn < daemons; turn += 1) {
    const daemon = await startDaemon();
    await sleep(settledMs);
    figures.readyMs.push(daemon.readyMs);
    figures.daemonMb.push(residentMb(daemon.pid));
    figures.roomsMb.push(childrenOf(daemon.pid).reduce((sum, pid) => sum + residentMb(pid), 0));
    called ??= await calls(daemon, await daemon.key(['projects:read']));
    await daemon.stop();
  }
  console.table(began);
  console.table(called);
  const [ready, daemonMb, roomsMb] = Object.values(figures).map(median);
  console.table([
    { what: 'daemon on a new folder, ready after', measured: `${round(ready)} ms`, budget: '1500 ms' },
    {
      what: 'daemon and room process, idle',
      measured: `${round(daemonMb)} + ${round(roomsMb)} = ${round(daemonMb + roomsMb)} MiB`,
      budget: '220 MB',
    },
  ]);
  console.log(`Medians of ${rounds} rounds, and of ${daemons} daemons.`);
}
