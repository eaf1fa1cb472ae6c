/** A database of the time when the keys of game events belonged to an API key: they become keys of the project. */
import { describe, expect, it } from 'vitest';
import { Database } from '../../daemon/platform/database/database.js';
import { migrate } from '../../daemon/platform/database/migrate.js';
import { systemClock } from '../../daemon/platform/time/clock.js';
import { inEarlierPostgresql, inEarlierSqlite } from '../support/earlier-database.js';
import { hasPostgresql } from '../support/postgresql.js';

const at = "'2026-01-01T00:00:00.000+00:00'";
const project = (id: string): string =>
  `INSERT INTO "Project" ("id", "tenantId", "name", "billingProjectId", "createdAt") VALUES ('${id}', 't', '${id}', '${id}', ${at});`;
const event = (id: string, projectId: string, key: string | null): string =>
  `INSERT INTO "GameEvent" ("id", "projectId", "userId", "eventName", "eventType", "sessionId", "amount", "metaData", "idempotencyKey", "createdAt")
   VALUES ('${id}', '${projectId}', 'u', 'match-start', 'single', 's', 1, '{}', ${key === null ? 'NULL' : `'${key}'`}, ${at});`;
const rows = [
  `INSERT INTO "Tenant" ("id", "name", "createdAt") VALUES ('t', 't', ${at});`,
  project('p'),
  project('q'),
  event('e1', 'p', 'key-1 batch of ann#0'),
  event('e2', 'p', 'key-2 batch of ann#0'),
  event('e3', 'p', 'key-2 other#0'),
  event('e4', 'p', '"ann b" batch of ann#0'),
  event('e5', 'p', null),
  event('e6', 'q', 'key-1 batch of ann#0'),
].join('\n');

async function expectScoped(url: string): Promise<void> {
  await migrate(url, systemClock);
  const database = await Database.connect(url);
  try {
    const stored = await database.read.gameEvent.findMany({ orderBy: { id: 'asc' } });
    expect(stored.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      'project batch of ann#0',
      'key-2 batch of ann#0',
      'project other#0',
      '"ann b" batch of ann#0',
      null,
      'project batch of ann#0',
    ]);
  } finally {
    await database.close();
  }
}

describe('keys of events that belonged to an API key', () => {
  const before = { migration: 'event_keys_of_projects', rows };

  it('belong to the project, on SQLite', () => inEarlierSqlite(before, expectScoped));

  it.skipIf(!hasPostgresql)('belong to the project, on PostgreSQL', { timeout: 60_000 }, () =>
    inEarlierPostgresql(before, expectScoped),
  );
});
