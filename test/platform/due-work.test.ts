/** When stored work is looked for: as something was stored, by this process or another, or when its time has come. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../daemon/platform/database/database.js';
import { atOnce, DueWork, earliest, nothingByTime, whileThere } from '../../daemon/platform/scheduler/due-work.js';
import { putSqlite } from '../support/database.js';

let folder: string;
let path: string;
let database: Database;
let now: Date;
let asked: number;
let done: number;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-due-'));
  path = join(folder, 'earshot.db');
  await putSqlite(path);
  database = await Database.connect(`file:${path}`);
  [now, asked, done] = [new Date('2026-01-01T00:00:00Z'), 0, 0];
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const work = async (): Promise<void> => {
  done += 1;
};
const dueAt = (time: Date | null) =>
  new DueWork(
    database,
    () => now,
    async () => {
      asked += 1;
      return time;
    },
  );
const store = () =>
  database.transaction((tx) =>
    tx.storedBytes.upsert({
      where: { tenantId_day: { tenantId: 't', day: '2026-01-01' } },
      create: { tenantId: 't', day: '2026-01-01', bytes: 1 },
      update: { bytes: { increment: 1 } },
    }),
  );

describe('work on a SQLite database', () => {
  it('is looked for once, then only after something was stored', async () => {
    const due = dueAt(null);
    for (let round = 0; round < 3; round += 1) await due.run(work);
    expect([done, asked]).toEqual([1, 1]);
    await store();
    await database.read.storedBytes.count();
    for (let round = 0; round < 3; round += 1) await due.run(work);
    expect([done, asked]).toEqual([2, 2]);
  });

  it('is looked for after another process has stored something', async () => {
    const due = dueAt(null);
    await due.run(work);
    const other = new BetterSqlite(path);
    other.prepare(`INSERT INTO "StoredBytes" ("tenantId", "day", "bytes") VALUES ('o', '2026-01-01', 1)`).run();
    other.close();
    await due.run(work);
    expect(done).toBe(2);
  });

  it('is done when its time has come, and until nothing is left', async () => {
    const due = dueAt(new Date('2026-01-01T00:01:00Z'));
    for (let round = 0; round < 2; round += 1) await due.run(work);
    expect(done).toBe(1);
    now = new Date('2026-01-01T00:01:00Z');
    for (let round = 0; round < 2; round += 1) await due.run(work);
    expect([done, asked]).toEqual([3, 2]);
  });

  it('is done once at its time, where it leaves the database as it is', async () => {
    const due = new DueWork(
      database,
      () => now,
      async () => new Date(now.getTime() + 60_000),
    );
    for (let round = 0; round < 3; round += 1) await due.run(work);
    now = new Date('2026-01-01T00:02:00Z');
    for (let round = 0; round < 3; round += 1) await due.run(work);
    expect(done).toBe(2);
  });

  it('is done again after it has failed', async () => {
    const due = dueAt(null);
    await expect(due.run(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
    await due.run(work);
    expect(done).toBe(1);
  });

  it('is done where it cannot be asked for', async () => {
    const away = () => Promise.reject(new Error('away'));
    const due = new DueWork(database, () => now, away);
    for (let round = 0; round < 3; round += 1) await due.run(work);
    expect(done).toBe(3);
  });

  it('that writes is looked for once more', async () => {
    const due = dueAt(null);
    await due.run(async () => {
      await work();
      if (done === 1) await store();
    });
    for (let round = 0; round < 3; round += 1) await due.run(work);
    expect(done).toBe(2);
  });
});

it('work always may be due where nobody says whether anything was stored', async () => {
  const due = new DueWork({ version: () => null }, () => now, nothingByTime);
  for (let round = 0; round < 3; round += 1) await due.run(work);
  expect(done).toBe(3);
});

it('of several times the earliest counts', async () => {
  const [soon, later] = [new Date(1_000), new Date(2_000)];
  expect(
    await earliest(
      async () => later,
      nothingByTime,
      async () => soon,
    )(),
  ).toEqual(soon);
  expect(await earliest(nothingByTime, nothingByTime)()).toBeNull();
  expect(await whileThere(async () => true)()).toBe(atOnce);
  expect(await whileThere(async () => false)()).toBeNull();
});
