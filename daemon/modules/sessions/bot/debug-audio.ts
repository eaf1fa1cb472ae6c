/**
 * Keeps the sound of single utterances as WAV files, for a moderator to check the transcript against. Readable only by
 * the daemon, bounded by a quota: what does not fit is not kept. The callers decide when to delete.
 */
import { mkdir, readdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import { sampleRate } from '../recognisers/transcriber.js';
import { wavFile } from '../wav.js';

const unfinished = '.part';
const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** 0: it has just been removed, as where the removal of a project goes on while the daemon starts. */
const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    (error: unknown) => {
      if (isMissing(error)) return 0;
      throw error;
    },
  );

export class DebugAudio {
  private bytesUsed = 0;

  constructor(
    private readonly folder: string,
    private readonly quotaBytes: () => number,
  ) {}

  /** Counts the files that exist, and removes files left incomplete by a killed daemon. */
  async start(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    this.bytesUsed = 0;
    for (const name of await readdir(this.folder)) {
      const path = join(this.folder, name);
      if (name.endsWith(unfinished)) await rm(path, { force: true });
      else this.bytesUsed += await sizeOf(path);
    }
  }

  /** Keeps sound, mono at 16 kHz, under a new name. Null when the quota does not allow it. */
  async write(pcm: Int16Array): Promise<string | null> {
    const file = wavFile(pcm, sampleRate);
    if (this.bytesUsed + file.length > this.quotaBytes()) return null;
    this.bytesUsed += file.length;
    const name = `${uuidv7()}.wav`;
    const path = this.pathOf(name);
    try {
      await writeFile(path + unfinished, file, { mode: 0o600 });
      await rename(path + unfinished, path);
      return name;
    } catch (error) {
      this.bytesUsed -= file.length;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    const path = this.pathOf(name);
    try {
      const { size } = await stat(path);
      await unlink(path); // of two removals at the same time one succeeds, and counts
      this.bytesUsed -= size;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  /** Names of files written before the time. Counts the used space again: others may have removed files. */
  async namesBefore(time: Date): Promise<string[]> {
    const names: string[] = [];
    let bytes = 0;
    for (const name of await readdir(this.folder)) {
      const info = await stat(join(this.folder, name)).catch(() => null);
      bytes += info?.size ?? 0;
      if (info !== null && info.mtime < time && !name.endsWith(unfinished)) names.push(name);
    }
    this.bytesUsed = bytes;
    return names;
  }

  /** null: it has been removed, or another daemon has it. */
  async read(name: string): Promise<Buffer | null> {
    try {
      return await readFile(this.pathOf(name));
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  /** The path of the file with this name. */
  pathOf(name: string): string {
    if (!/^[\w-]+\.wav$/.test(name)) throw new Error(`Not a recording: ${name}`);
    return join(this.folder, name);
  }
}
