/**
 * Bodies that come in crumbs: in chunks of a few bytes each. Node.js calls back for each chunk, so the 64 KiB of one read
 * keep the event loop for ten milliseconds. Such a body is refused, and whoever sends them again and again sends no
 * chunks for a while.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../../../src/contract/errors.js';
import { atMost } from '../collections/at-most.js';

/** A body in more chunks than this must not be cut into crumbs. */
const chunksMax = 500;
const crumbBytes = 32;
/** Bodies of crumbs that a network may send before it is barred. */
const offencesMax = 3;
const barredSeconds = 60;
/** How long a refused client may take to read why; nothing more is read of it. */
export const lingerMs = 2_000;
/** Index of the parser's callback for each chunk: `kOnBody` in Node's lib/_http_common.js. */
const onBody = 3;

/** Emitted by a request whose body comes in crumbs. */
export const crumbsEvent = 'crumbs';

export const bodyInCrumbs = () =>
  new DomainError('malformed_request', {
    message: `The body comes in chunks of a few bytes. Send it with Content-Length, or in chunks of at least ${crumbBytes} bytes.`,
  });

const barred = () =>
  new DomainError('rate_limited', {
    message: `Bodies from your network came in chunks of a few bytes ${offencesMax} times. Send bodies with Content-Length; chunks are accepted again after the seconds in Retry-After.`,
    retryAfterSeconds: barredSeconds,
  });

export const areCrumbs = (chunks: number, bytes: number): boolean => chunks > chunksMax && bytes < chunks * crumbBytes;

export class Crumbs {
  private readonly offences = new LRUCache<string, number>({ ...atMost(10_000), ttl: barredSeconds * 1_000 });
  private readonly refused = new WeakSet<Socket>();

  /** @param networkOf whose request it is */
  constructor(private readonly networkOf: (request: IncomingMessage) => string) {}

  /** Ends the connection. A reader of the body learns of it by an event, and answers; without one there is nothing to say. */
  refuse(request: IncomingMessage): void {
    const { socket } = request;
    const network = this.networkOf(request);
    this.offences.set(network, (this.offences.get(network) ?? 0) + 1);
    this.refused.add(socket);
    deafen(socket);
    if (request.emit(crumbsEvent)) setTimeout(() => socket.destroy(), lingerMs).unref();
    else socket.destroy();
  }

  /** True for a request behind such a body, and for a body in chunks from a barred network. */
  isRefused(request: IncomingMessage): boolean {
    return this.refused.has(request.socket) || this.refusal(request) !== null;
  }

  /** Why a body in chunks is not read; null: it is read. */
  refusal(request: IncomingMessage): DomainError | null {
    if (request.headers['transfer-encoding'] === undefined || this.offences.size === 0) return null;
    return (this.offences.get(this.networkOf(request)) ?? 0) < offencesMax ? null : barred();
  }
}

/**
 * Makes the parser of the connection drop all further chunks of the read that it works on, without a call for each. It goes
 * to another connection later, and hears again then.
 */
function deafen(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, 'parser');
  if (typeof parser !== 'object' || parser === null) return;
  const listener: unknown = Reflect.get(parser, onBody);
  if (typeof listener !== 'function') return;
  Reflect.set(parser, onBody, null);
  socket.once('close', () => Reflect.set(parser, onBody, listener));
}
