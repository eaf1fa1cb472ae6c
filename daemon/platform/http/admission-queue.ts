/**
 * New connections that wait to be served, one network after the other: one of a network with a thousand others is the next
 * but one. Until its turn a connection is a socket that reads nothing: no parser, no TLS and no timers.
 *
 * libuv accepts one connection in each turn of the event loop, so a turn that brings one is kept short: connections are
 * served for a moment now and then, and the others are accepted first.
 */
import type { Server, Socket } from 'node:net';
import { FairQueue, unlimited } from '../limits/fair-queue.js';
import { countWait } from '../limits/refusals.js';
import { arrivalCount, connectionArrived } from '../turns/arrivals.js';
import { outlive } from './sockets.js';

/** While connections arrive: how long some are served, and how long only others are accepted then. */
const serveMs = 1;
const acceptMs = 20;
/** How long connections are served in a turn that brings no other one. */
const quietMs = 4;

export class AdmissionQueue {
  /** No limit: the places for connections are counted before. */
  private readonly waiting = new FairQueue<Socket>('http_admissions', unlimited);
  private isScheduled = false;
  private arrivalsSeen = arrivalCount();
  private servedAtMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly serve: (socket: Socket) => void) {}

  /** Serves the connection when its turn comes, unless it has ended by then. */
  enqueue(network: string, socket: Socket): void {
    if (this.waiting.length > 0) countWait('http_admissions');
    this.waiting.push(network, socket);
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.length === 0) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.serveInTime();
      this.schedule();
    });
  }

  private serveInTime(): void {
    const beganMs = performance.now();
    const hasConnected = arrivalCount() !== this.arrivalsSeen;
    this.arrivalsSeen = arrivalCount();
    if (hasConnected && beganMs - this.servedAtMs < acceptMs) return;
    const endsAtMs = beganMs + (hasConnected ? serveMs : quietMs);
    do {
      const [next] = this.waiting.take(1);
      if (next === undefined) break;
      if (!next.destroyed) this.serve(next);
      this.servedAtMs = performance.now();
    } while (this.servedAtMs < endsAtMs);
  }
}

/**
 * Lets new connections wait before anything else that the server does with them. `enter` is called with each at once, and
 * returns the network whose turn it waits for; null: it was refused.
 */
export function serveInTurn(server: Server, enter: (socket: Socket) => string | null): void {
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection');
  // Node.js has this as an option of `net.createServer`, and none of `http.createServer`.
  Object.assign(server, { pauseOnConnect: true });
  const queue = new AdmissionQueue((socket) => {
    for (const listener of listeners) listener.call(server, socket);
    socket.resume();
  });
  server.on('connection', (socket: Socket) => {
    connectionArrived();
    const network = enter(socket);
    if (network === null) return;
    // A server that has stopped to listen waits for nobody new.
    if (server.listening) queue.enqueue(network, outlive(socket));
    else socket.destroy();
  });
}
