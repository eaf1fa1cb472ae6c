/**
 * Keeps the sound of single utterances as WAV files, for a moderator to check the transcript against. Private to the
 * daemon, bounded by a quota: what does not fit is not kept. When they must go is for the callers to say.
 */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleRate } from '../transcribers/transcriber.js';
import { wavFile } from '../wav.js';

const unfinished = '.part';

export class DebugAudio {
  private bytesUsed = 0;

  constructor(
    private readonly folder: string,
    private readonly quotaBytes: number,
  ) {}

  /** Counts what is there, and removes what was being written when the daemon died. */
  async start(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    this.bytesUsed = 0;
    for (const name of await readdir(this.folder)) {
      const path = join(this.folder, name);
      if (name.endsWith(unfinished)) await rm(path, { force: true });
      else this.bytesUsed += (await stat(path)).size;
    }
  }

  /** Keeps the sound of a message, mono at 16 kHz. False when the quota does not allow it. */
  async write(messageId: string, pcm: Int16Array): Promise<boolean> {
    const file = wavFile(pcm, sampleRate);
    if (this.bytesUsed + file.length > this.quotaBytes) return false;
    this.bytesUsed += file.length;
    const path = this.pathOf(messageId);
    try {
      await writeFile(path + unfinished, file, { mode: 0o600 });
      await rename(path + unfinished, path);
      return true;
    } catch (error) {
      this.bytesUsed -= file.length;
      throw error;
    }
  }

  /** The WAV file, or null when there is none. */
  read(messageId: string): Promise<Buffer | null> {
    return readFile(this.pathOf(messageId)).catch(() => null);
  }

  async remove(messageId: string): Promise<void> {
    await this.removeFile(this.pathOf(messageId));
  }

  /** Removes everything written before `time`; returns how many. */
  async removeBefore(time: Date): Promise<number> {
    let removed = 0;
    for (const name of await readdir(this.folder)) {
      const path = join(this.folder, name);
      if ((await stat(path)).mtime >= time) continue;
      await this.removeFile(path);
      removed++;
    }
    return removed;
  }

  private async removeFile(path: string): Promise<void> {
    const info = await stat(path).catch(() => null);
    if (info === null) return;
    await rm(path, { force: true });
    this.bytesUsed -= info.size;
  }

  private pathOf(messageId: string): string {
    if (!/^[\w-]+$/.test(messageId)) throw new Error(`Not an id: ${messageId}`);
    return join(this.folder, `${messageId}.wav`);
  }
}
