/**
 * Backups at the times of EARSHOT_BACKUP_SCHEDULE. What EARSHOT_BACKUP_KEEP does not keep is deleted after each; backups that
 * people start stay.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TroubleReport } from '../../platform/observability/condition.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Clock } from '../../platform/time/clock.js';
import type { Backups } from './backups.js';
import { type BackupSpans, outdated } from './kept-backups.js';
import { TimedWork } from './timed-work.js';

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

export class BackupSchedule {
  private readonly trouble: TroubleReport;
  private readonly timed: TimedWork;

  constructor(private readonly needs: ScheduleNeeds) {
    const { times, backups, logger, now } = needs;
    this.trouble = new TroubleReport(logger, {
      begins: 'no backup was made at the time of EARSHOT_BACKUP_SCHEDULE',
      ends: 'backups are made by schedule again',
    });
    this.timed = new TimedWork({
      ...{ times, now, work: () => this.make() },
      done: async () => (await backups.scheduled()).map(({ at }) => at),
      failed: (error) => this.trouble.set({ problem: error instanceof Error ? error.message : String(error) }),
    });
  }

  start = (): void => this.timed.start();
  stop = (): void => this.timed.stop();
  nextAt = (): Promise<Date | null> => this.timed.nextAt();
  look = (): Promise<void> => this.timed.look();

  private async make(): Promise<void> {
    const problem = await this.needs.backups.make();
    this.trouble.set(problem === null ? null : { problem });
    if (problem !== null) return;
    await this.deleteOutdated();
    await this.needs.made?.();
  }

  private async deleteOutdated(): Promise<void> {
    const { backups, keep, logger } = this.needs;
    for (const { name } of outdated(await backups.scheduled(), keep())) {
      await rm(join(backups.folder, name), { force: true });
      logger.info({ backup: name }, 'a backup was deleted, as EARSHOT_BACKUP_KEEP says');
    }
  }
}
