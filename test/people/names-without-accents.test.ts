/** Names that were stored before accents were left out of their search are found without them by a migration. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { foldAccents, foldCase } from '../../src/text/fold.js';
import { openPostgresql, openSqlite } from '../support/database.js';
import { hasPostgresql } from '../support/postgresql.js';

const migrationOf = (provider: string): string =>
  readFileSync(
    fileURLToPath(
      new URL(`../../prisma/${provider}/migrations/0028_names_without_accents/migration.sql`, import.meta.url),
    ),
    'utf8',
  );

/** All letters that a name may have had, a hundred in a name, and what is no letter. */
const names = ['Bob\nu1', ...Array.from({ length: 0x2100 / 100 }, (_, hundred) => lettersFrom(hundred * 100 + 0x20))];
function lettersFrom(first: number): string {
  return Array.from({ length: 100 }, (_, place) => String.fromCharCode(first + place)).join(' ');
}

describe.each([
  { provider: 'sqlite', open: openSqlite, here: true },
  { provider: 'postgresql', open: openPostgresql, here: hasPostgresql },
])('on $provider', ({ provider, open, here }) => {
  it.skipIf(!here)('names stored with accents have the key that a new one gets', async () => {
    const { database, close } = await open();
    const at = new Date();
    const keys = await database.transaction(async (tx) => {
      await tx.tenant.create({ data: { id: 't', name: 'Studio', createdAt: at } });
      const game = { id: 'p', tenantId: 't', billingProjectId: 'b', name: 'Game', createdAt: at };
      await tx.project.create({ data: game });
      const rows = names.map((displayName, place) => ({
        ...{ id: String(place), tenantId: 't', projectId: 'p', externalUserId: String(place), displayName },
        ...{ searchKey: foldCase(displayName), userData: '{}', joinedAt: at, updatedAt: at },
      }));
      await tx.participant.createMany({ data: rows });
      await tx.$executeRawUnsafe(migrationOf(provider));
      return new Map((await tx.participant.findMany()).map(({ displayName, searchKey }) => [displayName, searchKey]));
    });
    for (const name of names) expect(keys.get(name)).toBe(foldAccents(name));
    await close();
  });
});
