/**
 * Restores the newest backup for trial at the times of EARSHOT_BACKUP_DRILL, in a process of its own: that of the store, where one
 * is set, as somebody would who has lost the machine.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupStore } from '../../platform/database/backup-store.js';
import {
  type Drill,
  newestIn,
  newestOf,
  readDrill,
  trialFolder,
  writeDrill,
} from '../../platform/database/restore-trial.js';
import { TroubleReport } from '../../platform/observability/condition.js';
import type { Logger } from '../../platform/observability/logger.js';
import { workInProcess } from '../../platform/processes/one-answer.js';
import { freeBytes } from '../../platform/quota/disk.js';
import { Refused } from '../../platform/refused.js';
import type { Clock } from '../../platform/time/clock.js';
import { TimedWork } from './timed-work.js';

interface DrillNeeds {
  /** Five fields of cron, in the time zone of the machine. */
  readonly times: string;
  readonly dataDir: string;
  /** Folder of backups. */
  readonly folder: string;
  readonly store: BackupStore | null;
  /** Bytes of the database. */
  readonly size: () => Promise<number>;
  /** MiB that stay free. */
  readonly reserveMb: () => number;
  readonly masterKey: string | undefined;
  /** Lines of an identity file of age. */
  readonly identities: string | undefined;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  readonly now: Clock;
}

const mebibyte = 1024 * 1024;
/** Space for what is fetched or decrypted, what is unpacked, what is restored of it, and the copy of its upgrade. */
const timesTheDatabase = 4;

export class RestoreDrill {
  private readonly trouble: TroubleReport;
  private readonly timed: TimedWork;
  private isStopped = false;
  private child: ChildProcess | null = null;
  private tidied: Promise<unknown> = Promise.resolve();
  /** Drills that failed since the start. */
  failures = 0;

  constructor(private readonly needs: DrillNeeds) {
    this.trouble = new TroubleReport(needs.logger, {
      begins: 'the newest backup could not be restored for trial',
      ends: 'the newest backup can be restored again',
    });
    this.timed = new TimedWork({
      ...{ times: needs.times, now: needs.now, work: () => this.run() },
      done: async () => [this.last?.at ?? []].flat(),
      failed: (error) => this.trouble.set({ problem: error instanceof Error ? error.message : String(error) }),
    });
  }

  start = (): void => this.timed.start();
  /** Tries the newest backup if that is due. Never rejects. */
  look = (): Promise<void> => this.timed.look();

  async stop(): Promise<void> {
    this.isStopped = true;
    this.timed.stop();
    this.child?.kill('SIGKILL'); // it hears nothing while SQLite reads
    await this.tidied;
  }

  /** null: none was made. */
  get last(): Drill | null {
    return readDrill(this.needs.dataDir);
  }

  private async run(): Promise<void> {
    const { dataDir, logger, now } = this.needs;
    const began = performance.now();
    const before = this.last;
    let backup: string | null = null;
    const problem = await this.tryNewest((name) => (backup = name)).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    if (this.isStopped) return;
    const at = now();
    const seconds = Math.ceil((performance.now() - began) / 1_000);
    const succeededAt = problem === null ? at : (before?.succeededAt ?? null);
    if (problem !== null) this.failures += 1;
    this.trouble.set(problem === null ? null : { problem, backup });
    if (problem === null) logger.info({ backup, seconds }, 'the newest backup was restored for trial');
    try {
      writeDrill(dataDir, { at, backup, seconds, problem, succeededAt });
    } catch {
      // a full disk: the log says how it went
    }
  }

  private async tryNewest(found: (name: string) => void): Promise<string | null> {
    const { dataDir, folder, store, masterKey, identities, size, reserveMb } = this.needs;
    if ((await freeBytes(dataDir)) < (await size()) * timesTheDatabase + reserveMb() * mebibyte)
      throw new Refused('The disk of the data folder has no room for a trial: four times the database.');
    if (store === null) {
      const source = newestIn(folder);
      found(source);
      return this.inProcess({ source, dataDir, masterKey, identities });
    }
    const newest = newestOf((await store.list()).map(({ name }) => name));
    if (newest === null) throw new Refused(`There is no backup in ${store.address}.`);
    found(newest.name);
    const place = `${trialFolder(dataDir)}-fetched`;
    const fetched = join(place, newest.name);
    await rm(place, { recursive: true, force: true }); // of a daemon that was ended meanwhile
    await mkdir(place, { mode: 0o700 });
    try {
      await store.get(newest.name, fetched);
      return await this.inProcess({ source: fetched, dataDir, masterKey, identities });
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  }

  private inProcess(order: object): Promise<string | null> {
    if (this.isStopped) throw new Refused('The daemon stops.');
    const { child, ended } = workInProcess('platform/database/trial-process', [], order);
    this.child = child;
    const tidied = ended.finally(async () => {
      this.child = null;
      await rm(trialFolder(this.needs.dataDir), { recursive: true, force: true }); // of a process that was killed
    });
    this.tidied = tidied.catch(() => {});
    return tidied;
  }
}
