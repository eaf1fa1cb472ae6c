/**
 * Requests, and WebSocket handshakes, that wait to be handled. While new connections arrive they are accepted first, so
 * that a client behind a burst gets in at all. Requests are then answered in turn: one network after the other, within
 * a network one credential after the other. Health checks are answered first, and are all that is answered until the
 * queue opens.
 *
 * libuv accepts one connection in each turn of the event loop, so no turn may be long while connections arrive. A request
 * then begins in an immediate of its own: Node.js runs all microtasks between two immediates, so the next one knows how
 * long the work really took. SQLite answers at once, and a request that is handled at once does nearly all its work in
 * microtasks. While nobody connects, several begin in one immediate, so that their steps run side by side: an event then
 * takes a sixth less processor time, because code and caches stay warm.
 */
import type { IncomingMessage } from 'node:http';
import { FairQueue, unlimited } from '../limits/fair-queue.js';
import { countWait } from '../limits/refusals.js';
import { arrivalCount } from '../turns/arrivals.js';
import { isHealthCheck } from './connections.js';

/** Serving and taking connections share the event loop by these, as long as both have work. */
const serveMs = 1;
const connectMs = 20;
/** A turn in which nobody connected: more requests then share what a turn costs, and events are stored in larger groups. */
const quietMs = 8;
/** Requests that are scheduled at the same time at most. */
const turnMax = 64;
/** Requests that begin in one immediate of a turn in which nobody connected. */
const quietGroup = 16;

type WaitingRequest = readonly [request: IncomingMessage, serve: () => void];

export class RequestQueue {
  /** No limit: every connection has one request here, and connections are limited. */
  private readonly requests = new FairQueue<WaitingRequest>('http_requests', unlimited);
  private isOpen = false;
  private scheduled = 0;
  private isTurnBegun = false;
  private turnEndsAt = 0;
  private group = 1;
  private arrivalsSeen = arrivalCount();
  private servedAt = 0;

  /** @param networkOf whose request it is; requests of one network share its turn */
  constructor(private readonly networkOf: (request: IncomingMessage) => string) {}

  get length(): number {
    return this.requests.length;
  }

  /** Begins to serve the requests that wait. */
  open(): void {
    this.isOpen = true;
    this.schedule();
  }

  /** Calls `serve` when the request's turn comes, unless its client has disconnected. */
  enqueue(request: IncomingMessage, serve: () => void): void {
    if (isHealthCheck(request)) {
      serve();
      return;
    }
    if (this.length > 0) countWait('http_requests');
    const { authorization, 'x-api-key': key } = request.headers;
    this.requests.push(this.networkOf(request), [request, serve], authorization ?? String(key));
    this.schedule();
  }

  private schedule(): void {
    for (; this.isOpen && this.scheduled < Math.min(this.length, turnMax) / this.group; this.scheduled += 1)
      setImmediate(() => this.serveInTime());
  }

  private serveInTime(): void {
    this.scheduled -= 1;
    const now = performance.now();
    if (!this.isTurnBegun) this.beginTurn(now);
    if (now < this.turnEndsAt) {
      this.servedAt = now;
      for (let begun = 0; begun < this.group && this.length > 0; begun += 1) this.serveNext();
    }
    this.schedule();
  }

  private beginTurn(now: number): void {
    this.isTurnBegun = true;
    setImmediate(() => {
      this.isTurnBegun = false;
    });
    const hasConnected = arrivalCount() !== this.arrivalsSeen;
    this.arrivalsSeen = arrivalCount();
    const waits = hasConnected && now - this.servedAt < connectMs;
    this.turnEndsAt = waits ? now : now + (hasConnected ? serveMs : quietMs);
    this.group = hasConnected ? 1 : quietGroup;
  }

  private serveNext(): void {
    const [next] = this.requests.take(1);
    if (next !== undefined && !next[0].socket.destroyed) next[1]();
  }
}
