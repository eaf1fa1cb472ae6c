/** Announces between daemons that share a PostgreSQL database: that the log has grown, or what another channel is for. */
import { randomUUID } from 'node:crypto';
import { KeptConnection } from '../database/kept-connection.js';
import { LocalWakeUps, type WakeUps } from './wake-ups.js';

/** LISTEN/NOTIFY in addition to the in-process call. A new connection begins with a wake-up for what was missed. */
export class PostgresqlWakeUps implements WakeUps {
  private readonly local = new LocalWakeUps();
  private readonly connection: KeptConnection;
  private readonly sender = randomUUID();
  /** State of the announcements: `due again` if one is on its way and one more follows it. */
  private state: 'idle' | 'announcing' | 'due again' = 'idle';

  constructor(
    url: string,
    private readonly channel: string,
  ) {
    this.connection = new KeptConnection(url, async (client) => {
      // PostgreSQL tells the sender, too, which has woken its own listeners already.
      client.on('notification', ({ payload }) => {
        if (payload !== this.sender) this.local.wake();
      });
      await client.query(`LISTEN ${this.channel}`);
      this.local.wake();
    });
  }

  start = (): Promise<void> => this.connection.start();

  stop = (): Promise<void> => this.connection.stop();

  wake(): void {
    this.local.wake();
    if (this.state === 'idle') void this.announce();
    else this.state = 'due again';
  }

  onWake(listener: () => void): () => void {
    return this.local.onWake(listener);
  }

  private async announce(): Promise<void> {
    do {
      this.state = 'announcing';
      const { client } = this.connection;
      await client?.query(`NOTIFY ${this.channel}, '${this.sender}'`).catch(() => this.connection.lost(client));
    } while (this.dueAgain());
    this.state = 'idle';
  }

  private dueAgain = (): boolean => this.state === 'due again';
}
