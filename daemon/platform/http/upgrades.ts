/**
 * Requests to change the protocol of a connection (RFC 9110, 7.8). One that no part of the daemon accepts is ignored:
 * the request is served as HTTP/1.1 like any other, on a connection that stays under the server's timeouts and limits.
 * Node 20 decides for a whole server: with an `upgrade` listener, every such request is handed to it. So requests have
 * a class of their own here, which says by `upgrade`, where Node looks, whether the change is accepted.
 */
import { IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Router } from 'express';
import { DomainError } from '../../../src/contract/errors.js';
import { areCrumbs, Crumbs, lingerMs } from './crumbs.js';
import { allowOnly } from './methods.js';
import type { PipelinedRequests } from './pipelined.js';
import { outlive } from './sockets.js';
import { refuseByHand } from './unreadable.js';

type Taker = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** A request that Node serves, or hands over with its connection. */
class HandableRequest extends IncomingMessage {
  declare private offered: boolean | null;
  /** Decided once, when the head has been read: Node asks again at every packet. */
  declare private handedOver: boolean | undefined;
  private chunks = 0;
  private bodyBytes = 0;
  private areCrumbs = false;

  get upgrade(): boolean {
    this.handedOver ??= this.isExcess() || (this.offered === true && (this.method === 'CONNECT' || this.isTaken()));
    return this.handedOver;
  }

  /** Node sets this from the head. */
  set upgrade(offered: boolean | null) {
    this.offered = offered;
  }

  /** True if the request is served although it asks to change the protocol. */
  get ignoresOffer(): boolean {
    return this.offered === true && !this.upgrade;
  }

  /** Node calls this with each chunk of the body, read or not. */
  override push(chunk: Buffer | null): boolean {
    if (this.areCrumbs) return false;
    if (chunk !== null) {
      this.chunks += 1;
      this.bodyBytes += chunk.length;
      this.areCrumbs = areCrumbs(this.chunks, this.bodyBytes);
      if (this.areCrumbs) {
        this.refuseCrumbs();
        return false;
      }
    }
    return super.push(chunk);
  }

  override _read(bytes: number): void {
    if (!this.areCrumbs) super._read(bytes);
  }

  /** Node calls this where nobody wants the rest of the body, and would count no chunks from then on. */
  _dump(): void {
    this.removeAllListeners('data').resume();
  }

  protected refuseCrumbs(): void {}

  protected isExcess(): boolean {
    return false;
  }

  protected isTaken(): boolean {
    return false;
  }
}

/** The paths where a WebSocket can be opened; no other protocol is accepted. */
export class Upgrades {
  private readonly takers = new Map<string, Taker>();
  /** The class of requests of the server that these are for. */
  readonly Request: typeof HandableRequest;
  private readonly crumbs: Crumbs;

  /**
   * @param networkOf whose request it is
   * @param targetOf what the request is for
   */
  constructor(
    private readonly pipelined: PipelinedRequests,
    networkOf: (request: IncomingMessage) => string,
    private readonly targetOf: (request: IncomingMessage) => string,
  ) {
    const crumbs = new Crumbs(networkOf);
    this.crumbs = crumbs;
    const takes = (request: IncomingMessage): boolean => this.takes(request);
    this.Request = class extends HandableRequest {
      /** A request too many on its connection is handed over too: that is how Node stops reading what follows. */
      protected override isExcess(): boolean {
        return pipelined.isFull(this.socket) || crumbs.isRefused(this);
      }

      protected override refuseCrumbs(): void {
        crumbs.refuse(this);
      }

      protected override isTaken(): boolean {
        return takes(this);
      }
    };
  }

  /** `*` in the path stands for one segment. Returns a function that ends it. */
  onWebSocket(path: string, take: Taker): () => void {
    this.takers.set(path, take);
    return () => void this.takers.delete(path);
  }

  has = (path: string): boolean => this.takerAt(path) !== undefined;

  /** Takes upgrades of a server with requests of the class `Request`. `inTurn` calls its second argument in turn. */
  serve(server: Server, inTurn: (request: IncomingMessage, take: () => void) => void): void {
    server.on('upgrade', (request, socket, head) => {
      outlive(socket); // the server no longer manages it
      const take = this.takes(request) ? this.takerOf(request) : undefined;
      if (take === undefined) this.refuse(request);
      else inTurn(request, () => take(request, socket, head));
    });
  }

  private refuse(request: IncomingMessage): void {
    const refusal = this.crumbs.refusal(request);
    const { socket } = request;
    if (refusal === null || this.pipelined.isServing(socket)) return void socket.destroy();
    refuseUpgrade(refusal, socket);
  }

  private takes(request: IncomingMessage): boolean {
    const { method, headers, socket } = request;
    if (this.pipelined.isServing(socket)) return false; // an earlier answer is still being sent
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    const isWebSocket = /(^|,)\s*websocket\s*(,|$)/i.test(headers.upgrade ?? '');
    return method === 'GET' && isWebSocket && !hasBody && this.takerOf(request) !== undefined;
  }

  private takerOf(request: IncomingMessage): Taker | undefined {
    return this.takerAt(this.targetOf(request).split('?', 1)[0] ?? '');
  }

  private takerAt(path: string): Taker | undefined {
    const exact = this.takers.get(path);
    if (exact !== undefined) return exact;
    const segments = path.split('/');
    for (const [pattern, take] of this.takers) {
      const parts = pattern.split('/');
      const fits = (part: string, index: number) =>
        part === segments[index] || (part === '*' && segments[index] !== '');
      if (parts.length === segments.length && parts.every(fits)) return take;
    }
    return undefined;
  }
}

/** Answers and closes; a client that keeps its side open is cut off: no timeout of the server holds any more. */
export function refuseUpgrade(refusal: DomainError, socket: Duplex): void {
  refuseByHand(refusal, socket);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/** Bytes that a connection had sent when the last request with an ignored change was complete. */
const readBefore = new WeakMap<Socket, number>();

/**
 * Node's parser stops after a request to change the protocol and drops the rest of the packet. A client that waits for
 * its answer, as it must before it speaks another protocol, loses nothing. Any other connection is ended with the
 * answer, so that the client sends again what was dropped: it is kept only if the bytes read are exactly those of the
 * request.
 */
export function loseNothingBehind(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  const end = (readBefore.get(socket) ?? 0) + wireBytes(request);
  const mayHaveMore = (): boolean => !(socket.bytesRead <= end);
  if (mayHaveMore()) response.shouldKeepAlive = false;
  response.once('finish', () => {
    if (mayHaveMore()) socket.destroySoon();
    else readBefore.set(socket, end);
  });
}

/** Length of a request as clients write it; NaN where only the parser knows it, as for a chunked body. */
function wireBytes({ method, url, rawHeaders, headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.NaN;
  const line = `${method} ${url} HTTP/1.1\r\n`.length;
  const fields = rawHeaders.reduce((sum, text) => sum + text.length + 2, 0); // `: ` after a name, CRLF after a value
  return line + fields + 2 + Number(headers['content-length'] ?? 0);
}

const refuseOthers = allowOnly(['GET']);

/** A plain HTTP request for a WebSocket path is answered with the protocol to use. */
export function upgradeRouter(upgrades: Upgrades): Router {
  const router = Router();
  router.use((request, response, next) => {
    if (!upgrades.has(request.path)) return next();
    if (request.method !== 'GET') return refuseOthers(request, response, next);
    response.set({ Upgrade: 'websocket', Connection: 'Upgrade, close' });
    throw new DomainError('upgrade_required');
  });
  return router;
}
