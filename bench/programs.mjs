// npm run bench -- programs: how long a daemon takes to be ready on a new folder, what one occupies that has nothing to
// do, and what the first seat in a room adds.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestAccess } from '#dist/src/client/room/request-access.js';
import { endMedia, RoomPublisher } from '#dist/src/voice.js';
import { startDaemon } from './daemon.mjs';
import { median, round } from './statistics.mjs';

const daemons = 3;
/** A fresh daemon has settled down by then. */
const settledMs = 3_000;

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

export async function run() {
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
  console.table([
    { what: 'daemon on a new folder, ready after', measured: `${round(ready)} ms`, budget: '1500 ms' },
    { what: 'daemon, idle', measured: `${round(daemonMb)} MiB`, budget: '125 MiB' },
    { what: 'its other processes before the first room', measured: `${round(otherMb)} MiB`, budget: '0 MiB' },
    { what: 'first seat in the first room, after', measured: `${round(seat)} ms`, budget: '1000 ms' },
    { what: 'room process with it', measured: `${round(roomsMb)} MiB`, budget: '' },
  ]);
  endMedia(); // the media library would keep this process alive
  console.log(`Medians of ${daemons} daemons.`);
}
