/** A TCP relay before a daemon, whose connections a test can cut in the middle of whatever flows. */
import { connect, createServer, type Server, type Socket } from 'node:net';

export class Relay {
  /** Number of connections accepted so far. */
  taken = 0;
  /** New connections wait for it before they are passed on. */
  held: Promise<void> = Promise.resolve();
  private readonly sockets = new Set<Socket>();
  private server: Server | null = null;

  /** @param upstream address of the daemon; it is asked anew for each connection */
  constructor(private readonly upstream: () => string) {}

  async start(): Promise<void> {
    const server = createServer((client) => void this.relay(client));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.server = server;
  }

  get url(): string {
    const address = this.server?.address();
    if (typeof address !== 'object' || address === null) throw new Error('The relay was not started.');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Cuts every connection without a word. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  stop(): void {
    this.cut();
    this.server?.close();
  }

  private async relay(client: Socket): Promise<void> {
    this.taken += 1;
    client.on('error', () => {});
    await this.held;
    const { hostname, port } = new URL(this.upstream());
    const daemon = connect(Number(port), hostname);
    for (const [one, other] of [
      [client, daemon],
      [daemon, client],
    ] as const) {
      this.sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
    }
    client.pipe(daemon);
    daemon.pipe(client);
  }
}
