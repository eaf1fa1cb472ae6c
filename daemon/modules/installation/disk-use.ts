/** What the data folder holds, added up at most once a minute and up to a number of files. */
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Installation } from '../../../src/contract/installation/installation.js';
import { freeBytes } from '../../platform/quota/disk.js';

type Use = Installation['disk'];

const keptMs = 60_000;
const filesMax = 20_000;
const partsMax = 20;

export class DiskUse {
  private known: { readonly at: number; readonly use: Promise<Use> } | null = null;

  constructor(
    private readonly folder: string,
    private readonly databaseBytes: () => Promise<number>,
  ) {}

  async read(): Promise<Use> {
    if (this.known === null || performance.now() - this.known.at > keptMs)
      this.known = { at: performance.now(), use: this.measure() };
    try {
      return await this.known.use;
    } catch (error) {
      this.known = null;
      throw error;
    }
  }

  private async measure(): Promise<Use> {
    const count = { files: 0 };
    const parts: { name: string; bytes: number }[] = [];
    for await (const { name } of await opendir(this.folder))
      parts.push({ name, bytes: await bytesOf(join(this.folder, name), count) });
    return {
      dataBytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
      parts: parts.toSorted((a, b) => b.bytes - a.bytes).slice(0, partsMax),
      complete: count.files <= filesMax,
      databaseBytes: await this.databaseBytes(),
      freeBytes: await freeBytes(this.folder),
    };
  }
}

/** Files that go while they are counted count as nothing. */
async function bytesOf(path: string, count: { files: number }): Promise<number> {
  count.files += 1;
  if (count.files > filesMax) return 0;
  const info = await lstat(path).catch(() => null);
  if (info === null || info.isSymbolicLink()) return 0;
  if (!info.isDirectory()) return info.size;
  const folder = await opendir(path).catch(() => null);
  let sum = 0;
  if (folder !== null) for await (const { name } of folder) sum += await bytesOf(join(path, name), count);
  return sum;
}
