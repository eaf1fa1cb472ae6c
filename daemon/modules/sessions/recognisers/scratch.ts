/** A place for segments on their way to a decoder that reads files. */

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '../../../platform/processes/process-state.js';

const scratchPrefix = 'earshot-speech-';
const memoryDir = '/dev/shm';

/** A private folder for this process, in memory where the system offers that. Removes what killed daemons have left. */
export async function makeScratchDir(): Promise<string> {
  return mkdtemp(join(await removeStaleScratch(), `${scratchPrefix}${process.pid}-`));
}

/** Removes what killed daemons have left; returns the parent folder. */
export async function removeStaleScratch(): Promise<string> {
  const inMemory = await readdir(memoryDir).catch(() => null);
  const parent = inMemory === null ? tmpdir() : memoryDir;
  const names = inMemory ?? (await readdir(parent));
  const stale = names.filter((name) => name.startsWith(scratchPrefix) && !ownerLives(name));
  await Promise.all(stale.map((name) => rm(join(parent, name), { recursive: true, force: true }).catch(() => {})));
  return parent;
}

const ownerLives = (folder: string): boolean => isRunning(Number(folder.slice(scratchPrefix.length).split('-')[0]));
