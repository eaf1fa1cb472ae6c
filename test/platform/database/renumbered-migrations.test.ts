/** A migration that gets another number before a release has its former name in the databases of versions between. */
import { afterEach, describe, expect, it } from 'vitest';
import { migrate } from '../../../daemon/platform/database/migrate.js';
import { systemClock } from '../../../daemon/platform/time/clock.js';
import { openPostgresql, openSqlite, type TestDatabase } from '../../support/database.js';
import { hasPostgresql } from '../../support/postgresql.js';

const databases = [
  { name: 'SQLite', open: openSqlite, here: true },
  { name: 'PostgreSQL', open: openPostgresql, here: hasPostgresql },
];

describe.each(databases)('a database of a version with other numbers, on $name', ({ open, here }) => {
  let opened: TestDatabase;
  afterEach(() => opened?.close());

  it.skipIf(!here)('is opened as it is, and one with a migration that is unknown is refused', async () => {
    opened = await open();
    const { database, url } = opened;
    const rename = (name: string, also: string) =>
      database.transaction((tx) =>
        tx.$executeRawUnsafe(
          `UPDATE "_prisma_migrations" SET migration_name = '${name}'${also} WHERE migration_name LIKE '0073%' OR migration_name = 'former'`,
        ),
      );
    await rename('former', '');
    expect((await migrate(url, systemClock)).applied).toEqual([]);
    await rename('later', `, checksum = 'unknown'`);
    await expect(migrate(url, systemClock)).rejects.toThrow('newer than this program: it has the migration later');
  });
});
