/** Announces between daemons that share a PostgreSQL database: that the log has grown, or what another channel is for. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { KeptConnection } from '../database/kept-connection.js';
import { LocalWakeUps, type News, type WakeUps } from './wake-ups.js';

const news: readonly News[] = ['events', 'deliveries', 'rows'];

/** LISTEN/NOTIFY in addition to the in-process call. A new connection begins with a wake-up for what was missed. */
export class PostgresqlWakeUps implements WakeUps {
  private readonly local = new LocalWakeUps();
  private readonly connection: KeptConnection;
  private readonly sender = randomUUID();
  /** News that is not announced yet; kept while there is no connection. */
  private readonly due = new Set<News>();
  private announcing: Promise<void> | null = null;

  constructor(
    url: string,
    private readonly channel: string,
  ) {
    this.connection = new KeptConnection(url, async (client) => {
      // PostgreSQL tells the sender, too, which has woken its own listeners already.
      client.on('notification', ({ payload = '' }) => {
        const [sender, ...heard] = payload.split(' ');
        if (sender !== this.sender) for (const one of news) if (heard.includes(one)) this.local.wake(one);
      });
      await client.query(`LISTEN ${this.channel}`);
      for (const one of news) this.local.wake(one);
      if (this.due.size > 0) await this.tell(client); // what nobody was told while there was no connection
    });
  }

  start = (): Promise<void> => this.connection.start();

  async stop(): Promise<void> {
    await this.announcing;
    await this.connection.stop();
  }

  get isHearing(): boolean {
    return this.connection.client !== null;
  }

  wake(one: News = 'events'): void {
    this.local.wake(one);
    this.tellOthers(one);
  }

  tellOthers(one: News): void {
    this.due.add(one);
    this.announcing ??= this.announce().finally(() => {
      this.announcing = null;
    });
  }

  onWake(listener: () => void, one?: News): () => void {
    return this.local.onWake(listener, one);
  }

  /** What cannot be told now is told once there is a connection again. */
  private async announce(): Promise<void> {
    await null; // a commit may have several news
    for (let { client } = this.connection; client !== null && this.due.size > 0; { client } = this.connection) {
      const at = client;
      await this.tell(at).catch(() => this.connection.lost(at));
    }
  }

  private async tell(client: Pick<pg.Client, 'query'>): Promise<void> {
    const told = [...this.due];
    this.due.clear();
    try {
      await client.query(`NOTIFY ${this.channel}, '${[this.sender, ...told].join(' ')}'`);
    } catch (error) {
      for (const one of told) this.due.add(one);
      throw error;
    }
  }
}
