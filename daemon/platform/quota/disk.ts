/** How much room there is left for what is stored. */
import { statfs } from 'node:fs/promises';
import { TroubleReport } from '../observability/condition.js';
import type { Probe } from '../observability/health.js';
import type { Logger } from '../observability/logger.js';

const mebibyte = 1024 * 1024;
/** How long the size of a PostgreSQL database counts: to ask is to look at each of its files. */
const sizeKeptMs = 10_000;

export type DiskState = 'roomy' | 'low' | 'full';

/** Something whose end is known. */
interface Space {
  /** Free bytes; null: nothing is known of them. */
  free(): Promise<number | null>;
  /** Names what is nearly full, and what to do about it. */
  readonly words: { readonly of: string; readonly remedy: string };
}

/** Free bytes of the disk that holds the folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** The disk that holds the folder. */
export const roomOnDisk = (folder: string): Space => ({
  free: () => freeBytes(folder),
  words: { of: 'the disk', remedy: 'free some' },
});

/**
 * A PostgreSQL database, whose disk nobody but PostgreSQL sees: what is left of the size that it may have.
 *
 * @param maxMb 0: there is no limit
 * @param sizeOf the database, in bytes
 */
export class DatabaseRoom implements Space {
  private size: number | null = null;
  private askedAt = Number.NEGATIVE_INFINITY;

  readonly words = { of: 'EARSHOT_DATABASE_MAX_MB', remedy: 'raise it, or free some and run VACUUM FULL' };

  constructor(
    private readonly maxMb: () => number,
    private readonly sizeOf: () => Promise<number>,
  ) {}

  /** null: not known yet. */
  get bytes(): number | null {
    return this.size;
  }

  async free(): Promise<number | null> {
    if (performance.now() - this.askedAt >= sizeKeptMs) {
      this.size = await this.sizeOf();
      this.askedAt = performance.now();
    }
    const maxMb = this.maxMb();
    return maxMb === 0 || this.size === null ? null : Math.max(0, maxMb * mebibyte - this.size);
  }
}

export class Disk {
  private free: number | null = null;

  private readonly fullness: TroubleReport;

  /** @param reserveMb below it the disk is low, and below half of it full; 0: it is never either */
  constructor(
    private readonly room: Space,
    private readonly reserveMb: () => number,
    log: Pick<Logger, 'error' | 'info'>,
  ) {
    this.fullness = new TroubleReport(log, {
      begins: 'there is no room for the database; nothing is stored',
      ends: 'there is room for the database again',
    });
  }

  /** null: unknown. */
  get freeBytes(): number | null {
    return this.free;
  }

  get state(): DiskState {
    const reserve = this.reserveMb() * mebibyte;
    if (this.free === null || this.free >= reserve) return 'roomy';
    return this.free < reserve / 2 ? 'full' : 'low';
  }

  async measure(): Promise<void> {
    this.free = await this.room.free();
    const reason = this.problem();
    this.fullness.set(reason === null ? null : { freeBytes: this.free, reason });
  }

  /** Not ready while the daemon takes no writes because there is no room. */
  get probe(): Probe {
    return { part: 'disk', check: () => this.problem() };
  }

  private problem(): string | null {
    const { of, remedy } = this.room.words;
    return this.state === 'full'
      ? `less than ${this.reserveMb() / 2} MiB of ${of} are free, so nothing is stored: ${remedy}, or lower EARSHOT_DISK_RESERVE_MB`
      : null;
  }
}
