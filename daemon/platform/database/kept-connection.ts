/** A connection to PostgreSQL beside the pool, for what belongs to one connection. When it is lost it is opened again. */
import type pg from 'pg';

const reconnectMs = 1_000;
/** A server that is gone without a word is noticed by then. */
const answerMs = 10_000;

/** For `begin`: the server notices within seconds that the machine of this daemon is gone, and releases its locks. */
export const noticeGoneClients =
  'SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3';

export class KeptConnection {
  private open: pg.Client | null = null;
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;

  /** `begin` is called on each new connection; when it throws, the connection is given up and tried again. */
  constructor(
    private readonly url: string,
    private readonly begin: (client: pg.Client) => Promise<void>,
  ) {}

  /** null: it is being opened again. */
  get client(): pg.Client | null {
    return this.open;
  }

  /** Throws when it cannot be opened now, or what `begin` throws. */
  async start(): Promise<void> {
    const { Client } = await import('pg'); // loads much, which SQLite does without
    const client = new Client({ connectionString: this.url, keepAlive: true, query_timeout: answerMs });
    client.on('error', () => this.lost(client));
    client.on('end', () => this.lost(client));
    try {
      await client.connect();
      await this.begin(client);
      if (this.stopped) throw new Error('The connection is not wanted any more.');
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
    this.open = client;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    const client = this.open;
    this.open = null;
    await client?.end();
  }

  /** Ends the connection, for example because a query on it failed, and opens another. */
  lost(client: pg.Client): void {
    if (this.stopped || this.open !== client) return;
    this.open = null;
    client.end().catch(() => {});
    this.again();
  }

  private again(): void {
    this.timer = setTimeout(() => {
      this.start().catch(() => {
        if (!this.stopped) this.again();
      });
    }, reconnectMs);
  }
}
