/**
 * Running daemons of a database. On PostgreSQL each holds a lock on a connection of its own, which the server releases
 * at once when the process ends; a SQLite file has one daemon.
 */
import { randomUUID } from 'node:crypto';
import type { Database } from './database.js';
import { KeptConnection, noticeGoneClients } from './kept-connection.js';

/** First half of the locks' keys; the second is made of the id of the run. */
const lockClass = 417_530;

export class RunningDaemons {
  /** This run of this daemon. */
  readonly id = randomUUID();

  /** null on SQLite. */
  private readonly connection: KeptConnection | null;

  constructor(private readonly database: Database) {
    this.connection =
      database.dialect === 'sqlite'
        ? null
        : new KeptConnection(database.url, async (client) => {
            await client.query(noticeGoneClients);
            // Shared, because the connection before this one may not be gone yet for the server.
            await client.query('SELECT pg_advisory_lock_shared($1, hashtext($2))', [lockClass, this.id]);
          });
  }

  start = async (): Promise<void> => this.connection?.start();

  stop = async (): Promise<void> => this.connection?.stop();

  /** True while the run goes on, of this daemon or another. One that stands still goes on. */
  async isRunning(id: string): Promise<boolean> {
    if (id === this.id || this.database.dialect === 'sqlite') return id === this.id;
    const rows = await this.database.read.$queryRaw<{ found: boolean }[]>`
      SELECT EXISTS (SELECT 1 FROM pg_locks WHERE "locktype" = 'advisory' AND "granted"
        AND "database" = (SELECT "oid" FROM pg_database WHERE "datname" = current_database())
        AND "classid" = ${lockClass}::int::oid AND "objid" = hashtext(${id})::oid) AS "found"`;
    return rows[0]?.found === true;
  }
}
