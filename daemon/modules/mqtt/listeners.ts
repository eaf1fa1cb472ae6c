/** The two listeners of the broker: MQTT over TCP, and over WebSocket at `/mqtt` of the HTTP server. */
import type { IncomingMessage } from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { createWebSocketStream, WebSocketServer } from 'ws';
import type { ClientAddresses } from '../../platform/http/client-addresses.js';
import type { HttpConnections } from '../../platform/http/connections.js';
import { followTls, listen, outlive, peerOf, readTls, type TlsFiles } from '../../platform/http/sockets.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Broker } from './broker.js';
import { mqttLimits } from './limits.js';
import type { AcceptedConnection } from './seats.js';

const webSocketPath = '/mqtt';
const subprotocols = ['mqtt', 'mqttv3.1'];
const options = { noDelay: true, keepAlive: true };

interface TcpListenerNeeds {
  readonly broker: Broker;
  readonly addresses: ClientAddresses;
  readonly host: string;
  /** 0 picks a free port. */
  readonly wantedPort: number;
  readonly tls: TlsFiles | null;
  readonly setting: string;
  readonly log: Logger;
}

export class TcpListener {
  private server: net.Server | null = null;
  private unwatch: () => void = () => {};

  constructor(private readonly needs: TcpListenerNeeds) {}

  get url(): string {
    const address = this.server?.address();
    const port = typeof address === 'object' && address !== null ? address.port : this.needs.wantedPort;
    const host = this.needs.host.includes(':') ? `[${this.needs.host}]` : this.needs.host;
    return `${this.needs.tls === null ? 'mqtt' : 'mqtts'}://${host}:${port}`;
  }

  /** Throws PortTaken. */
  async start(): Promise<void> {
    const server = this.create();
    await listen(server, this.needs.host, this.needs.wantedPort, this.needs.setting, (error) =>
      this.needs.log.warn({ listener: 'mqtt', err: error }, 'a connection could not be taken'),
    );
    this.server = server;
  }

  /** Stops listening; the connections are the broker's to close. */
  stop(): void {
    this.unwatch();
    this.server?.close();
    this.server = null;
  }

  private create(): net.Server {
    if (this.needs.tls !== null) return this.secure(this.needs.tls);
    return net.createServer(options, (socket) => void this.needs.broker.accept(socket, this.networkOf(socket)));
  }

  /** A connection takes its place before the handshake, so that nobody opens more by never completing one. */
  private secure(files: TlsFiles): tls.Server {
    const { broker, log } = this.needs;
    const server = tls.createServer({ ...options, ...readTls(files), handshakeTimeout: mqttLimits.handshakeTimeoutMs });
    const entered = new Map<string, AcceptedConnection>();
    server.on('connection', (socket: net.Socket) => {
      const entry = broker.enter(socket, this.networkOf(socket));
      if (entry === null) return;
      const name = peerOf(socket);
      entered.set(name, entry);
      socket.once('close', () => {
        if (entered.get(name) === entry) entered.delete(name);
      });
    });
    server.on('secureConnection', (socket) => {
      broker.accept(socket, this.networkOf(socket), { entry: entered.get(peerOf(socket)) ?? null });
    });
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    this.unwatch = followTls(
      files,
      (pair) => {
        server.setSecureContext(pair);
        log.info({ listener: 'mqtt' }, 'certificate reloaded');
      },
      (error) =>
        log.warn({ listener: 'mqtt', err: error }, 'the changed certificate cannot be used; the old one stays'),
    );
    return server;
  }

  private networkOf = ({ remoteAddress }: net.Socket): string | null => this.needs.addresses.ofPeer(remoteAddress);
}

/** The HTTP server, which hands over a connection that becomes a WebSocket. */
interface WebSocketDoors {
  /** Returns the function that ends it. */
  onWebSocket(path: string, take: (request: IncomingMessage, socket: Duplex, head: Buffer) => void): () => void;
}

export class WebSocketListener {
  private readonly webSockets = new WebSocketServer({
    noServer: true,
    maxPayload: mqttLimits.inboundPacketBytesMax,
    maxFragments: mqttLimits.webSocketFragmentsMax,
    perMessageDeflate: false,
    handleProtocols: (offered) => subprotocols.find((protocol) => offered.has(protocol)) ?? false,
  });
  private close: () => void = () => {};

  constructor(
    private readonly broker: Broker,
    private readonly addresses: ClientAddresses,
    private readonly doors: WebSocketDoors,
    /** Counts the connection until the broker does; null: there is no place. */
    private readonly http: HttpConnections | null = null,
  ) {}

  private readonly onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    this.webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      const stream = createWebSocketStream(outlive(webSocket));
      const network = this.addresses.ofRequest(request);
      const entry = this.broker.enter(stream, network);
      for (const kind of ['message', 'ping', 'pong'] as const)
        webSocket.on(kind, () => {
          if (entry?.budget.admitsFrame(kind) === false) stream.destroy();
        });
      if (this.broker.accept(stream, network, { request, entry })) this.http?.handOver(request.socket);
    });
  };

  start(): void {
    this.close = this.doors.onWebSocket(webSocketPath, this.onUpgrade);
  }

  stop(): void {
    this.close();
    this.webSockets.close();
  }
}
