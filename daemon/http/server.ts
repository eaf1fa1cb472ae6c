/** The HTTP listener, with TLS when files are named; a taken port is told by the setting to change. */

import type { RequestListener } from 'node:http';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { listen, readTls, type TlsFiles, watchTls } from '../sockets.js';

const requestTimeoutMs = 60_000;
const headersTimeoutMs = 15_000;
const headerBytesMax = 32 * 1024;

export class HttpListener {
  readonly server: http.Server;
  private unwatch: () => void = () => {};

  constructor(
    private readonly host: string,
    private readonly wantedPort: number,
    private readonly tls: TlsFiles | null,
    private readonly setting: string,
  ) {
    const options = {
      requestTimeout: requestTimeoutMs,
      headersTimeout: headersTimeoutMs,
      maxHeaderSize: headerBytesMax,
    };
    this.server = tls === null ? http.createServer(options) : https.createServer({ ...options, ...readTls(tls) });
  }

  get port(): number {
    return (this.server.address() as AddressInfo | null)?.port ?? this.wantedPort;
  }

  get url(): string {
    const host = this.host.includes(':') ? `[${this.host}]` : this.host;
    return `${this.tls === null ? 'http' : 'https'}://${host}:${this.port}`;
  }

  /** Throws PortTaken. */
  async start(handle: RequestListener): Promise<void> {
    this.server.on('request', handle);
    await listen(this.server, this.host, this.wantedPort, this.setting);
    if (this.tls === null) return;
    const { tls, server } = this;
    this.unwatch = watchTls(tls, () => (server as https.Server).setSecureContext(readTls(tls)));
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
