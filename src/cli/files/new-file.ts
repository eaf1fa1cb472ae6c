/** A file that is written a part at a time, and is there only when it is whole. Only its owner may read it. */
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { UsageError } from '../../terminal/usage-error.js';
import { reasonOf } from './write-out.js';

export class NewFile {
  private isOpen = true;

  private constructor(
    private readonly path: string,
    private readonly unfinished: string,
    private readonly handle: FileHandle,
  ) {}

  /** Throws UsageError. */
  static async open(path: string): Promise<NewFile> {
    // Nobody can have prepared a file or a link of this name.
    const unfinished = `${path}.${randomBytes(8).toString('hex')}.part`;
    const handle = await open(unfinished, 'wx', 0o600).catch((cause: unknown) => {
      throw new UsageError(`${path} cannot be written: ${reasonOf(cause)}.`, { cause });
    });
    return new NewFile(path, unfinished, handle);
  }

  async write(text: string): Promise<void> {
    await this.handle.appendFile(text);
  }

  /** Throws UsageError. */
  async keep(): Promise<void> {
    await this.handle.sync();
    await this.close();
    await rename(this.unfinished, this.path).catch((cause: unknown) => {
      throw new UsageError(`${this.path} cannot be written: ${reasonOf(cause)}.`, { cause });
    });
  }

  /** Deletes what is not kept. */
  async drop(): Promise<void> {
    await this.close();
    await rm(this.unfinished, { force: true });
  }

  private async close(): Promise<void> {
    if (this.isOpen) await this.handle.close();
    this.isOpen = false;
  }
}
