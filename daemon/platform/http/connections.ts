/**
 * The connections of the HTTP listener and their places. A connection is busy from the end of a request to the end of
 * its answer, so neither idle connections nor requests that never finish keep others out.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { serveInTurn } from './admission-queue.js';
import type { ClientAddresses } from './client-addresses.js';
import type { ConnectionPlaces, ConnectionSlot } from './connection-places.js';
import { peerOf } from './sockets.js';

export const isHealthCheck = ({ url }: IncomingMessage): boolean => url?.startsWith('/health/') === true;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

interface Open {
  readonly place: ConnectionSlot;
  /** It was let in for health checks, because all other places are taken. */
  readonly isReserved: boolean;
  /** Complete requests whose answers have not ended. */
  answering: number;
}

export class HttpConnections {
  private readonly open = new Map<string, Open>();

  constructor(
    private readonly places: ConnectionPlaces,
    /** Places that health checks alone may use; whoever waits in one is displaced by the next who comes. */
    private readonly reserved: ConnectionPlaces,
    private readonly addresses: ClientAddresses,
  ) {}

  /** Counts each new connection at once, and lets the server serve it in its network's turn. */
  follow(server: Server): void {
    serveInTurn(server, (socket) => this.enter(socket));
  }

  /** Returns the network of the client behind trusted proxies, or of the proxy if it names none. */
  networkOf(request: IncomingMessage): string {
    return this.addresses.ofRequest(request) ?? request.socket.remoteAddress ?? '';
  }

  /** From now on the connection is counted elsewhere. */
  handOver(socket: Socket): void {
    const key = peerOf(socket);
    this.open.get(key)?.place.leave();
    this.open.delete(key);
  }

  /**
   * Counts the connection as busy until the answer has ended. False for a request that has come in by a reserved place and
   * is no health check.
   */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    const entry = this.open.get(peerOf(request.socket));
    if (entry === undefined) return true;
    this.occupy(entry, request, response);
    return !entry.isReserved || isHealthCheck(request);
  }

  /** Returns the network, or the proxy, that the connection comes from; null: there is no place for it. */
  private enter(socket: Socket): string | null {
    const key = peerOf(socket);
    const network = this.addresses.ofPeer(socket.remoteAddress);
    const cut = () => socket.destroy();
    const ordinary = this.places.acquire(network, cut);
    const isReserved = typeof ordinary === 'string';
    const place = isReserved ? this.reserved.acquire(network, cut) : ordinary;
    if (typeof place === 'string') {
      socket.destroy();
      return null;
    }
    place.setIdle(true);
    const entry = { place, isReserved, answering: 0 };
    this.open.set(key, entry);
    socket.once('close', () => {
      place.leave();
      if (this.open.get(key) === entry) this.open.delete(key);
    });
    return network ?? socket.remoteAddress ?? '';
  }

  private occupy(entry: Open, request: IncomingMessage, response: ServerResponse): void {
    const begin = () => {
      if (response.closed) return;
      entry.answering += 1;
      entry.place.setIdle(false);
      response.once('close', () => {
        entry.answering -= 1;
        if (entry.answering === 0) entry.place.setIdle(true);
      });
    };
    if (hasBody(request)) request.once('end', begin);
    else begin();
  }
}
