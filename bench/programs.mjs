// npm run bench -- programs: how long a daemon takes to be ready on a new folder, and what one occupies that has nothing
// to do.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDaemon } from './daemon.mjs';
import { median, round } from './statistics.mjs';

const daemons = 3;
/** A fresh daemon has settled down by then. */
const settledMs = 3_000;

const residentMb = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
const childrenOf = (pid) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);

export async function run() {
  const figures = { readyMs: [], daemonMb: [], roomsMb: [] };
  for (let turn = 0; turn < daemons; turn += 1) {
    const daemon = await startDaemon();
    await sleep(settledMs);
    figures.readyMs.push(daemon.readyMs);
    figures.daemonMb.push(residentMb(daemon.pid));
    figures.roomsMb.push(childrenOf(daemon.pid).reduce((sum, pid) => sum + residentMb(pid), 0));
    await daemon.stop();
  }
  const [ready, daemonMb, roomsMb] = Object.values(figures).map(median);
  console.table([
    { what: 'daemon on a new folder, ready after', measured: `${round(ready)} ms`, budget: '1500 ms' },
    {
      what: 'daemon and room process, idle',
      measured: `${round(daemonMb)} + ${round(roomsMb)} = ${round(daemonMb + roomsMb)} MiB`,
      budget: '220 MB',
    },
  ]);
  console.log(`Medians of ${daemons} daemons.`);
}
