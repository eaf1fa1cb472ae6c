/**
 * The room process: a child of the daemon, because a fault in native media code must cost a reconnect and not the
 * daemon. Speaks `protocol.ts` over its IPC channel, reads no environment and ends with its parent.
 */
import { createSocket } from 'node:dgram';
import { constants, setPriority } from 'node:os';
import { cleanup, initLogger } from 'node-datachannel';
import { machineMs } from '../../../platform/time/machine-time.js';
import { RoomHost } from './host.js';
import type { MediaEndpoint } from './native.js';
import {
  closeCall,
  type ProcessCall,
  pingCall,
  policiesCall,
  publishCall,
  Refusal,
  RequestFrame,
  removeCall,
  statsCall,
  stopCall,
  subscribeCall,
  tapCall,
  type UpFrame,
} from './protocol.js';
import { safely } from './safe.js';

/** Long enough to notify people that they were removed, short enough to free the port for the next daemon. */
const farewellMs = 100;
const orphanCheckMs = 250;
const [port, bindAddress, announcedAddress, loopback, orphanMs] = process.argv.slice(2);
const media: MediaEndpoint = {
  port: Number(port),
  bindAddress: bindAddress || null,
  announcedAddress: announcedAddress || null,
  announcesLoopback: loopback === 'loopback',
};

function up(frame: UpFrame, sent: () => void = () => undefined): void {
  if (process.connected) process.send?.(frame, undefined, {}, () => sent());
  else sent();
}

const log = (level: 'warn' | 'error', message: string, detail: unknown): void =>
  up({ kind: 'log', level, message, detail: detail instanceof Error ? (detail.stack ?? detail.message) : `${detail}` });

const safe = safely((error) => log('error', 'a media callback failed', error));
const host = new RoomHost({ media, safe, nowMs: machineMs, up });
const handlers = new Map<string, (request: unknown) => unknown>();

function handle<Request, Result>(
  call: ProcessCall<Request, Result>,
  handler: (request: Request) => Result | Promise<Result>,
) {
  handlers.set(call.name, (request) => handler(call.request.parse(request)));
}

handle(publishCall, ({ offerSdp, visitor, policy, seal }) => host.publish(offerSdp, visitor, policy, seal));
handle(subscribeCall, ({ offerSdp, visitor, blocked }) => host.subscribe(offerSdp, visitor, blocked));
handle(closeCall, ({ room, externalUserId, resourceId }) => ({ closed: host.close(room, externalUserId, resourceId) }));
handle(removeCall, ({ projectId, roomId, externalUserId, reason }) => ({
  tokenIds: host.remove(projectId, roomId, externalUserId, reason),
}));
handle(policiesCall, ({ projectId, people }) => {
  host.setPolicies(projectId, people);
  return {};
});
handle(tapCall, ({ room, on }) => {
  host.tap(room, on);
  return {};
});
handle(statsCall, () => host.stats());
handle(pingCall, () => ({}));
handle(stopCall, () => {
  host.stop();
  setImmediate(leave);
  return {};
});

async function reply(message: unknown): Promise<void> {
  const { id, name, request } = RequestFrame.parse(message);
  try {
    const handler = handlers.get(name);
    if (handler === undefined) throw new Error(`unknown request ${name}`);
    up({ kind: 'reply', id, result: await handler(request) });
  } catch (error) {
    const code = error instanceof Refusal ? error.code : null;
    up({ kind: 'refusal', id, code, message: error instanceof Error ? error.message : String(error) });
  }
}

/** Ends the process with code 0, so that its parent can tell this from a fault. */
function leave(): void {
  cleanup();
  process.exit();
}

/** Fails early, with the system's error, when the port is taken: the media library would stay silent. */
function probePort(): Promise<void> {
  const socket = createSocket(bindAddress?.includes(':') ? 'udp6' : 'udp4');
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(media.port, media.bindAddress ?? undefined, () => socket.close(() => resolve()));
  });
}

/**
 * Another daemon may take the rooms over from one that stands still, and nobody may be in two rooms of one name: without
 * pings the process ends in time, although its daemon has not ended.
 */
function endWithoutWord(afterMs: number): () => void {
  let heardAt = performance.now();
  setInterval(() => {
    if (performance.now() - heardAt < afterMs) return;
    host.stop();
    setImmediate(leave);
  }, orphanCheckMs);
  return () => {
    heardAt = performance.now();
  };
}

const heard = orphanMs ? endWithoutWord(Number(orphanMs)) : () => {};
process.on('message', (message) => {
  heard();
  void reply(message);
});
process.once('disconnect', () => {
  host.stop();
  // The daemon has ended, and nobody would end a process in which the library's `cleanup` never returns: it can wait for itself.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), farewellMs).unref();
});
// Terminal signals reach the whole process group; the daemon decides when this process ends.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('SIGQUIT', () => undefined);

/**
 * On a machine whose cores are all busy, packets would otherwise wait for their turn behind the daemon's requests, three times on
 * their way. Before the media library starts its threads, which inherit it.
 */
function takePriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_HIGH);
  } catch {
    // The system does not allow it (docs/operating.md): the rooms work, later where the machine is busy.
  }
}

takePriority();
initLogger(
  'Error',
  safe((_level: string, message: string) => log('warn', 'media library', message)),
);
probePort()
  .then(() => {
    host.start();
    up({ kind: 'ready' });
  })
  .catch((error: unknown) => {
    up({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }, leave);
  });
