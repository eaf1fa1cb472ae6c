/** Backups by the daemon: one at a time, in a process of their own, into the folder of `earshotd backup`. */
import type { ChildProcess } from 'node:child_process';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCatalogue } from '../../../src/contract/error-catalogue.js';
import { DomainError } from '../../../src/contract/errors.js';
import { type BackupRun, backupsMax, type Installation } from '../../../src/contract/installation/installation.js';
import { backupName, readBackupName, removePartials } from '../../platform/database/backup.js';
import { partialEnding } from '../../platform/database/copy-before.js';
import type { Database } from '../../platform/database/database.js';
import type { Logger } from '../../platform/observability/logger.js';
import { workInProcess } from '../../platform/processes/one-answer.js';
import { freeBytes } from '../../platform/quota/disk.js';
import type { Clock } from '../../platform/time/clock.js';

type Files = Installation['backups']['files'];

interface BackupNeeds {
  readonly dataDir: string;
  /** Where backups are. */
  readonly folder: string;
  readonly database: Pick<Database, 'dialect' | 'url'>;
  /** MiB that stay free. */
  readonly reserveMb: () => number;
  /** True if backups of the schedule are compressed. */
  readonly compress: () => boolean;
  /** Recipient of age; undefined: backups are not encrypted. */
  readonly recipient: string | undefined;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  readonly now: Clock;
}

const mebibyte = 1024 * 1024;
/** A copy that nobody has written to for so long belongs to no run. */
const leftoverMs = 3_600_000;

export class Backups {
  private child: ChildProcess | null = null;
  private run: BackupRun | null = null;
  private ended: Promise<void> = Promise.resolve();
  /** Backups that failed since the start. */
  failures = 0;

  constructor(private readonly needs: BackupNeeds) {}

  get folder(): string {
    return this.needs.folder;
  }

  get isAvailable(): boolean {
    return this.needs.database.dialect === 'sqlite';
  }

  get instead(): string | null {
    return this.isAvailable ? null : errorCatalogue.backup_unsupported.message;
  }

  /** null: none since the start. */
  get latest(): BackupRun | null {
    return this.run;
  }

  /** Newest first. */
  async files(): Promise<Files> {
    const { folder } = this.needs;
    const names = (await readdir(folder).catch(() => [])).filter((name) => /\.db(\.gz)?(\.age)?$/.test(name));
    const newest = names.toSorted().reverse().slice(0, backupsMax);
    const found = await Promise.all(
      newest.map(async (name) => {
        const info = await stat(join(folder, name)).catch(() => null);
        return info?.isFile() === true
          ? [{ name, createdAt: info.mtime.toISOString(), bytes: info.size, verified: readBackupName(name) !== null }]
          : [];
      }),
    );
    return found.flat();
  }

  /** Backups of the schedule, in any order. */
  async scheduled(): Promise<{ readonly name: string; readonly at: Date }[]> {
    const names = await readdir(this.needs.folder).catch(() => []);
    return names
      .map(readBackupName)
      .filter((backup) => backup !== null)
      .filter(({ isScheduled }) => isScheduled);
  }

  /** Makes a backup of the schedule. Resolves with what went wrong; null: nothing. Throws as `begin` does. */
  async make(): Promise<string | null> {
    await this.begin(this.nameOf({ scheduled: true, compressed: this.needs.compress() }));
    await this.ended;
    return this.run?.problem ?? null;
  }

  /** Throws backup_unsupported, backup_running, backup_no_space. */
  async begin(name = this.nameOf({})): Promise<BackupRun> {
    if (!this.isAvailable) throw new DomainError('backup_unsupported');
    if (this.run?.state === 'running') throw new DomainError('backup_running');
    const { now, folder, database } = this.needs;
    const path = database.url.slice('file:'.length);
    const run: BackupRun = { state: 'running', startedAt: now().toISOString(), endedAt: null, name, problem: null };
    const before = this.run;
    this.run = run; // before anything waits, so that two requests do not both begin
    try {
      await this.refuseWithoutSpace(path, name.endsWith('.db') ? 1 : 2);
    } catch (error) {
      this.run = before;
      throw error;
    }
    const target = join(folder, name);
    this.ended = this.copy(path, target).then(async (problem) => {
      if (problem !== null) removePartials(target);
      this.run = { ...run, state: problem === null ? 'done' : 'failed', endedAt: now().toISOString(), problem };
      if (problem === null) this.needs.logger.info({ backup: name }, 'backup made');
      else {
        this.failures += 1;
        this.needs.logger.error({ backup: name, problem }, 'backup failed');
      }
    });
    return run;
  }

  private nameOf = (kind: { scheduled?: boolean; compressed?: boolean }): string =>
    backupName(this.needs.now, { ...kind, sealed: this.needs.recipient !== undefined });

  async stop(): Promise<void> {
    this.child?.kill('SIGKILL'); // it hears nothing while SQLite copies
    await this.ended;
  }

  /**
   * Room for a whole copy, with what is to stay free of its disk. Copies that a crash has cut off go first.
   *
   * @param copies 2 where the copy is compressed or encrypted into another one
   */
  private async refuseWithoutSpace(path: string, copies: number): Promise<void> {
    const { dataDir, folder, reserveMb, now } = this.needs;
    for (const name of await readdir(folder).catch(() => [])) {
      if (!name.endsWith(partialEnding)) continue;
      const age = now().getTime() - ((await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0);
      if (age > leftoverMs) await rm(join(folder, name), { force: true });
    }
    const sizes = await Promise.all(
      ['', '-wal'].map(async (end) => (await stat(path + end).catch(() => null))?.size ?? 0),
    );
    const free = await freeBytes(folder).catch(() => freeBytes(dataDir)); // the folder is made by the first backup
    if (free < sizes.reduce((sum, size) => sum + size * copies, reserveMb() * mebibyte))
      throw new DomainError('backup_no_space');
  }

  /** Resolves with what went wrong; null: nothing. A thread would keep the daemon from ending while SQLite copies. */
  private async copy(path: string, target: string): Promise<string | null> {
    const args = [path, target, this.needs.recipient ?? []].flat();
    const { child, ended } = workInProcess('platform/database/backup-process', args);
    this.child = child;
    return ended.finally(() => (this.child = null));
  }
}
