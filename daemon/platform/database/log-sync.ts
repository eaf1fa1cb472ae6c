/**
 * Has the write-ahead log of a SQLite file on the disk before a commit is answered. SQLite's own way keeps the event loop for as
 * long as the disk takes, once for each commit; here the loop goes on, and commits that end meanwhile share the next time.
 */
import { type FileHandle, open } from 'node:fs/promises';

export class LogSync {
  private file: FileHandle | null = null;
  private running: Promise<void> | null = null;
  private next: Promise<void> | null = null;

  constructor(private readonly path: string) {}

  /** Resolves once everything that was committed before the call is on the disk. Throws what the disk says. */
  stored(): Promise<void> {
    if (this.running === null) return this.begin();
    // What is under way may have begun before the caller's commit.
    this.next ??= this.running.catch(() => {}).then(() => this.begin());
    return this.next;
  }

  /** The same for a caller who has committed nothing, but may have read what others did. */
  async rest(): Promise<void> {
    if (this.running !== null) await this.stored();
  }

  async stop(): Promise<void> {
    await this.rest().catch(() => {}); // whoever has committed learns of it
    await this.file?.close();
    this.file = null;
  }

  private begin(): Promise<void> {
    this.next = null;
    const running = this.sync().finally(() => {
      if (this.running === running) this.running = null;
    });
    this.running = running;
    return running;
  }

  private async sync(): Promise<void> {
    try {
      this.file ??= await open(`${this.path}-wal`, 'r+');
      await this.file.datasync();
    } catch (error) {
      throw new LogLost(error);
    }
  }
}

/** It is unknown what of the last commits is on the disk. */
class LogLost extends Error {
  override name = 'LogLost';
  readonly code = 'SQLITE_IOERR_FSYNC';

  constructor(cause: unknown) {
    super(`The write-ahead log could not be stored: ${String(cause)}`, { cause });
  }
}
