// npm run bench -- commands: how long commands take, each beside a node that runs nothing. They take turns, and the ratio
// is what counts: a busy machine slows both.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startDaemon } from './daemon.mjs';
import { median, ratio, round } from './statistics.mjs';
import { showTable } from './tables.mjs';

const rounds = 15;
const execute = promisify(execFile);
/** Folder of compiled code, as in the home folder of a user. */
const home = mkdtempSync(join(tmpdir(), 'earshot-bench-home-'));
process.once('exit', () => rmSync(home, { recursive: true, force: true }));
const program = (name) => fileURLToPath(new URL(`../bin/${name}`, import.meta.url));
const node =
  (args, env = {}) =>
  () =>
    execute(process.execPath, args, { env: { PATH: process.env.PATH, HOME: home, ...env } });
const earshot = (line, env) => ({
  what: `earshot ${line}`,
  work: node([program('earshot.js'), ...line.split(' ')], env),
});

/** The times of each command in milliseconds, the bare program first. */
export async function measure(rounds) {
  const daemon = await startDaemon();
  const env = { EARSHOT_URL: daemon.baseUrl, EARSHOT_API_KEY: await daemon.key(['projects:read', 'participants']) };
  await execute(process.execPath, [program('earshot.js'), 'participants', 'create', '--user', 'u1', '--name', 'Bob'], {
    env,
  });
  const contestants = [
    { what: 'node -e 0', work: node(['-e', '0']) },
    earshot('--version'),
    earshot('--help'),
    earshot('sanctions list --help'),
    earshot('projects list --json', env),
    // The command that a shell calls at each tab; the names are in the cache from the first turn on.
    {
      what: 'a tab behind `earshot who b`',
      work: node([program('earshot.js'), '__complete', 'bash', 'earshot who b', ':='], env),
    },
    { what: 'earshotd --version', work: node([program('earshotd.js'), '--version']) },
  ];
  const times = contestants.map(() => []);
  for (let turn = -1; turn < rounds; turn += 1)
    for (const [index, { work }] of contestants.entries()) {
      const began = performance.now();
      await work();
      if (turn >= 0) times[index].push(performance.now() - began); // the first turn brings files into memory
    }
  await daemon.stop();
  return contestants.map(({ what }, index) => ({ what, times: times[index] }));
}

export async function run() {
  const measured = await measure(rounds);
  const [{ times: bare }] = measured;
  showTable(
    measured.map(({ what, times }, index) => ({
      what,
      ms: round(median(times)),
      'over bare node': index === 0 ? '1' : ratio(times, bare),
    })),
  );
  console.log(`Medians of ${rounds} rounds in turns.`);
}
