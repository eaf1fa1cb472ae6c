/** Deleted data is not to be found in the files of a SQLite database, whatever page it stood on. */
import { readFileSync, statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite, type TestDatabase } from '../../support/database.js';

const secret = 'not for anybody';
const at = new Date('2026-01-01T00:00:00.000Z');

describe('what is deleted on SQLite', () => {
  let opened: TestDatabase;
  let path: string;
  beforeAll(async () => {
    opened = await openSqlite();
    path = opened.url.slice('file:'.length);
  });
  afterAll(() => opened.close());

  const write = (names: readonly string[]) =>
    opened.database.transaction((tx) =>
      tx.tenant.createMany({ data: names.map((name) => ({ id: uuidv7(), name, createdAt: at })) }),
    );
  const remove = () =>
    opened.database.transaction((tx) => tx.tenant.deleteMany({ where: { name: { contains: secret } } }));
  const places = () => ['', '-wal'].filter((suffix) => readFileSync(`${path}${suffix}`).includes(secret));

  it('is overwritten in the file, on pages that stay and on pages that are free, and leaves the log', async () => {
    await write(Array.from({ length: 50 }, (_, index) => `${secret} ${'x'.repeat(index * 200)}`));
    await write(['somebody else']);
    await opened.database.dropLeftovers();
    expect(places()).toEqual(['']);
    await remove();
    expect(places()).not.toEqual([]);
    await opened.database.dropLeftovers();
    expect(places()).toEqual([]);
  });

  it('leaves the log later when another process is reading it, which is not waited for', async () => {
    await write([secret]);
    const reader = new BetterSqlite3(path, { readonly: true });
    try {
      reader.exec('BEGIN');
      reader.prepare('SELECT count(*) FROM "Tenant"').get();
      await remove();
      const start = performance.now();
      await opened.database.dropLeftovers();
      expect(performance.now() - start).toBeLessThan(4_000);
      expect(places()).not.toEqual([]);
    } finally {
      reader.close();
    }
    await opened.database.dropLeftovers();
    expect(places()).toEqual([]);
    expect(statSync(`${path}-wal`).size).toBe(0);
  });

  it('are no change to those who wait for one, where nothing was written since', async () => {
    await write([secret]);
    await opened.database.dropLeftovers();
    const seen = opened.database.version();
    await opened.database.dropLeftovers();
    await nextTurn(); // the version is asked once a turn
    expect(opened.database.version()).toBe(seen);
  });
});
