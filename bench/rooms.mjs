// npm run bench -- rooms: milliseconds of a voice packet from its speaker to its listeners, through the daemon's room process and, in
// turns, through a bare program on the same media library, and through LiveKit's server if it is installed. Clients are WebRTC clients;
// both ends of a packet are in one process, so that one clock times it. Once with one speaker and an idle daemon, once with many while
// the daemon takes game events as fast as it can.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { requestAccess } from '#dist/src/client/room/request-access.js';
import { startDaemon } from './daemon.mjs';
import { freeUdpPort } from './free-ports.mjs';
import { liveKitSide } from './livekit.mjs';
import { runLoad } from './run-load.mjs';
import { median, quantile, ratio, round } from './statistics.mjs';
import { showTable } from './tables.mjs';

const one = { rooms: 1, speakers: 1, listeners: 1 };
const many = { rooms: 5, speakers: 4, listeners: 16 };
const cases = [
  { what: 'one speaker', shape: one, isLoaded: false },
  { what: '20 speakers', shape: many, isLoaded: false },
  { what: '20 speakers, daemon loaded', shape: many, isLoaded: true },
];
const seconds = 3;
/** The load on the daemon begins before the packets that are measured, and ends after them. */
const aroundSeconds = 1;
const loadConnections = 8;
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const of = (list, name) => list.map((one) => one[name]);
const sum = (list) => list.reduce((total, one) => total + one, 0);
const named = (count, name) => Array.from({ length: count }, (_, index) => `${name}-${index}`);

/** Seconds of processor time that the process has used. */
function cpuSeconds(pid) {
  const [, user, system] = /\) (?:\S+ ){11}(\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return (Number(user) + Number(system)) / 100;
}
const childOf = (pid) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]);

/** A server of rooms; `access` gives a user's access to a room, where these speak. */
async function bareSide() {
  const server = fork(path('bare-rooms.mjs'), [String(await freeUdpPort())]);
  const [{ url }] = await once(server, 'message');
  return {
    what: 'bare',
    access: (room) => ({ url: `${url}/${room}`, token: '', encryption: null }),
    pid: () => server.pid,
    stop: () => server.kill('SIGKILL'),
  };
}

const daemonSide = ({ admin, projectId, pid, stop }) => ({
  what: 'earshotd',
  access: (roomId, userId) => requestAccess(admin, projectId, { roomId, userId }),
  pid: () => childOf(pid),
  stop,
});

/** A process with everybody who is in rooms of that shape, on all sides. */
async function clientsOf(shape, sides) {
  const process = fork(path('room-clients.mjs'));
  const call = async (message) => {
    process.send(message);
    return (await once(process, 'message'))[0];
  };
  for (const { what, access } of sides) {
    const rooms = named(shape.rooms, `${shape.rooms}-rooms`).map(async (room) => {
      const speakers = named(shape.speakers, 'speaker');
      return {
        speak: await Promise.all(speakers.map((user) => access(room, user, []))),
        listen: await Promise.all(named(shape.listeners, 'listener').map((user) => access(room, user, speakers))),
      };
    });
    await call({ call: 'join', side: what, rooms: await Promise.all(rooms) });
  }
  return {
    async measure({ what, pid }) {
      const [before, began] = [cpuSeconds(pid()), performance.now()];
      const { sent, delays, lateMs } = await call({ call: 'speak', side: what, seconds });
      const passed = (performance.now() - began) / 1_000;
      return {
        p50: median(delays),
        p99: quantile(delays, 0.99),
        lost: sent * shape.listeners - delays.length,
        late: quantile(lateMs, 0.99),
        cpu: ((cpuSeconds(pid()) - before) / passed) * 100,
      };
    },
    stop: () => process.disconnect(),
  };
}

function rowsOf({ what, shape }, sides, found) {
  const bare = found[0];
  return sides.map((side, which) => {
    const list = found[which];
    const over = (name) => (list === bare ? '1' : ratio(of(list, name), of(bare, name)));
    return {
      what: `${what}: ${side.what}`,
      'streams out': shape.rooms * shape.speakers * shape.listeners,
      'p50 ms': round(median(of(list, 'p50')), 2),
      'p50 over bare': over('p50'),
      'p99 ms': round(median(of(list, 'p99')), 2),
      'p99 over bare': over('p99'),
      '% of a core': round(median(of(list, 'cpu')), 1),
      'speaker late p99': round(median(of(list, 'late')), 1),
      lost: sum(of(list, 'lost')),
    };
  });
}

export async function run({ rounds: asked }) {
  const rounds = Number(asked);
  const daemon = await startDaemon({
    ...{ EARSHOT_RATE_LIMIT_CREDENTIAL: '0', EARSHOT_RATE_LIMIT_GAME_REQUESTS: '10000000' },
    ...{ EARSHOT_RATE_LIMIT_GAME_EVENTS: '10000000' },
  });
  const liveKit = await liveKitSide();
  const sides = [await bareSide(), daemonSide(daemon), ...(liveKit === null ? [] : [liveKit])];
  const clients = new Map();
  for (const shape of [one, many]) clients.set(shape, await clientsOf(shape, sides));
  const load = {
    url: `${daemon.baseUrl}/api/v1/events?auth=api_key`,
    ...{ key: await daemon.key(['gameplay']), connections: loadConnections, kind: 'nothing' },
    seconds: 2 * aroundSeconds + sides.length * (seconds + 1),
  };
  const found = cases.map(() => sides.map(() => []));
  const loads = [];
  try {
    for (const { measure } of clients.values()) for (const side of sides) await measure(side); // warm-up
    for (let turn = 0; turn < rounds; turn += 1)
      for (const [index, { shape, isLoaded }] of cases.entries()) {
        const loading = isLoaded ? runLoad(load) : null;
        if (isLoaded) await sleep(aroundSeconds * 1_000);
        for (const [which, side] of sides.entries()) found[index][which].push(await clients.get(shape).measure(side));
        if (loading !== null) loads.push(await loading);
      }
  } finally {
    for (const { stop } of [...clients.values(), ...sides]) await stop();
  }
  showTable(cases.flatMap((one, index) => rowsOf(one, sides, found[index])));
  console.log(
    `Medians of ${rounds} rounds of ${seconds} s in turns. The load: ${round(median(of(loads, 'perSecond')))} game events a second at ${loadConnections} connections by ${loads[0].by}, ${sum(of(loads, 'failed'))} failed.`,
  );
}
