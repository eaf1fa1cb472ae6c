/** A migrated database of one's own: a SQLite file in a temporary folder, or a schema-less PostgreSQL database. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../daemon/platform/clock.js';
import { Database } from '../../daemon/platform/database/database.js';
import { migrate } from '../../daemon/platform/database/migrate.js';
import { startPostgresql } from './postgresql.js';

export interface TestDatabase {
  readonly database: Database;
  readonly url: string;
  close(): Promise<void>;
}

export async function openSqlite(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-test-'));
  const url = `file:${join(folder, 'earshot.db')}`;
  await migrate(url, systemClock);
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
