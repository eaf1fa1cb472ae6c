// npm run bench -- idle: the processor time of a daemon that nobody uses, beside a bare HTTP server of Node.js in the same minute.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDaemon } from './daemon.mjs';
import { openPostgresql } from './postgresql.mjs';
import { round } from './statistics.mjs';
import { showTable } from './tables.mjs';

/** V8 has tidied up after the start by then. */
const settledMs = 60_000;
const measuredMs = 60_000;
/** A clock tick of Linux, in which it counts the time. */
const tickMs = 10;
const bareServer = `require('node:http').createServer((_, answer) => answer.end()).listen(0, () => console.log('ready'))`;

/** Milliseconds of all threads of the processes, as the system counts them. */
const usedMs = (pids) => pids.reduce((sum, pid) => sum + threadsMs(pid), 0);
function threadsMs(pid) {
  const ticks = readdirSync(`/proc/${pid}/task`).map((thread) => {
    // The name, in parentheses, may contain spaces; user and system time are the 12th and 13th field behind it.
    const fields = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, one) => sum + one, 0) * tickMs;
}
const childrenOf = (pid) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);

export async function run() {
  const bare = spawn(process.execPath, ['-e', bareServer], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(bare.stdout, 'data');
  const server = await openPostgresql();
  const daemons = [{ what: 'earshotd, SQLite', daemon: await startDaemon() }];
  if (server !== null)
    daemons.push({ what: 'earshotd, PostgreSQL', daemon: await startDaemon({ DATABASE_URL: server.url }) });
  try {
    await sleep(settledMs);
    const programs = [
      { what: 'bare Node.js', pids: [bare.pid] },
      ...daemons.map(({ what, daemon: { pid } }) => ({ what, pids: [pid, ...childrenOf(pid)] })),
    ];
    const before = programs.map(({ pids }) => usedMs(pids));
    await sleep(measuredMs);
    showTable(
      programs.map(({ what, pids }, place) => ({
        what,
        'of a core, %': round(((usedMs(pids) - before[place]) / measuredMs) * 100, 2),
      })),
    );
  } finally {
    bare.kill();
    for (const { daemon } of daemons) await daemon.stop();
    await server?.stop();
  }
}
