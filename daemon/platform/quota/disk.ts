/** How much room the disk of the database has left. */
import { statfs } from 'node:fs/promises';
import type { Probe } from '../observability/health.js';

const mebibyte = 1024 * 1024;

export type DiskState = 'roomy' | 'low' | 'full';

export class Disk {
  private free: number | null = null;

  /**
   * @param folder on the disk; null: the database is on another machine, and nothing is known of its disk
   * @param reserveMb below it the disk is low, and below half of it full; 0: it is never either
   */
  constructor(
    private readonly folder: string | null,
    private readonly reserveMb: number,
  ) {}

  /** null: unknown. */
  get freeBytes(): number | null {
    return this.free;
  }

  get state(): DiskState {
    const reserve = this.reserveMb * mebibyte;
    if (this.free === null || this.free >= reserve) return 'roomy';
    return this.free < reserve / 2 ? 'full' : 'low';
  }

  async look(): Promise<void> {
    if (this.folder === null) return;
    const { bavail, bsize } = await statfs(this.folder);
    this.free = bavail * bsize;
  }

  /** Not ready while the daemon takes no writes because the disk is full. */
  get probe(): Probe {
    return {
      part: 'disk',
      look: () =>
        this.state === 'full'
          ? `less than ${this.reserveMb / 2} MiB of the disk are free, so nothing is stored: free some, or lower EARSHOT_DISK_RESERVE_MB`
          : null,
    };
  }
}
