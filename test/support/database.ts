/** A migrated database of one's own: a SQLite file in a temporary folder, or a schema-less PostgreSQL database. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Database } from '../../daemon/platform/database/database.js';
import { migrate } from '../../daemon/platform/database/migrate.js';
import { systemClock } from '../../daemon/platform/time/clock.js';
import { startPostgresql } from './postgresql.js';
import { writeBeside } from './write-beside.js';

export interface TestDatabase {
  readonly database: Database;
  readonly url: string;
  close(): Promise<void>;
}

let migrated: Promise<Buffer> | undefined;

/** A SQLite file with the tables of this version: copied, because making them takes longer than most tests. */
export async function putSqlite(path: string): Promise<void> {
  migrated ??= makeSqlite();
  writeFileSync(path, await migrated, { mode: 0o600 });
}

/** Takes the maker out of every API key, as if they had left: whoever made a key does not decide about what it did. */
export async function leaveKeysToNobody(url: string): Promise<void> {
  const statement = 'UPDATE "ApiKey" SET "createdByUserId" = NULL';
  if (url.startsWith('file:')) return writeBeside(url.slice('file:'.length), (file) => void file.exec(statement));
  const client = new pg.Client(url);
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function makeSqlite(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-test-'));
  const path = join(folder, 'earshot.db');
  await migrate(`file:${path}`, systemClock);
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true, force: true });
  return bytes;
}

export async function openSqlite(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-test-'));
  const path = join(folder, 'earshot.db');
  const url = `file:${path}`;
  await putSqlite(path);
  const database = await Database.connect(url);
  return {
    database,
    url,
    async close() {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function openPostgresql(): Promise<TestDatabase> {
  const server = await startPostgresql();
  const database = await Database.connect(server.url);
  return {
    database,
    url: server.url,
    async close() {
      await database.close();
      await server.stop();
    },
  };
}
