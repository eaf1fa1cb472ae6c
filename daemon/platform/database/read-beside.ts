/** Reads a database beside a daemon that may be using it, or without one. */
import { existsSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';

/** Answers a statement that both databases understand. */
export type Ask = <Row>(sql: string) => Promise<Row[]>;

const connectTimeoutMs = 5_000;

/** Null: there is no file; the first start will make it. */
export async function readSqlite<T>(path: string, read: (ask: Ask) => Promise<T>): Promise<T | null> {
  if (!existsSync(path)) return null;
  const database = new BetterSqlite3(path, { readonly: true, fileMustExist: true });
  try {
    return await read(async <Row>(sql: string) => database.prepare<[], Row>(sql).all());
  } finally {
    database.close();
  }
}

export async function readPostgresql<T>(url: string, read: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  try {
    await client.connect();
    return await read(client);
  } finally {
    await client.end().catch(() => {});
  }
}
