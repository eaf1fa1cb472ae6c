/** Statements that come again and again are prepared once a connection: PostgreSQL lists them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../daemon/platform/database/database.js';
import { statementNames } from '../../../daemon/platform/database/statement-names.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../../support/postgresql.js';

describe('the name of a statement', () => {
  const times = (sql: string, count: number, nameOf = statementNames()) =>
    Array.from({ length: count }, () => nameOf({ sql }));

  it('comes with the fifth call and stays', () => {
    expect(times('SELECT "id" FROM "Project"', 7)).toEqual(['', '', '', '', 's1', 's1', 's1']);
  });

  it.each([
    'BEGIN',
    'SET LOCAL lock_timeout = 1',
    'SELECT * FROM "Project"',
    'SELECT "id", p.* FROM "Project" AS p',
    'UPDATE "Project" SET "name" = $1 RETURNING *',
  ])('is not given to %s', (sql) => {
    expect(new Set(times(sql, 10))).toEqual(new Set(['']));
  });

  it('is given to three hundred statements at most, and not to what comes once', () => {
    const nameOf = statementNames();
    for (let place = 0; place < 5_000; place += 1) times(`SELECT ${place}`, place % 2 === 0 ? 1 : 5, nameOf);
    const named = Array.from({ length: 5_000 }, (_, place) => nameOf({ sql: `SELECT ${place}` })).filter(Boolean);
    expect(new Set(named).size).toBe(300);
  });
});

describe.runIf(hasPostgresql)('on PostgreSQL', () => {
  let server: PostgresqlServer;
  beforeAll(async () => {
    server = await startPostgresql();
  });
  afterAll(() => server.stop());

  async function prepared(options: Parameters<typeof Database.connect>[1]): Promise<string[]> {
    const database = await Database.connect(server.url, { connections: 1, ...options });
    for (let call = 0; call < 8; call += 1) await database.read.$queryRawUnsafe('SELECT $1::int AS "one"', call);
    // Several commands in one: refused as a prepared statement.
    for (let call = 0; call < 8; call += 1)
      await database.transaction(async (tx) => tx.$queryRawUnsafe('SELECT $1::int AS "one"', call));
    const rows = await database.read.$queryRawUnsafe<{ name: string; statement: string }[]>(
      'SELECT name, statement FROM pg_prepared_statements',
    );
    await database.close();
    return rows.map(({ statement }) => statement);
  }

  it('a statement is prepared once', async () => {
    expect(await prepared({})).toEqual(['SELECT $1::int AS "one"']);
  });

  it('nothing is prepared through a pooler', async () => {
    expect(await prepared({ directUrl: `${server.url}&application_name=direct` })).toEqual([]);
  });
});
