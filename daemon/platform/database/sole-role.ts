/** A role that only one daemon of a database may have: that daemon holds a lock as long as it runs. */
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { Database } from './database.js';
import { KeptConnection } from './kept-connection.js';

/** How long a daemon that starts waits for one that is stopping. */
const patienceMs = 10_000;
const betweenMs = 250;
/** Within seconds PostgreSQL notices that the machine of the holder is gone, and releases the lock. */
const keepalives = 'SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3';

/** Another daemon has the role. */
export class RoleTaken extends Error {
  override name = 'RoleTaken';
  constructor(role: string) {
    super(
      `Another daemon of this database has the role ${role}. Stop it, or start this one with EARSHOT_ROLES without ${role}.`,
    );
  }
}

export class SoleRole {
  /** null on SQLite, where a database has one daemon. */
  private readonly connection: KeptConnection | null;
  private hadIt = false;
  private isTaken = false;

  constructor(
    { dialect, url }: Pick<Database, 'dialect' | 'url'>,
    private readonly role: string,
    private readonly patience = patienceMs,
  ) {
    this.connection = dialect === 'sqlite' ? null : new KeptConnection(url, (client) => this.take(client));
  }

  /** null when all is well. Another daemon can get the role while the connection to PostgreSQL is lost. */
  get problem(): string | null {
    return this.isTaken ? new RoleTaken(this.role).message : null;
  }

  /** Throws RoleTaken. */
  async start(): Promise<void> {
    await this.connection?.start();
  }

  async stop(): Promise<void> {
    await this.connection?.stop();
  }

  private async take(client: pg.Client): Promise<void> {
    await client.query(keepalives);
    const until = performance.now() + (this.hadIt ? 0 : this.patience);
    while (!(await this.isMine(client))) {
      this.isTaken = this.hadIt;
      if (performance.now() >= until) throw new RoleTaken(this.role);
      await wait(betweenMs);
    }
    this.hadIt = true;
    this.isTaken = false;
  }

  private async isMine(client: pg.Client): Promise<boolean> {
    const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock(hashtext($1)) AS mine', [
      `role ${this.role}`,
    ]);
    return rows[0]?.mine === true;
  }
}
