/** When a commit is answered: what it has written is on the disk, and nobody waits in the event loop for that. */
import { type FileHandle, open } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { isOutage } from '../../../daemon/platform/database/errors.js';
import { safeSqlite, type WritingSqlite } from '../../../daemon/platform/database/safe-sqlite.js';
import { EventLog } from '../../../daemon/platform/events/log.js';
import { LocalWakeUps } from '../../../daemon/platform/events/wake-ups.js';
import { openSqlite, type TestDatabase } from '../../support/database.js';

const limits = { maxWait: 5_000, timeout: 5_000 };
const insert = `INSERT INTO "StreamHead" ("shard", "position") VALUES (?, 0)`;

let database: TestDatabase;
let sqlite: WritingSqlite;
let handles: Pick<FileHandle, 'datasync'>;
let end: () => Promise<void>;
beforeAll(async () => {
  database = await openSqlite();
  sqlite = safeSqlite(database.url.slice('file:'.length));
  const adapter = await sqlite.connect();
  end = () => adapter.dispose();
  const file = await open(import.meta.filename);
  handles = Object.getPrototypeOf(file);
  await file.close();
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await end();
  await database.close();
});

/** Disks that answer when they are told to. */
function slowDisk() {
  const waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  vi.spyOn(handles, 'datasync').mockImplementation(
    () => new Promise<void>((resolve, reject) => waiting.push({ resolve, reject })),
  );
  return waiting;
}

const answered: number[] = [];
async function write(shard: number) {
  const open = await sqlite.begin(limits);
  open.statements.execute(insert, [shard]);
  await open.commit();
  answered.push(shard);
}
const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
};

it('commits are answered once the disk has them, and those that end meanwhile share the next time', async () => {
  const disk = slowDisk();
  const writes = [write(201)];
  await vi.waitFor(() => expect(disk).toHaveLength(1));
  writes.push(write(202), write(203), write(204));
  await turns();
  expect([answered.length, disk.length]).toEqual([0, 1]);
  // They are committed all the same: the next transaction has them.
  const reading = await sqlite.begin(limits);
  expect(reading.statements.query('SELECT 1 FROM "StreamHead" WHERE "shard" > 200', [])).toHaveLength(4);
  const read = Promise.resolve(reading.commit()).then(() => answered.push(0));
  disk[0]?.resolve();
  await vi.waitFor(() => expect(disk).toHaveLength(2));
  expect(answered).toEqual([201]);
  disk[1]?.resolve();
  await Promise.all([...writes, read]);
  expect(answered.toSorted((a, b) => a - b)).toEqual([0, 201, 202, 203, 204]);
  expect(disk).toHaveLength(2);
});

it('a transaction that wrote nothing does not wait for the disk', async () => {
  const disk = slowDisk();
  const reading = await sqlite.begin(limits);
  reading.statements.query('SELECT 1 FROM "StreamHead"', []);
  await reading.commit();
  expect(disk).toEqual([]);
});

it('a disk that fails is an outage for those who wait for it, and the next commit asks it again', async () => {
  const disk = slowDisk();
  const lost = write(205);
  const later = vi.waitFor(() => expect(disk).toHaveLength(1)).then(() => write(206));
  await vi.waitFor(() => expect(disk).toHaveLength(1));
  await turns();
  disk[0]?.reject(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }));
  await expect(lost).rejects.toSatisfy(isOutage);
  await vi.waitFor(() => expect(disk).toHaveLength(2));
  disk[1]?.resolve();
  await later;
  expect(answered).toContain(206);
});

it('whoever follows the event log learns of nothing that is not on the disk', async () => {
  const disk = slowDisk();
  const { database: one } = database;
  const log = new EventLog(one, new LocalWakeUps(), () => new Date());
  const storing = one.transaction((tx) => tx.$executeRawUnsafe(insert, 207));
  await vi.waitFor(() => expect(disk).toHaveLength(1));
  let isRead = false;
  const reading = log.follow({ after: 0n, limit: 1 }).then(() => (isRead = true));
  await turns();
  expect(isRead).toBe(false);
  disk[0]?.resolve();
  // What was committed since is asked for anew, and it cannot be known whether that is so.
  await vi.waitFor(() => expect(disk).toHaveLength(2));
  disk[1]?.resolve();
  await Promise.all([storing, reading]);
});
