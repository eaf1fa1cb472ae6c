/** Scratch folders of recognisers: those that nobody holds are removed, whatever process ids say. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeScratchDir, removeStaleScratch } from '../../../daemon/modules/sessions/recognisers/scratch.js';
import { DataFolderLock } from '../../../daemon/platform/database/data-folder-lock.js';

/** A folder of a process of this id, with the lock that it holds, and with something in it. */
async function folderOf(pid: number) {
  const path = await mkdtemp(join(await removeStaleScratch(), `earshot-speech-${pid}-`));
  const lock = new DataFolderLock(path);
  lock.acquire();
  onTestFinished(async () => {
    lock.release();
    await rm(path, { recursive: true, force: true });
  });
  await writeFile(join(path, 'u0.raw'), 'sound');
  return { path, lock };
}

it('removes what a killed process has left whose id another process has by now', async () => {
  const left = await folderOf(process.pid);
  left.lock.release();
  await removeStaleScratch();
  expect(existsSync(left.path)).toBe(false);
});

it('keeps the folder of a process in another container, whose id nobody has here', async () => {
  const theirs = await folderOf(2 ** 30);
  await removeStaleScratch();
  expect(existsSync(join(theirs.path, 'u0.raw'))).toBe(true);
});

it('keeps those that are being made, and removes its own', async () => {
  const own = await Promise.all(Array.from({ length: 5 }, () => makeScratchDir()));
  await removeStaleScratch();
  expect(own.map(({ path }) => existsSync(path))).toEqual(own.map(() => true));
  for (const one of own) await one.remove();
  expect(own.map(({ path }) => existsSync(path))).toEqual(own.map(() => false));
});
