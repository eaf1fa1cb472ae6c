/**
 * Pipelined requests (RFC 9112, section 9.3.2), one at a time for each connection: the next is handled when the previous
 * answer has been sent. Of a client that sends many at once and reads nothing, one answer and the heads of its requests
 * are kept in memory, and Node stops reading from it. Each connection has an order of its own, so there are no turns to share.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../limits/catalogue.js';
import { countRefusal } from '../limits/refusals.js';

/** One request more ends its connection; once all connections together have reached theirs, each may have only a few. */
const { ofOne, together, few } = limits.pipelined_requests.max;
/** How long the rest of a request is read, and dropped, once it is answered: who still sends has not seen the answer. */
const lingerMs = 2_000;

type Exchange = readonly [IncomingMessage, ServerResponse];

export class PipelinedRequests {
  /** The requests that wait behind the one being answered. */
  private readonly lines = new WeakMap<Socket, Exchange[]>();
  /** Answers in progress, each with its connection. */
  private readonly serving = new Map<ServerResponse, Socket>();
  private waiting = 0;
  private isDraining = false;
  /** Set before the first request comes. */
  handle: RequestListener = (_request, response) => response.end();

  /** Answers the request when its turn comes. */
  enqueue(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const line = this.lines.get(socket);
    if (line === undefined) {
      this.lines.set(socket, []);
      this.serve(request, response);
    } else {
      line.push([request, response]);
      this.waiting += 1;
    }
  }

  /** True if no further request of the connection may wait. */
  isFull(socket: Socket): boolean {
    const length = this.lines.get(socket)?.length ?? 0;
    const isFull = length >= (this.waiting < together ? ofOne : few);
    if (isFull) countRefusal('pipelined_requests');
    return isFull;
  }

  /** True while a request of the connection is being answered. */
  isServing(socket: Socket): boolean {
    return this.lines.has(socket);
  }

  /** From here on each connection is closed behind its last answer (`Connection: close`). */
  drain(): void {
    this.isDraining = true;
    for (const [response, socket] of this.serving) this.closeBehind(response, socket);
  }

  private closeBehind(response: ServerResponse, socket: Socket): void {
    if (this.lines.get(socket)?.length === 0) response.shouldKeepAlive = false;
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    this.serving.set(response, socket);
    // Requests that came together with this one are in line a moment later.
    if (this.isDraining) setImmediate(() => this.closeBehind(response, socket));
    response.once('close', () => {
      this.serving.delete(response);
      this.goOn(request);
    });
    this.handle(request, response);
  }

  private goOn(request: IncomingMessage): void {
    const { socket } = request;
    if (!request.complete) dropLate(request);
    if (this.lines.get(socket)?.length === 0) this.lines.delete(socket);
    else setImmediate(() => this.serveNext(socket)); // other connections get a turn in between
  }

  private serveNext(socket: Socket): void {
    const line = this.lines.get(socket) ?? [];
    const following = line.shift();
    if (following === undefined || socket.destroyed) {
      this.lines.delete(socket);
      this.waiting -= line.length + (following === undefined ? 0 : 1);
      return;
    }
    this.waiting -= 1;
    this.serve(...following);
  }
}

/** Ends the connection of a request that has been answered and goes on nevertheless. */
function dropLate(request: IncomingMessage): void {
  const end = (): void => {
    if (!request.complete) request.socket.destroy();
  };
  setTimeout(end, lingerMs).unref();
}
