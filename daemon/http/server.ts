/** The HTTP listener, with TLS when files are named; a taken port is told by the setting to change. */
import { readFileSync, watchFile, unwatchFile } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { RequestListener } from 'node:http';

/** A port that is wanted is not free; the message names the setting. */
export class PortTaken extends Error {
  override name = 'PortTaken';
}

export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

const requestTimeoutMs = 60_000;
const headersTimeoutMs = 15_000;
const headerBytesMax = 32 * 1024;
const tlsPollMs = 5_000;

export class HttpListener {
  readonly server: http.Server;

  constructor(
    private readonly host: string,
    private readonly wantedPort: number,
    private readonly tls: TlsFiles | null,
    private readonly setting: string,
  ) {
    const options = { requestTimeout: requestTimeoutMs, headersTimeout: headersTimeoutMs, maxHeaderSize: headerBytesMax };
    this.server = tls === null ? http.createServer(options) : https.createServer({ ...options, ...read(tls) });
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
    const reload = () => (server as https.Server).setSecureContext(read(tls));
    for (const file of [tls.cert, tls.key]) watchFile(file, { interval: tlsPollMs, persistent: false }, reload);
  }

  /** Stops accepting; open requests may finish until `closeAll`. */
  async stop(graceMs: number): Promise<void> {
    if (this.tls !== null) for (const file of [this.tls.cert, this.tls.key]) unwatchFile(file);
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeIdleConnections();
    const timer = setTimeout(() => this.server.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(timer);
  }
}

const read = ({ cert, key }: TlsFiles) => ({ cert: readFileSync(cert), key: readFileSync(key) });

function listen(server: http.Server, host: string, port: number, setting: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return reject(error);
      reject(new PortTaken(`Port ${port} on ${host} is taken. Set ${setting} to another one; 0 picks a free one.`));
    };
    server.once('error', refused);
    server.listen(port, host, () => {
      server.off('error', refused);
      resolve();
    });
  });
}
