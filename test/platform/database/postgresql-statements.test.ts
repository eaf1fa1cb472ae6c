/** Statements that are written out get and return values on PostgreSQL in the types that Prisma has. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database, type Transaction } from '../../../daemon/platform/database/database.js';
import { isOutage, isTransient, isUniqueViolation } from '../../../daemon/platform/database/errors.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../../support/postgresql.js';

describe.runIf(hasPostgresql)('a statement that is written out', () => {
  let server: PostgresqlServer;
  let database: Database;
  beforeAll(async () => {
    server = await startPostgresql();
    // Values must not depend on either.
    database = await Database.connect(`${server.url}&options=-c%20TimeZone%3DAsia/Tokyo`);
  });
  afterAll(async () => {
    await database.close();
    await server.stop();
  });

  it('gets and returns each type as Prisma has it', async () => {
    const time = new Date('2026-02-03T04:05:06.789Z');
    const rows = await database.read.$queryRawUnsafe(
      `SELECT $1::int AS "int", $2::bigint AS "bigint", $3::text AS "text", $4::boolean AS "boolean",
        $5::timestamp AS "timestamp", $6::timestamptz AS "timestamptz", $7::jsonb AS "json", $8::text AS "none"`,
      ...[7, 9_007_199_254_740_993n, 'é', true, time, time, JSON.stringify({ a: [1] }), null],
    );
    expect(rows).toEqual([
      {
        ...{ int: 7, bigint: 9_007_199_254_740_993n, text: 'é', boolean: true, timestamp: time, timestamptz: time },
        ...{ json: { a: [1] }, none: null },
      },
    ]);
  });

  it('says how many rows have changed, and which rule another one has broken', async () => {
    await database.read.$executeRawUnsafe('CREATE TABLE "Tried" ("id" int PRIMARY KEY)');
    const insert = 'INSERT INTO "Tried" SELECT generate_series($1::int, $2::int)';
    expect(await database.read.$executeRawUnsafe(insert, 1, 3)).toBe(3);
    const error = await database.read.$executeRawUnsafe(insert, 3, 4).catch((refused: unknown) => refused);
    expect(isUniqueViolation(error)).toBe(true);
  });

  it('fails by its cause, whatever the values of the row look like', async () => {
    await database.read.$executeRawUnsafe('CREATE TABLE "Named" ("id" text PRIMARY KEY)');
    const twice = `INSERT INTO "Named" VALUES ('40001'), ('40001')`;
    const inside = (tx: Transaction) => tx.$executeRawUnsafe(twice);
    for (const attempt of [() => database.read.$executeRawUnsafe(twice), () => database.transaction(inside)]) {
      const error = await attempt().catch((refused: unknown) => refused);
      expect([isUniqueViolation(error), isTransient(error), isOutage(error)]).toEqual([true, false, false]);
    }
  });

  it.each([
    ['the database is gone', (url: URL) => Object.assign(url, { pathname: '/gone' })],
    ['the name of the host is gone', (url: URL) => Object.assign(url, { search: '', host: 'gone.invalid:5432' })],
  ])('fails as in any outage where %s', async (_, change) => {
    const away = await Database.connect(change(new URL(server.url)).href);
    const statement = 'SELECT 1';
    const asked = [
      () => away.read.$queryRawUnsafe(statement),
      () => away.transaction((tx) => tx.$queryRawUnsafe(statement)),
      () => away.transaction((tx) => tx.tenant.count()),
      () => away.read.tenant.count(),
    ];
    for (const ask of asked) expect(isOutage(await ask().catch((refused: unknown) => refused))).toBe(true);
    await away.close();
  });
});
