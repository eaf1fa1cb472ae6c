/**
 * The HTTP listener, with TLS when files are configured; when the port is taken, the error names the setting to change.
 */
import type { RequestListener } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { DomainError } from '../../../src/contract/errors.js';
import type { Logger } from '../observability/logger.js';
import { systemClock } from '../time/clock.js';
import { withoutBase } from './base-path.js';
import type { HttpConnections } from './connections.js';
import { unreadMs } from './drained.js';
import { PipelinedRequests } from './pipelined.js';
import { RequestQueue } from './request-queue.js';
import { endOf, followTls, listen, outlive, readTls, type TlsFiles } from './sockets.js';
import { answerUnreadable, refuseByHand } from './unreadable.js';
import { loseNothingBehind, Upgrades } from './upgrades.js';

/**
 * How long a client may take to send and to read; slower ones are disconnected, so that idle connections cannot use up
 * the daemon.
 */
interface ServerTimeouts {
  /** Until the last byte of the body. */
  readonly requestMs: number;
  readonly headersMs: number;
  readonly handshakeMs: number;
  /** Longest time in which a client reads nothing of an answer. */
  readonly unreadMs: number;
  /**
   * How long a connection is kept for the next request. Longer than proxies and clients keep theirs: a request that meets
   * the closing of its connection fails, and only its sender knows whether it may be repeated.
   */
  readonly idleMs: number;
  /** How often the first two are checked. */
  readonly checkMs: number;
}

const patienceDefault: ServerTimeouts = {
  requestMs: 60_000,
  headersMs: 15_000,
  handshakeMs: 10_000,
  unreadMs,
  idleMs: 75_000,
  checkMs: 5_000,
};
const headerBytesMax = 32 * 1024;
const headersMax = 200;
/** For listeners that do not count their connections, such as the one for metrics. */
const connectionsMax = 100;

/** Time until an answer has to be complete whose client has closed its side. */
const halfOpenMs = 2_000;

/**
 * Lets a client close its side once it has sent its requests, and get its answers all the same. Nobody can tell it from one
 * that has gone: work for that ends after a while, and at once where the answer had begun, as an event stream.
 *
 * Node.js has this as a property of the server, not as an option.
 */
function allowHalfOpen(server: http.Server, connected: 'connection' | 'secureConnection'): void {
  Object.assign(server, { httpAllowHalfOpen: true });
  const newest = new WeakMap<Socket, http.ServerResponse>();
  server.on('request', (request, response) => newest.set(request.socket, response));
  server.on(connected, (socket: Socket) => {
    const endUnlessComplete = () => {
      if (newest.get(socket)?.writableEnded !== true) socket.destroy();
    };
    socket.once('end', () => {
      if (newest.get(socket)?.headersSent === true) return endUnlessComplete();
      const timer = setTimeout(endUnlessComplete, halfOpenMs);
      socket.once('close', () => clearTimeout(timer));
    });
  });
}

export class HttpListener {
  private readonly pipelined = new PipelinedRequests();
  readonly upgrades = new Upgrades(
    this.pipelined,
    (request) => this.connections?.networkOf(request) ?? request.socket.remoteAddress ?? '',
    (request) => withoutBase(request.url ?? '', this.basePath),
  );
  private readonly server: http.Server<Upgrades['Request']>;
  private readonly queue: RequestQueue | null;
  private unwatch: () => void = () => {};
  /** When the certificate in use ends; null: the listener has none. */
  certificateEnd: Date | null;

  /** Throws TlsUnusable. */
  constructor(
    private readonly host: string,
    private readonly wantedPort: number,
    private readonly tls: TlsFiles | null,
    private readonly setting: string,
    private readonly log: Logger,
    { requestMs, headersMs, handshakeMs, unreadMs, idleMs, checkMs }: ServerTimeouts = patienceDefault,
    private readonly connections: HttpConnections | null = null,
    private readonly basePath = '',
  ) {
    const options = {
      IncomingMessage: this.upgrades.Request,
      requestTimeout: requestMs,
      headersTimeout: headersMs,
      keepAliveTimeout: idleMs,
      connectionsCheckingInterval: checkMs,
      maxHeaderSize: headerBytesMax,
    };
    const pair = tls === null ? null : readTls(tls);
    this.certificateEnd = pair === null ? null : endOf(pair);
    this.server =
      pair === null
        ? http.createServer(options)
        : https.createServer({ ...options, ...pair, handshakeTimeout: handshakeMs });
    this.server.maxHeadersCount = headersMax;
    if (connections === null) this.server.maxConnections = connectionsMax;
    this.queue = connections === null ? null : new RequestQueue((request) => connections.networkOf(request));
    this.server.timeout = unreadMs;
    allowHalfOpen(this.server, tls === null ? 'connection' : 'secureConnection');
    connections?.follow(this.server);
    this.server.on('clientError', answerUnreadable);
    this.upgrades.serve(this.server, (request, serve) => this.inTurn(request, serve));
  }

  get port(): number {
    return (this.server.address() as AddressInfo | null)?.port ?? this.wantedPort;
  }

  get url(): string {
    const host = this.host.includes(':') ? `[${this.host}]` : this.host;
    return `${this.tls === null ? 'http' : 'https'}://${host}:${this.port}`;
  }

  /** Listens; a listener that counts its connections answers nothing but health checks until `open`. Throws PortTaken. */
  async start(handle: RequestListener): Promise<void> {
    const { tls, server, pipelined, log } = this;
    pipelined.handle = (request, response) => this.inTurn(request, () => handle(request, response));
    // A client that asks first whether to send a body is told so when it is read, or is told why it is not.
    server.on('checkContinue', (request, response) => server.emit('request', request, response));
    server.on('request', (request, response) => {
      if (request.ignoresOffer) loseNothingBehind(request, response);
      request.url = withoutBase(request.url ?? '', this.basePath);
      if (this.connections?.begin(request, response) === false) {
        refuseByHand(new DomainError('overloaded', { retryAfterSeconds: 1 }), request.socket);
        return;
      }
      pipelined.enqueue(outlive(request), outlive(response));
    });
    // Nothing was sent or received for a while. The daemon may work on an answer for long; a client may not leave an
    // answer unread for long.
    server.on('timeout', (socket) => {
      if (!pipelined.isServing(socket) || socket.writableLength > 0) socket.destroy();
    });
    await listen(server, this.host, this.wantedPort, this.setting, (error) =>
      log.warn({ listener: 'http', err: error }, 'a connection could not be taken'),
    );
    if (tls === null || !(server instanceof https.Server)) return;
    this.noteEnd();
    this.unwatch = followTls(
      tls,
      (pair) => {
        server.setSecureContext(pair);
        this.certificateEnd = endOf(pair);
        log.info({ listener: 'http' }, 'certificate reloaded');
        this.noteEnd();
      },
      (error) =>
        log.warn({ listener: 'http', err: error }, 'the changed certificate cannot be used; the old one stays'),
    );
  }

  /** Logs that the certificate has ended; the listener goes on with it. */
  private noteEnd(): void {
    const { certificateEnd: ended, log } = this;
    if (ended !== null && ended < systemClock())
      log.error({ listener: 'http', ended }, 'the certificate has ended, so clients refuse it: renew it');
  }

  /** Begins to answer requests; those that came before have waited. */
  open(): void {
    this.queue?.open();
  }

  private inTurn(request: http.IncomingMessage, serve: () => void): void {
    if (this.queue === null) serve();
    else this.queue.enqueue(request, serve);
  }

  /** Goes on answering, and closes each connection behind its last answer, so that clients turn to another daemon. */
  drain(): void {
    this.pipelined.drain();
  }

  /** Stops accepting; open requests may finish until `closeAll`. */
  async stop(graceMs: number): Promise<void> {
    this.unwatch();
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeIdleConnections();
    const timer = setTimeout(() => this.server.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(timer);
  }
}
