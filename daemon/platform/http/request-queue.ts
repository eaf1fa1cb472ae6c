/**
 * Requests, and WebSocket handshakes, that wait to be handled. While new connections arrive they are accepted first, so
 * that a client behind a burst gets in at all. Requests are then answered in turn: one network after the other, within
 * a network one credential after the other. Health checks are answered first, and are all that is answered until the
 * queue opens.
 */
import type { IncomingMessage } from 'node:http';
import { FairQueue } from '../turns/fair-queue.js';
import { isHealthCheck } from './connections.js';

/** Serving and taking connections share the event loop by these, as long as both have work. */
const serveMs = 1;
const connectMs = 20;

type WaitingRequest = readonly [request: IncomingMessage, serve: () => void];
/** Every connection has one request here at most, and connections are limited elsewhere. */
const unlimited = { shareMax: Number.POSITIVE_INFINITY, queueMax: Number.POSITIVE_INFINITY };

export class RequestQueue {
  /** One entry a request: whose turn it is. */
  private readonly networks = new FairQueue<string>(unlimited);
  private readonly requests = new Map<string, FairQueue<WaitingRequest>>();
  private isOpen = false;
  private isScheduled = false;
  private hasConnected = false;
  private servedAt = 0;

  /** @param networkOf whose request it is; requests of one network share its turn */
  constructor(private readonly networkOf: (request: IncomingMessage) => string) {}

  get length(): number {
    return this.networks.length;
  }

  /** Begins to serve the requests that wait. */
  open(): void {
    this.isOpen = true;
    if (this.length > 0) this.schedule();
  }

  /** A connection has been taken; more may wait behind it. */
  connected(): void {
    this.hasConnected = true;
  }

  /** Calls `serve` when the request's turn comes, unless its client has disconnected. */
  enqueue(request: IncomingMessage, serve: () => void): void {
    if (isHealthCheck(request)) {
      serve();
      return;
    }
    const network = this.networkOf(request);
    const own = this.requests.get(network) ?? new FairQueue<WaitingRequest>(unlimited);
    const { authorization, 'x-api-key': key } = request.headers;
    own.push(authorization ?? String(key), [request, serve]);
    this.requests.set(network, own);
    this.networks.push(network, network);
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled || !this.isOpen) return;
    this.isScheduled = true;
    setImmediate(() => this.serve());
  }

  private serve(): void {
    this.isScheduled = false;
    const began = performance.now();
    const waits = this.hasConnected && began - this.servedAt < connectMs;
    this.hasConnected = false;
    if (!waits) {
      while (this.length > 0 && performance.now() - began < serveMs) this.serveNext();
      this.servedAt = performance.now();
    }
    if (this.length > 0) this.schedule();
  }

  private serveNext(): void {
    const [network = ''] = this.networks.take(1);
    const own = this.requests.get(network);
    const [next] = own?.take(1) ?? [];
    if (own?.length === 0) this.requests.delete(network);
    if (next === undefined) return;
    const [request, serve] = next;
    if (!request.socket.destroyed) serve();
  }
}
