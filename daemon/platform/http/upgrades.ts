/**
 * Offers to change the protocol of a connection (RFC 9110, 7.8). An offer that nobody takes is ignored: the request is
 * served as HTTP/1.1 like any other, on a connection that stays under the server's timeouts and limits.
 *
 * Node 20 decides for a whole server: with an `upgrade` listener, every request with an offer is handed over to it. So
 * requests are of a class of their own here, which says by `upgrade`, where Node looks, whether its offer is taken.
 */
import { IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Router } from 'express';
import { DomainError } from '../../../src/contract/errors.js';
import { allowOnly } from './methods.js';
import { outlive } from './sockets.js';
import type { Turns } from './turns.js';

type Taker = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

const pathOf = (request: IncomingMessage): string => request.url?.split('?', 1)[0] ?? '';

/** A request that Node serves, or hands over with its connection. */
class HandableRequest extends IncomingMessage {
  declare private offered: boolean | null;
  /** Judged once, when the head has been read: Node asks again behind every packet. */
  declare private handedOver: boolean | undefined;

  get upgrade(): boolean {
    this.handedOver ??= this.isExcess() || (this.offered === true && (this.method === 'CONNECT' || this.isTaken()));
    return this.handedOver;
  }

  /** Node tells what the head says. */
  set upgrade(offered: boolean | null) {
    this.offered = offered;
  }

  /** Whether the request is served although it offers to change the protocol. */
  get ignoresOffer(): boolean {
    return this.offered === true && !this.upgrade;
  }

  protected isExcess(): boolean {
    return false;
  }

  protected isTaken(): boolean {
    return false;
  }
}

/** The places where a WebSocket can be opened; no other protocol is taken. */
export class Upgrades {
  private readonly takers = new Map<string, Taker>();
  /** The class of requests of the server that these are for. */
  readonly Request: typeof HandableRequest;

  constructor(private readonly turns: Turns) {
    const takes = (request: IncomingMessage): boolean => this.takes(request);
    this.Request = class extends HandableRequest {
      /** One too many for its connection is handed over too: that is how Node stops reading what is behind it. */
      protected override isExcess(): boolean {
        return turns.isFull(this.socket);
      }

      protected override isTaken(): boolean {
        return takes(this);
      }
    };
  }

  /** Returns the function that ends it. */
  onWebSocket(path: string, take: Taker): () => void {
    this.takers.set(path, take);
    return () => void this.takers.delete(path);
  }

  has(path: string): boolean {
    return this.takers.has(path);
  }

  /** Of a server whose requests are of the class `Request`. */
  serve(server: Server): void {
    server.on('upgrade', (request, socket, head) => {
      outlive(socket); // the server has let go of it
      const take = this.takes(request) ? this.takers.get(pathOf(request)) : undefined;
      if (take === undefined) socket.destroy();
      else take(request, socket, head);
    });
  }

  private takes(request: IncomingMessage): boolean {
    const { method, headers, socket } = request;
    if (this.turns.isServing(socket)) return false; // an earlier answer is still on its way
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    const isWebSocket = /(^|,)\s*websocket\s*(,|$)/i.test(headers.upgrade ?? '');
    return method === 'GET' && isWebSocket && !hasBody && this.takers.has(pathOf(request));
  }
}

/** Bytes that a connection had sent when the last request with an ignored offer was complete. */
const readBefore = new WeakMap<Socket, number>();

/**
 * Node's parser stops behind a request with an offer and drops what came in the same packet. A client that waits for its
 * answer, as it must before it speaks another protocol, loses nothing. The connection of any other is ended with the
 * answer, so that the client sends again what was dropped: it is kept only if the bytes read are those of the request.
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

/** Length of a request as clients write it; NaN where only the parser knows, as of a body in chunks. */
function wireBytes({ method, url, rawHeaders, headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.NaN;
  const line = `${method} ${url} HTTP/1.1\r\n`.length;
  const fields = rawHeaders.reduce((sum, text) => sum + text.length + 2, 0); // `: ` behind a name, CRLF behind a value
  return line + fields + 2 + Number(headers['content-length'] ?? 0);
}

const refuseOthers = allowOnly(['GET']);

/** Who asks for a place of WebSockets by plain HTTP is told what it speaks. */
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
