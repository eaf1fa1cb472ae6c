import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LogMover } from '../../../daemon/platform/database/log-mover.js';
import { Lock } from '../../../daemon/platform/turns/lock.js';

const pages = 50;
const pageBytes = 4_096;
let folder: string;
let path: string;
let connection: BetterSqlite.Database;
const lock = new Lock('database_writes');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-log-mover-'));
  path = join(folder, 'one.db');
  connection = new BetterSqlite(path).defaultSafeIntegers(); // as Prisma's adapter has it
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE "Row" ("text" TEXT)');
});
afterEach(() => {
  connection.close();
  rmSync(folder, { recursive: true });
});

/** One transaction of about ten pages. */
const write = () =>
  lock.run(async () => {
    connection.prepare('INSERT INTO "Row" VALUES (?)').run('x'.repeat(10 * pageBytes));
  });
const rows = (database: BetterSqlite.Database) => Number(database.prepare('SELECT count(*) FROM "Row"').pluck().get());

test('the log is moved while rows are written, begins anew, and nothing is lost', async () => {
  const mover = new LogMover(path, connection, lock, pages);
  for (let count = 0; count < 100; count += 1) {
    await write();
    mover.committed();
    await new Promise(setImmediate);
  }
  await mover.rest();
  const bytesMost = Math.max(statSync(`${path}-wal`).size, 2 * pages * pageBytes);
  for (let count = 0; count < 100; count += 1) {
    await write();
    mover.committed();
    await mover.rest();
  }
  expect(statSync(`${path}-wal`).size).toBeLessThan(bytesMost + 10 * pageBytes); // behind 50 pages from its beginning
  await mover.stop();
  const file = new BetterSqlite(path, { readonly: true });
  expect([rows(file), file.pragma('integrity_check', { simple: true })]).toEqual([200, 'ok']);
  file.close();
});

test('while somebody reads an old state, the log is kept and writing goes on', async () => {
  const mover = new LogMover(path, connection, lock, pages);
  await write();
  const reader = new BetterSqlite(path, { readonly: true });
  reader.exec('BEGIN');
  expect(rows(reader)).toBe(1);
  for (let count = 0; count < 30; count += 1) {
    await write();
    mover.committed();
    await mover.rest();
  }
  expect([rows(reader), rows(connection)]).toEqual([1, 31]);
  reader.close();
  await mover.stop();
});

test('without its thread, the connection moves the log itself', async () => {
  const mover = new LogMover(join(folder, 'no folder', 'one.db'), connection, lock, pages);
  for (let count = 0; count < 10; count += 1) await write();
  mover.committed();
  await mover.rest();
  expect(connection.pragma('wal_autocheckpoint', { simple: true })).toBe(BigInt(pages));
  await mover.stop();
});
