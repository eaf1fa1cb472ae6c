/** A migration that gets another number or content before a release has those of then in the databases of versions between. */
import { afterEach, describe, expect, it } from 'vitest';
import { Database } from '../../../daemon/platform/database/database.js';
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
    await rename('later', `, checksum = 'unknown', logs = NULL`);
    await expect(migrate(url, systemClock)).rejects.toThrow('newer than this program: it has the migration later');
  });

  it.skipIf(!here)('gets the form of now where a migration was changed later', async () => {
    opened = await open();
    const { database, url } = opened;
    const former = url.startsWith('file:')
      ? 'e5cf0983151c7b454a97bb7282dd08f21040f7d772e66fe229ba6fb295059df4'
      : '933aa3f07e776302689ddc3b879be0c79b02b0cc9cc3b8d9940a8b54e66aa9c5';
    await database.transaction(async (tx) => {
      await tx.$executeRawUnsafe('ALTER TABLE "Case" ADD COLUMN "blocks" INTEGER NOT NULL DEFAULT 0');
      await tx.$executeRawUnsafe(
        `UPDATE "_prisma_migrations" SET checksum = '${former}' WHERE migration_name = '0047_cases'`,
      );
    });
    if (url.startsWith('file:')) await database.close(); // SQLite's file is changed while nobody else has it open
    expect((await migrate(url, systemClock)).applied).toEqual(['0047_cases']);
    expect((await migrate(url, systemClock)).applied).toEqual([]);
    const migrated = await Database.connect(url);
    const read = migrated.transaction((tx) => tx.$queryRawUnsafe('SELECT "blocks" FROM "Case"'));
    await expect(read).rejects.toThrow('blocks');
    await migrated.close();
  });
});
