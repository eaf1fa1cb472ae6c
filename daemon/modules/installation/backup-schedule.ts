/**
 * Backups at the times of EARSHOT_BACKUP_SCHEDULE. One that was missed, because the daemon did not run then, is made after the
 * start. What EARSHOT_BACKUP_KEEP does not keep is deleted after each; backups that people start stay.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Cron } from 'croner';
import { TroubleReport } from '../../platform/observability/condition.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Clock } from '../../platform/time/clock.js';
import { every } from '../../platform/time/ticks.js';
import type { Backups } from './backups.js';
import { type BackupSpans, outdated } from './kept-backups.js';

interface ScheduleNeeds {
  /** Five fields of cron, in the time zone of the machine. */
  readonly times: string;
  readonly keep: () => BackupSpans;
  readonly backups: Pick<Backups, 'folder' | 'scheduled' | 'make'>;
  /** Called after each that was made. Never rejects. */
  readonly made?: () => Promise<void>;
  readonly logger: Pick<Logger, 'info' | 'error'>;
  readonly now: Clock;
}

const lookEveryMs = 5_000;

export class BackupSchedule {
  private readonly cron: Cron;
  private readonly trouble: TroubleReport;
  private readonly startedAt: Date;
  private triedAt: Date | null = null;
  private isBusy = false;
  private repeated: () => void = () => {};

  constructor(private readonly needs: ScheduleNeeds) {
    this.cron = new Cron(needs.times, { paused: true });
    this.startedAt = needs.now();
    this.trouble = new TroubleReport(needs.logger, {
      begins: 'no backup was made at the time of EARSHOT_BACKUP_SCHEDULE',
      ends: 'backups are made by schedule again',
    });
  }

  start(): void {
    this.repeated = every(lookEveryMs, () => void this.look());
  }

  stop(): void {
    this.repeated();
  }

  /** When the next backup is due; one that is due has a time in the past. Where none was made or tried, it counts from the start. */
  async nextAt(): Promise<Date | null> {
    const now = this.needs.now();
    const made = (await this.needs.backups.scheduled()).map(({ at }) => at);
    // Times ahead are of a clock that was set back since.
    const past = [...made, ...(this.triedAt === null ? [] : [this.triedAt])].filter((at) => at <= now);
    const first = this.startedAt <= now ? this.startedAt : now;
    return this.cron.nextRun(past.reduce((last, at) => (at > last ? at : last), past[0] ?? first));
  }

  /** Makes the backup that is due, if one is. Never rejects. */
  async look(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    try {
      const next = await this.nextAt();
      if (next === null || next > this.needs.now()) return;
      this.triedAt = this.needs.now();
      const problem = await this.needs.backups.make();
      this.trouble.set(problem === null ? null : { problem });
      if (problem !== null) return;
      await this.deleteOutdated();
      await this.needs.made?.();
    } catch (error) {
      this.trouble.set({ problem: error instanceof Error ? error.message : String(error) });
    } finally {
      this.isBusy = false;
    }
  }

  private async deleteOutdated(): Promise<void> {
    const { backups, keep, logger } = this.needs;
    for (const { name } of outdated(await backups.scheduled(), keep())) {
      await rm(join(backups.folder, name), { force: true });
      logger.info({ backup: name }, 'a backup was deleted, as EARSHOT_BACKUP_KEEP says');
    }
  }
}
