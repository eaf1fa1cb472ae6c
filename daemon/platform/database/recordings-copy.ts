/**
 * The copy of the recordings beside the backups of the schedule: made equal to what is there, so that what was deleted is
 * deleted in the copy, too. A list names what this data folder has there: a new machine deletes nothing of the old one's. A
 * recording never changes under its name.
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupStore } from './backup-store.js';
import { partialEnding } from './copy-before.js';
import { seal, sealedEnding, unseal } from './sealed-backup.js';

/** Folder of the recordings in the data folder, in the folder of backups and in the store. */
export const recordingsFolder = 'audio';
const recording = /^[\w-]+\.wav(\.age)?$/;

interface CopyPlace {
  list(): Promise<readonly string[]>;
  put(path: string, name: string): Promise<void>;
  delete(name: string): Promise<void>;
}

/** Other names are not ours. An empty list where there is no folder; throws where it cannot be read. */
const recordingsIn = async (folder: string): Promise<string[]> =>
  existsSync(folder) ? (await readdir(folder)).filter((name) => recording.test(name)) : [];

const listOf = (dataDir: string): string => join(dataDir, 'audio-copied.json');

async function readList(dataDir: string): Promise<string[]> {
  try {
    const names: unknown = JSON.parse(await readFile(listOf(dataDir), 'utf8'));
    return Array.isArray(names) ? names.map(String) : [];
  } catch {
    return []; // there is none, or a power cut has taken it
  }
}

async function writeList(dataDir: string, names: Iterable<string>): Promise<void> {
  const partial = listOf(dataDir) + partialEnding;
  await writeFile(partial, JSON.stringify([...names]), { mode: 0o600 });
  await rename(partial, listOf(dataDir));
}

/** The copy in the folder of backups. */
export function copyInFolder(backups: string): CopyPlace {
  const folder = join(backups, recordingsFolder);
  return {
    list: () => recordingsIn(folder),
    put: async (path, name) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await copyFile(path, join(folder, name + partialEnding));
      await rename(join(folder, name + partialEnding), join(folder, name));
    },
    delete: (name) => rm(join(folder, name), { force: true }),
  };
}

/** The copy in the store. */
export const copyInStore = (store: BackupStore): CopyPlace => ({
  list: async () =>
    (await store.list(`${recordingsFolder}/`)).map(({ name }) => name.slice(recordingsFolder.length + 1)),
  put: (path, name) => store.put(path, `${recordingsFolder}/${name}`),
  delete: (name) => store.delete(`${recordingsFolder}/${name}`),
});

/** @param recipient of age that the copies are encrypted for; undefined: they are not */
export async function copyRecordings(dataDir: string, to: CopyPlace, recipient: string | undefined): Promise<void> {
  const ending = recipient === undefined ? '' : sealedEnding;
  const folder = join(dataDir, recordingsFolder);
  const there = new Set(await to.list());
  const here = await recordingsIn(folder);
  const brought = here.map((name) => name + ending);
  const own = new Set([...(await readList(dataDir)), ...brought]);
  await writeList(dataDir, own); // before the first is there, so that one is deleted even if this run breaks off
  const sealed = join(dataDir, `recording${sealedEnding}${partialEnding}`);
  try {
    for (const name of here) {
      if (there.delete(name + ending)) continue;
      const path = join(folder, name);
      try {
        if (recipient !== undefined) await seal(path, sealed, recipient);
        await to.put(recipient === undefined ? path : sealed, name + ending);
      } catch (error) {
        if (existsSync(path)) throw error; // otherwise it was deleted meanwhile
      }
    }
    for (const name of there) if (own.has(name)) await to.delete(name);
    await writeList(dataDir, brought);
  } finally {
    await rm(sealed, { force: true });
  }
}

/** Puts recordings that lie beside a backup into the data folder, where they are missing. Returns how many there were. */
export async function restoreRecordings(beside: string, dataDir: string, identities: string | undefined) {
  const folder = join(dataDir, recordingsFolder);
  const from = join(beside, recordingsFolder);
  const names = from === folder ? [] : await recordingsIn(from);
  if (names.length === 0) return 0;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const here = new Set(await readdir(folder));
  let restored = 0;
  for (const name of names) {
    const own = name.endsWith(sealedEnding) ? name.slice(0, -sealedEnding.length) : name;
    if (here.has(own)) continue;
    const partial = join(folder, `${own}.part`);
    try {
      await (own === name ? copyFile(join(from, name), partial) : unseal(join(from, name), partial, identities));
      await rename(partial, join(folder, own));
    } finally {
      await rm(partial, { force: true });
    }
    restored += 1;
  }
  return restored;
}
