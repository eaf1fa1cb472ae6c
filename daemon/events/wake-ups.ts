/** Tells that the log has grown, within this process and, on PostgreSQL, between daemons. Carries no data. */
import pg from 'pg';

export interface WakeUps {
  wake(): void;
  /** Returns the function that ends the subscription. */
  onWake(listener: () => void): () => void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export class LocalWakeUps implements WakeUps {
  private readonly listeners = new Set<() => void>();

  wake(): void {
    for (const listener of this.listeners) listener();
  }

  onWake(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async start(): Promise<void> {}
  async stop(): Promise<void> {}
}

const channel = 'earshot_log';
const reconnectMs = 1_000;

/** LISTEN/NOTIFY beside the in-process call. A lost connection is made anew, with a wake-up for what was missed. */
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
