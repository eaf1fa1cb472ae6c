/** What a suite reads and writes in the database of a daemon behind its back; `url` as `DATABASE_URL` has it. */
import BetterSqlite from 'better-sqlite3';
import pg from 'pg';
import { eventually } from './eventually.js';

type Value = string | number | null;
type Row = Readonly<Record<string, unknown>>;

const isFile = (url: string) => url.startsWith('file:');

/**
 * Runs a statement with `?` for its values, and returns how many rows it changed. A wait for the lock of a SQLite file would
 * stop a daemon in this process too, which then never frees it.
 */
export async function writeBeside(url: string, statement: string, ...values: readonly Value[]): Promise<number> {
  if (!isFile(url)) return (await onPostgresql(url, statement, values)).rowCount ?? 0;
  let changes = 0;
  await eventually(() => {
    const database = new BetterSqlite(url.slice('file:'.length), { timeout: 0 });
    try {
      ({ changes } = database.prepare(statement).run(...values));
    } finally {
      database.close();
    }
  });
  return changes;
}

/** Returns the rows of a query with `?` for its values. */
export async function rowsBeside(url: string, query: string, ...values: readonly Value[]): Promise<readonly Row[]> {
  if (!isFile(url)) return (await onPostgresql(url, query, values)).rows;
  const database = new BetterSqlite(url.slice('file:'.length), { readonly: true });
  try {
    return database.prepare(query).all(...values) as Row[];
  } finally {
    database.close();
  }
}

async function onPostgresql(url: string, text: string, values: readonly Value[]): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let count = 0;
    return await client.query(
      text.replaceAll('?', () => `$${++count}`),
      [...values],
    );
  } finally {
    await client.end();
  }
}
