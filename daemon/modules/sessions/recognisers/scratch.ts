/**
 * A place for segments on their way to a decoder that reads files. Its owner holds a lock of the operating system in it: ids
 * of processes come again, and say nothing about other containers.
 */

import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataFolderLock } from '../../../platform/database/data-folder-lock.js';

const scratchPrefix = 'earshot-speech-';
const memoryDir = '/dev/shm';

export interface ScratchDir {
  readonly path: string;
  remove(): Promise<void>;
}

/** A private folder for this process, in memory where the system offers that. Removes what killed daemons have left. */
export async function makeScratchDir(): Promise<ScratchDir> {
  const parent = await removeStaleScratch();
  for (;;) {
    const path = await mkdtemp(join(parent, `${scratchPrefix}${process.pid}-`));
    const lock = new DataFolderLock(path);
    try {
      lock.acquire();
    } catch (error) {
      if (existsSync(path)) throw error;
    }
    if (!existsSync(path)) {
      lock.release();
      continue; // somebody took it for one that was left
    }
    return {
      path,
      remove: async () => {
        lock.release();
        await rm(path, { recursive: true, force: true });
      },
    };
  }
}

/** Removes what killed daemons have left; returns the parent folder. */
export async function removeStaleScratch(): Promise<string> {
  const inMemory = await readdir(memoryDir).catch(() => null);
  const parent = inMemory === null ? tmpdir() : memoryDir;
  const names = inMemory ?? (await readdir(parent));
  for (const name of names)
    if (name.startsWith(scratchPrefix)) await removeUnlessHeld(join(parent, name)).catch(() => {});
  return parent;
}

/** A folder without a lock is just being made, and empty, or of an earlier version. */
const removeUnlessHeld = async (path: string): Promise<void> => {
  const lock = new DataFolderLock(path);
  if (!lock.exists) return rmdir(path);
  if (lock.holder() !== null) return;
  lock.acquire(); // its owner may be just about to
  await rm(path, { recursive: true, force: true }).finally(() => lock.release());
};
