/** The lock of a data folder and its database: one object holds it at a time, and a release gives up only its own. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DataFolderInUse, DataFolderLock } from '../../../daemon/platform/database/data-folder-lock.js';

let folder: string;
let elsewhere: string;
beforeEach(() => {
  [folder, elsewhere] = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'earshot-lock-'))) as [string, string];
});
afterEach(() => {
  for (const path of [folder, elsewhere]) rmSync(path, { recursive: true, force: true });
});

describe('the lock of a data folder', () => {
  it('names its holder, and is not released by those who were refused', () => {
    const [first, second] = [new DataFolderLock(folder), new DataFolderLock(folder)];
    expect(second.holder()).toBeNull();
    first.acquire();
    expect(second.holder()).toBe(`process ${process.pid} on ${hostname()}`);
    expect(() => second.acquire()).toThrow(DataFolderInUse);
    second.release();
    expect(() => second.acquire()).toThrow(/uses this data folder/);
    first.release();
    second.acquire();
    second.release();
  });

  it('is of the database, too, whatever the data folder is and whichever link leads there', () => {
    const database = join(folder, 'earshot.db');
    writeFileSync(database, '');
    const link = join(elsewhere, 'link.db');
    symlinkSync(database, link);
    const first = new DataFolderLock(folder, database);
    first.acquire();
    const second = new DataFolderLock(elsewhere, link);
    expect(() => second.acquire()).toThrow(/uses the database .*link\.db/);
    expect(new DataFolderLock(elsewhere).holder()).toBeNull();
    first.release();
    second.acquire();
    second.release();
  });

  it('is free where an earlier version has left a file with a process id', () => {
    writeFileSync(join(folder, 'earshotd.lock'), `${process.pid} 123\n`);
    const lock = new DataFolderLock(folder);
    expect(lock.holder()).toBeNull();
    lock.acquire();
    expect(() => new DataFolderLock(folder).acquire()).toThrow(DataFolderInUse);
    lock.release();
  });
});
