/**
 * A pooler in transaction mode (PgBouncer) gives each transaction whichever connection is free. LISTEN and locks belong to
 * a connection: through the pooler no daemon hears of another, and a lock stays with somebody else's connection.
 */
import type { DatabaseAddresses } from './addresses.js';

/** The address shares connections; the message says what to set. */
class AddressPooled extends Error {
  override name = 'AddressPooled';
}

const connectMs = 5_000;
/** A pooler may by chance have given two clients a connection each. */
const looks = 5;

/** Throws AddressPooled, and errors of the connection. */
export async function requireDirectAddress({ url, directUrl }: DatabaseAddresses): Promise<void> {
  if (directUrl.startsWith('file:') || !(await sharesConnections(directUrl))) return;
  const setting = url === directUrl ? 'DATABASE_URL' : 'EARSHOT_DATABASE_DIRECT_URL';
  throw new AddressPooled(
    `${setting} leads to a pooler in transaction mode, such as PgBouncer. LISTEN and locks need PostgreSQL's own address: set EARSHOT_DATABASE_DIRECT_URL to it, and leave DATABASE_URL as it is.`,
  );
}

/** True if two clients, both connected, were seen on one connection of PostgreSQL. */
async function sharesConnections(url: string): Promise<boolean> {
  const { default: pg } = await import('pg'); // loaded where it is used: SQLite needs none of it
  const open = () => new pg.Client({ connectionString: url, connectionTimeoutMillis: connectMs });
  const clients = [open(), open()];
  try {
    for (const client of clients) {
      client.on('error', () => {}); // the next query fails
      await client.connect();
    }
    const seen = clients.map(() => new Set<number>());
    for (let look = 0; look < looks; look += 1)
      for (const [index, client] of clients.entries()) {
        const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS "pid"');
        seen[index]?.add(rows[0]?.pid ?? 0);
      }
    const all = new Set(seen.flatMap((pids) => [...pids]));
    return all.size !== clients.length || seen.some(({ size }) => size > 1);
  } finally {
    for (const client of clients) await client.end().catch(() => {});
  }
}
