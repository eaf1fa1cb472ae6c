/** The two doors of the broker: MQTT over TCP, and over WebSocket at `/mqtt` of the HTTP server. */
import { once } from 'node:events';
import type { Server as HttpServer, IncomingMessage } from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { createWebSocketStream, WebSocketServer } from 'ws';
import type { Broker } from './broker.js';
import { inboundPacketBytesMax } from './limits.js';

const webSocketPath = '/mqtt';
const subprotocols = ['mqtt', 'mqttv3.1'];

/** Certificate and key as PEM text. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

export class TcpListener {
  private server: net.Server | null = null;

  constructor(
    private readonly broker: Broker,
    private readonly host: string,
    /** 0 picks a free port. */
    private readonly port: number,
    private readonly secure: TlsFiles | null,
  ) {}

  /** Rejects with EADDRINUSE when the port is taken. Returns the port. */
  async start(): Promise<number> {
    const accept = (socket: net.Socket) => this.broker.accept(socket);
    const options = { noDelay: true, keepAlive: true };
    const server =
      this.secure === null
        ? net.createServer(options, accept)
        : tls.createServer({ ...options, ...this.secure }, accept);
    server.listen(this.port, this.host);
    await once(server, 'listening');
    this.server = server;
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : this.port;
  }

  /** Takes a renewed certificate into use for new connections. */
  renew(secure: TlsFiles): void {
    if (this.server instanceof tls.Server) this.server.setSecureContext(secure);
  }

  /** Stops listening; the connections are the broker's to close. */
  stop(): void {
    this.server?.close();
    this.server = null;
  }
}

export class WebSocketListener {
  private readonly webSockets = new WebSocketServer({
    noServer: true,
    maxPayload: inboundPacketBytesMax,
    perMessageDeflate: false,
    handleProtocols: (offered) => subprotocols.find((protocol) => offered.has(protocol)) ?? false,
  });
  private readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const path = request.url?.split('?')[0];
    if (path !== webSocketPath) return;
    this.webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      this.broker.accept(createWebSocketStream(webSocket), request);
    });
  };

  constructor(
    private readonly broker: Broker,
    private readonly server: HttpServer,
  ) {}

  start(): void {
    this.server.on('upgrade', this.upgrade);
  }

  stop(): void {
    this.server.off('upgrade', this.upgrade);
    this.webSockets.close();
  }
}
