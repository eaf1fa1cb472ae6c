/** Databases as they were before a migration, with rows in them. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import { startPostgresql } from './postgresql.js';

interface EarlierDatabase {
  /** Name of the first migration that is not applied yet, without its number. */
  readonly migration: string;
  /** Statements that insert what is stored then. */
  readonly rows: string;
}

const history = `CREATE TABLE "_prisma_migrations" ("id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMP, "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" TIMESTAMP,
  "started_at" TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, "applied_steps_count" INTEGER NOT NULL DEFAULT 0);`;

const scriptOf = (provider: 'sqlite' | 'postgresql', { migration, rows }: EarlierDatabase): string => {
  const folder = fileURLToPath(new URL(`../../prisma/${provider}/migrations/`, import.meta.url));
  const names = readdirSync(folder).sort();
  const earlier = names.slice(
    0,
    names.findIndex((name) => name.endsWith(`_${migration}`)),
  );
  const applied = earlier.map((name) => {
    const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8');
    const checksum = createHash('sha256').update(sql).digest('hex');
    return `${sql}\nINSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name") VALUES ('${randomUUID()}', '${checksum}', '${name}');`;
  });
  return [history, ...applied, rows].join('\n');
};

/** Runs `work` with the address of the database. */
export async function inEarlierSqlite(earlier: EarlierDatabase, work: (url: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-test-'));
  const path = join(folder, 'earshot.db');
  const file = new BetterSqlite3(path);
  file.exec(scriptOf('sqlite', earlier));
  file.close();
  await work(`file:${path}`);
  rmSync(folder, { recursive: true, force: true });
}

/** Runs `work` with the address of the database. */
export async function inEarlierPostgresql(
  earlier: EarlierDatabase,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const server = await startPostgresql({ empty: true });
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(scriptOf('postgresql', earlier));
  await client.end();
  await work(server.url);
  await server.stop();
}
