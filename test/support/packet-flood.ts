/** Connections that send the same bytes for as long as they are open, and are opened again. From a thread of its own. */
import { Worker } from 'node:worker_threads';

/** Longest time until a connection has to be closed; a busy machine takes long to get that far. */
const patienceMs = 30_000;

const program = `
const { parentPort, workerData } = require('node:worker_threads');
const net = require('node:net');
const { url, from, opening, repeated, connections, ms, patienceMs } = workerData;
const { hostname: host, port } = new URL(url);
const began = performance.now();
const isOver = () => performance.now() - began > (closed > 0 ? ms : patienceMs);
const open = new Set();
let closed = 0;
const one = (localAddress) => new Promise((resolve) => {
  const socket = net.connect({ host, port: Number(port), localAddress });
  open.add(socket);
  const send = () => {
    while (!socket.destroyed && socket.write(repeated));
  };
  socket.on('error', () => {});
  socket.on('connect', () => socket.write(opening));
  socket.once('data', send);
  socket.on('drain', send).resume();
  socket.on('close', () => { if (open.delete(socket)) closed += 1; resolve(); });
});
const again = async (_, index) => {
  while (!isOver()) {
    await one(from[index % from.length]);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
const timer = setInterval(() => {
  if (!isOver()) return;
  for (const socket of open) { open.delete(socket); socket.destroy(); }
}, 50);
Promise.all(Array.from({ length: connections }, again)).then(() => {
  clearInterval(timer);
  parentPort.postMessage(closed);
});
`;

interface PacketFlood {
  readonly url: string;
  /** Addresses of this machine that the connections come from, in turn. */
  readonly from: readonly string[];
  /** Sent first; `repeated` follows as soon as anything is answered. */
  readonly opening: Uint8Array;
  readonly repeated: Uint8Array;
  readonly connections: number;
  /** Duration of the flood; it lasts longer if the first connection is not closed yet. */
  readonly ms: number;
}

/** Returns how many connections the other side closed. */
export async function floodPackets(flood: PacketFlood): Promise<number> {
  const worker = new Worker(program, { eval: true, workerData: { ...flood, patienceMs } });
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  } finally {
    await worker.terminate();
  }
}
