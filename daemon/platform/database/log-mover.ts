/**
 * Moves the write-ahead log of a SQLite file into the file, in a thread of its own, because it takes tens of
 * milliseconds in which the writing connection would delay every request. Most of the log is moved while it grows. The
 * rest is moved while nobody writes, because SQLite starts the log again from its beginning only when all of it was
 * moved.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type BetterSqlite from 'better-sqlite3';
import { z } from 'zod';
import { programFile } from '../package.js';
import type { Lock } from '../turns/lock.js';

/**
 * Pages of 4 KiB in the log when it is moved: a page that changes often is then moved once for many changes. The log takes
 * up to 160 MB, or somewhat more while it is moved, and opening it again after a crash less than a second.
 */
const logPages = 40_000;
/** If the thread does not keep up, the connection that writes moves the log itself. */
export const logPagesMost = 2 * logPages;
/** Pages that may be left for the time in which everybody who writes waits: about 5 ms, and 20 where pages come fast. */
const fewPages = 500;
/** A thread that is not needed takes memory. */
const threadIdleMs = 60_000;

/** The connection may give whole numbers as bigint: Prisma's adapter asks for that. */
const Log = z.tuple([z.object({ log: z.coerce.number() })]);

const gone = (): never => {
  throw new Error('The thread has ended.');
};

export class LogMover {
  private thread: Worker | null = null;
  private idle: NodeJS.Timeout | null = null;
  private moving: Promise<void> | null = null;
  /** Pages in the log when it was moved last; 0: it has begun anew since. */
  private movedAt = 0;
  private isOver = false;

  /** @param lock held by whatever writes */
  constructor(
    private readonly path: string,
    private readonly connection: Pick<BetterSqlite.Database, 'pragma'>,
    private readonly lock: Lock,
    private readonly pages = logPages,
  ) {}

  /** To be called after each commit. Never throws: what is committed is committed. */
  committed(): void {
    if (this.moving !== null || this.isOver) return;
    const log = this.length();
    if (log < this.movedAt) this.movedAt = 0;
    if (log - this.movedAt < this.pages) return;
    this.movedAt = log;
    this.moving = this.moveRows().finally(() => {
      this.moving = null;
    });
  }

  /** True: nothing was written since the log was emptied. */
  get isEmpty(): boolean {
    return this.knownLength() === 0;
  }

  private length(): number {
    return this.knownLength() ?? 0;
  }

  /** Pages in the log; null where that is not known at this moment. */
  private knownLength(): number | null {
    try {
      return Log.safeParse(this.connection.pragma('wal_checkpoint(NOOP)')).data?.[0].log ?? null;
    } catch {
      return null;
    }
  }

  /** Resolves when no thread uses the file. */
  async rest(): Promise<void> {
    await this.moving;
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.rest();
    await this.dismiss();
  }

  private async moveRows(): Promise<void> {
    try {
      await this.moveAllButFew();
      await this.lock.run(() => this.ask());
    } catch {
      // Without the thread, SQLite moves the log itself.
      this.isOver = true;
      this.connection.pragma(`wal_autocheckpoint = ${this.pages}`);
    }
  }

  /** Moves the log, and what came meanwhile, until little comes in the time that this takes, or no less than before. */
  private async moveAllButFew(): Promise<void> {
    let came = Number.POSITIVE_INFINITY;
    let before: number;
    do {
      const length = this.length();
      await this.ask();
      before = came;
      came = this.length() - length;
    } while (came > fewPages && came < before / 2);
  }

  private async ask(): Promise<void> {
    if (this.idle !== null) clearTimeout(this.idle);
    this.thread ??= this.begin();
    const { thread } = this;
    thread.ref(); // the process waits for it, as for a write of its own
    thread.postMessage(null);
    const answered = new AbortController();
    const { signal } = answered;
    try {
      await Promise.race([once(thread, 'message', { signal }), once(thread, 'exit', { signal }).then(gone)]);
    } finally {
      answered.abort();
    }
    thread.unref();
    this.idle = setTimeout(() => void this.dismiss(), threadIdleMs).unref();
  }

  private begin(): Worker {
    const thread = new Worker(programFile('platform/database/log-thread'), { workerData: { path: this.path } });
    thread.on('error', () => {}); // whoever waits for an answer learns of it by its end
    thread.once('exit', () => {
      if (this.thread === thread) this.thread = null;
    });
    return thread;
  }

  private async dismiss(): Promise<void> {
    if (this.idle !== null) clearTimeout(this.idle);
    const { thread } = this;
    this.thread = null;
    await thread?.terminate();
  }
}
