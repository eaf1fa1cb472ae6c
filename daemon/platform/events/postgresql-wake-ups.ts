/** Announces that the log has grown, between daemons that share a PostgreSQL database. */
import pg from 'pg';
import { LocalWakeUps, type WakeUps } from './wake-ups.js';

const channel = 'earshot_log';
const reconnectMs = 1_000;

/**
 * LISTEN/NOTIFY in addition to the in-process call. A lost connection is reopened, followed by a wake-up for what was
 * missed.
 */
export class PostgresqlWakeUps implements WakeUps {
  private readonly local = new LocalWakeUps();
  private client: pg.Client | null = null;
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;

  constructor(private readonly url: string) {}

  wake(): void {
    this.local.wake();
    this.client?.query(`NOTIFY ${channel}`).catch(() => this.reconnect());
  }

  onWake(listener: () => void): () => void {
    return this.local.onWake(listener);
  }

  async start(): Promise<void> {
    const client = new pg.Client({ connectionString: this.url });
    client.on('notification', () => this.local.wake());
    client.on('error', () => this.reconnect());
    await client.connect();
    await client.query(`LISTEN ${channel}`);
    this.client = client;
    this.local.wake();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.client?.end();
    this.client = null;
  }

  private reconnect(): void {
    if (this.stopped || this.timer !== null) return;
    this.client?.end().catch(() => {});
    this.client = null;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.start().catch(() => this.reconnect());
    }, reconnectMs);
  }
}
