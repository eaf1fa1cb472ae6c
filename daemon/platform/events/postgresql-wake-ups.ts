/** Announces between daemons that share a PostgreSQL database: that the log has grown, or what another channel is for. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { KeptConnection } from '../database/kept-connection.js';
import { LocalWakeUps, type News, type WakeUps } from './wake-ups.js';

const news: readonly News[] = ['events', 'deliveries', 'rows'];
/** PostgreSQL takes less than 8,000 bytes, the sender's name included. */
const textBytesMax = 7_500;
/** Texts that wait to be sent; beyond these the oldest is lost. */
const textsMax = 64;

/** LISTEN/NOTIFY in addition to the in-process call. A new connection begins with a wake-up for what was missed. */
export class PostgresqlWakeUps implements WakeUps {
  private readonly local = new LocalWakeUps();
  private readonly connection: KeptConnection;
  private readonly sender = randomUUID();
  /** News that is not announced yet; kept while there is no connection. */
  private readonly due = new Set<News>();
  private announcing: Promise<void> | null = null;
  private readonly texts: string[] = [];
  private sending: Promise<void> | null = null;
  private readonly textListeners = new Set<(text: string) => void>();

  constructor(
    url: string,
    private readonly channel: string,
  ) {
    this.connection = new KeptConnection(url, async (client) => {
      // PostgreSQL tells the sender, too, which has woken its own listeners already.
      client.on('notification', ({ channel: from, payload = '' }) => {
        if (from === this.textChannel) return this.onTextPayload(payload);
        const [sender, ...heard] = payload.split(' ');
        if (sender !== this.sender) for (const one of news) if (heard.includes(one)) this.local.wake(one);
      });
      await client.query(`LISTEN ${this.textChannel}`);
      await client.query(`LISTEN ${this.channel}`);
      for (const one of news) this.local.wake(one);
      if (this.due.size > 0) await this.notify(client); // what nobody was told while there was no connection
    });
  }

  start = (): Promise<void> => this.connection.start();

  async stop(): Promise<void> {
    await Promise.all([this.announcing, this.sending]);
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

  sendText(text: string): void {
    if (this.connection.client === null || Buffer.byteLength(text) > textBytesMax) return;
    this.texts.push(text);
    if (this.texts.length > textsMax) this.texts.shift();
    this.sending ??= this.sendTexts().finally(() => {
      this.sending = null;
    });
  }

  onText(listener: (text: string) => void): () => void {
    this.textListeners.add(listener);
    return () => this.textListeners.delete(listener);
  }

  private get textChannel(): string {
    return `${this.channel}_texts`;
  }

  private onTextPayload(payload: string): void {
    const end = payload.indexOf(' ');
    if (payload.slice(0, end) === this.sender) return;
    for (const listener of this.textListeners) listener(payload.slice(end + 1));
  }

  /** Never rejects. What cannot be sent now is out of date later. */
  private async sendTexts(): Promise<void> {
    for (let text = this.texts.shift(); text !== undefined; text = this.texts.shift()) {
      const { client } = this.connection;
      if (client === null) continue;
      const values = [this.textChannel, `${this.sender} ${text}`];
      await client.query('SELECT pg_notify($1, $2)', values).catch(() => this.connection.lost(client));
    }
  }

  /** What cannot be told now is told once there is a connection again. */
  private async announce(): Promise<void> {
    await null; // a commit may have several news
    for (let { client } = this.connection; client !== null && this.due.size > 0; { client } = this.connection) {
      const at = client;
      await this.notify(at).catch(() => this.connection.lost(at));
    }
  }

  private async notify(client: Pick<pg.Client, 'query'>): Promise<void> {
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
