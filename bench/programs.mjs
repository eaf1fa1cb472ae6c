// npm run bench -- programs: how long a daemon takes to be ready, what one occupies that has nothing to do, and what the
// first seat in a room adds.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { requestAccess } from '#dist/src/client/room/request-access.js';
import { endMedia, RoomPublisher } from '#dist/src/voice.js';
import { startDaemon } from './daemon.mjs';
import { median, ratio, round } from './statistics.mjs';
import { showTable } from './tables.mjs';

const daemons = 3;
const unbundled = fileURLToPath(new URL('unbundled.mjs', import.meta.url));
/** V8 has given back by then what it took for the start. */
const settledMs = 20_000;

const residentMb = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
const childrenOf = (pid) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
const childrenMb = (pid) => childrenOf(pid).reduce((sum, child) => sum + residentMb(child), 0);

/** Milliseconds until somebody sits in the first room of the daemon, connected. */
async function firstSeat({ admin, projectId }) {
  const access = await requestAccess(admin, projectId, { roomId: 'bench', userId: 'first' });
  const publisher = new RoomPublisher(access);
  const began = performance.now();
  await publisher.join();
  const took = performance.now() - began;
  await publisher.leave();
  return took;
}

/** Milliseconds until a daemon is ready on a folder that one has used before, in turns with one that is not bundled. */
async function readyAgain(rounds) {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-used-'));
  const settings = { EARSHOT_DATA_DIR: join(folder, 'data'), XDG_CACHE_HOME: folder };
  const [ready, bare] = [[], []];
  const readyMs = async (program) => {
    const daemon = await startDaemon(settings, program);
    await daemon.stop();
    return daemon.readyMs;
  };
  try {
    await readyMs(); // makes the folder, and keeps what V8 compiled
    for (let turn = 0; turn < rounds; turn += 1) {
      bare.push(await readyMs(unbundled));
      ready.push(await readyMs());
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { ready, bare };
}

export async function run({ rounds }) {
  const again = await readyAgain(Number(rounds));
  const figures = { readyMs: [], daemonMb: [], childrenMb: [], seatMs: [], roomsMb: [] };
  for (let turn = 0; turn < daemons; turn += 1) {
    const daemon = await startDaemon();
    await sleep(settledMs);
    figures.readyMs.push(daemon.readyMs);
    figures.daemonMb.push(residentMb(daemon.pid));
    figures.childrenMb.push(childrenMb(daemon.pid));
    figures.seatMs.push(await firstSeat(daemon));
    figures.roomsMb.push(childrenMb(daemon.pid));
    await daemon.stop();
  }
  const [ready, daemonMb, otherMb, seat, roomsMb] = Object.values(figures).map(median);
  showTable([
    { what: 'daemon on a new folder, ready after', measured: `${round(ready)} ms`, budget: '1500 ms' },
    {
      what: 'daemon on a used folder, ready after',
      measured: `${round(median(again.ready))} ms, ${ratio(again.ready, again.bare)} of one that is not bundled`,
      budget: '0.65 of it',
    },
    { what: 'daemon, idle', measured: `${round(daemonMb)} MiB`, budget: '125 MiB' },
    { what: 'its other processes before the first room', measured: `${round(otherMb)} MiB`, budget: '0 MiB' },
    { what: 'first seat in the first room, after', measured: `${round(seat)} ms`, budget: '1000 ms' },
    { what: 'room process with it', measured: `${round(roomsMb)} MiB`, budget: '' },
  ]);
  endMedia(); // the media library would keep this process alive
  console.log(`Medians of ${daemons} daemons, of ${rounds} on the used folder.`);
}
