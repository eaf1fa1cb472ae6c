/**
 * Brings backups of the schedule to the S3-compatible store, and the recordings to it or to the folder of backups. What
 * failed is tried again. The store keeps what EARSHOT_BACKUP_KEEP says; the folder then keeps the newest alone.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readBackupName } from '../../platform/database/backup.js';
import type { BackupStore } from '../../platform/database/backup-store.js';
import { copyInFolder, copyInStore, copyRecordings } from '../../platform/database/recordings-copy.js';
import { TroubleReport } from '../../platform/observability/condition.js';
import type { Logger } from '../../platform/observability/logger.js';
import { every } from '../../platform/time/ticks.js';
import type { Backups } from './backups.js';
import { type BackupSpans, outdated } from './kept-backups.js';

interface StoredNeeds {
  readonly dataDir: string;
  readonly backups: Pick<Backups, 'folder' | 'scheduled'>;
  /** null: backups stay in the folder. */
  readonly store: BackupStore | null;
  readonly withRecordings: () => boolean;
  readonly recipient: string | undefined;
  readonly keep: () => BackupSpans;
  readonly logger: Pick<Logger, 'info' | 'error'>;
}

const againEveryMs = 600_000;

export class StoredBackups {
  private readonly trouble: TroubleReport;
  private runs: Promise<void> = Promise.resolve();
  private hasFailed = false;
  private isStopped = false;
  private repeated: () => void = () => {};
  /** The newest backup in the store, as last seen. */
  newest: { readonly at: Date; readonly bytes: number } | null = null;
  /** Runs that failed since the start. */
  failures = 0;

  constructor(private readonly needs: StoredNeeds) {
    this.trouble = new TroubleReport(needs.logger, {
      begins: 'backups or recordings are not copied to where the settings say',
      ends: 'backups and recordings are copied again',
    });
  }

  start(): void {
    void this.bring(); // what an earlier start could not
    this.repeated = every(againEveryMs, () => {
      if (this.hasFailed) void this.bring();
    });
  }

  stop(): void {
    this.isStopped = true;
    this.repeated();
  }

  /** True if there is a store, and not only a copy of the recordings in the folder. */
  get hasStore(): boolean {
    return this.needs.store !== null;
  }

  /** Brings what is missing there, after a run that goes on and may not have seen it. Never rejects. */
  bring(): Promise<void> {
    this.runs = this.runs.then(() => this.run());
    return this.runs;
  }

  private async run(): Promise<void> {
    const { store, dataDir, withRecordings, recipient, backups } = this.needs;
    if (this.isStopped) return;
    this.hasFailed = false;
    try {
      if (store !== null) await this.bringBackups(store);
      const place = store === null ? copyInFolder(backups.folder) : copyInStore(store);
      if (withRecordings()) await copyRecordings(dataDir, place, recipient);
      this.trouble.set(null);
    } catch (error) {
      this.hasFailed = true;
      this.failures += 1;
      this.trouble.set({ problem: error instanceof Error ? error.message : String(error) });
    }
  }

  private async bringBackups(store: BackupStore): Promise<void> {
    const { backups, keep, logger } = this.needs;
    const stored = await scheduledIn(store);
    const names = new Set(stored.map(({ name }) => name));
    const here = (await backups.scheduled()).toSorted((a, b) => a.at.getTime() - b.at.getTime());
    const own = here.filter(({ name }) => !names.has(name));
    // By name alone, because a clock may have been set back since: what is not sent is what the store would not keep.
    const unkept = new Set(outdated([...stored, ...own], keep()).map(({ name }) => name));
    const missing = own.filter(({ name }) => !unkept.has(name));
    for (const { name } of missing) {
      await store.put(join(backups.folder, name), name);
      logger.info({ backup: name }, 'a backup is in the store');
    }
    const all = missing.length === 0 ? stored : await scheduledIn(store);
    this.newest = all.toSorted((a, b) => b.at.getTime() - a.at.getTime())[0] ?? null;
    for (const { name } of outdated(all, keep())) await store.delete(name);
    for (const { name } of here.slice(0, -1)) await rm(join(backups.folder, name), { force: true });
  }
}

/** Backups of the schedule in the store, in any order. */
async function scheduledIn(store: BackupStore) {
  return (await store.list()).flatMap(({ name, bytes }) => {
    const backup = readBackupName(name);
    return backup?.isScheduled === true ? [{ ...backup, bytes }] : [];
  });
}
