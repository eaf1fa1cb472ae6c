/**
 * Running daemons of a database. On PostgreSQL each holds a lock on a connection of its own, which the server releases
 * at once when the process ends; a SQLite file has one daemon.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { z } from 'zod';
import type { Clock } from '../time/clock.js';
import { version } from '../version.js';
import type { Database } from './database.js';
import { KeptConnection, noticeGoneClients } from './kept-connection.js';

/** First half of the locks' keys; the second is made of the id of the run. */
const lockClass = 417_530;

/** PostgreSQL keeps 63 bytes of the name of a connection: `earshotd VERSION ROLES HOST`. */
const nameMax = 63;
const Node = z.object({ name: z.string(), since: z.date(), own: z.boolean() });

export interface RunningDaemon {
  readonly host: string;
  readonly version: string;
  readonly roles: readonly string[];
  readonly connectedAt: Date;
  /** True for this daemon. */
  readonly answering: boolean;
}

/** Reads the name that a daemon gives its connection. */
export function runByName(name: string): Pick<RunningDaemon, 'host' | 'version' | 'roles'> {
  const [, version = '', roles = '', host = ''] = name.split(' ');
  return { host, version, roles: roles.split(',') };
}

export class RunningDaemons {
  /** This run of this daemon. */
  readonly id = randomUUID();

  /** null on SQLite. */
  private readonly connection: KeptConnection | null;

  private readonly startedAt: Date;

  constructor(
    private readonly database: Database,
    private readonly roles: readonly string[],
    now: Clock,
  ) {
    this.startedAt = now();
    const name = `earshotd ${version} ${roles.join(',')} ${hostname()}`.slice(0, nameMax);
    this.connection =
      database.dialect === 'sqlite'
        ? null
        : new KeptConnection(database.url, async (client) => {
            await client.query(noticeGoneClients);
            await client.query("SELECT set_config('application_name', $1, false)", [name]);
            // Shared, because the connection before this one may not be gone yet for the server.
            await client.query('SELECT pg_advisory_lock_shared($1, hashtext($2))', [lockClass, this.id]);
          });
  }

  start = async (): Promise<void> => this.connection?.start();

  stop = async (): Promise<void> => this.connection?.stop();

  /** Daemons that use the database at this moment, the oldest first. */
  async list(max: number): Promise<readonly RunningDaemon[]> {
    const { database, startedAt, roles } = this;
    if (database.dialect === 'sqlite')
      return [{ host: hostname(), version, roles, connectedAt: startedAt, answering: true }];
    const rows = await database.read.$queryRaw`
      SELECT a."application_name" AS "name", a."backend_start" AS "since", l."objid" = hashtext(${this.id})::oid AS "own"
      FROM pg_locks l JOIN pg_stat_activity a ON a."pid" = l."pid"
      WHERE l."locktype" = 'advisory' AND l."granted" AND l."classid" = ${lockClass}::int::oid
        AND l."database" = (SELECT "oid" FROM pg_database WHERE "datname" = current_database())
      ORDER BY a."backend_start" LIMIT ${max}`;
    return z
      .array(Node)
      .parse(rows)
      .map(({ name, since, own }) => ({ ...runByName(name), connectedAt: since, answering: own }));
  }

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
