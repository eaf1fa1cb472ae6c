/** How many reports one reporter, one project and the installation may send; repeated ones count too. */
import type { Settings } from '../../../platform/config/schema.js';
import { WindowCounter } from '../../../platform/limits/window-counter.js';
import { hourMs, minuteMs } from '../../../platform/time/spans.js';

export class ReportLimits {
  private readonly perReporter: WindowCounter;
  private readonly perProject: WindowCounter;
  private readonly ofAll: WindowCounter;

  constructor(settings: Pick<Settings, 'EARSHOT_REPORTS_REPORTER' | 'EARSHOT_REPORTS_MINUTE'>) {
    this.perReporter = new WindowCounter('reports_reporter', {
      max: () => settings.EARSHOT_REPORTS_REPORTER,
      windowMs: hourMs,
      rolling: true,
      message: 'You have sent many reports lately. Try again after the seconds in Retry-After.',
    });
    // One project leaves half of the installation's share to the others.
    this.perProject = new WindowCounter('reports_project', {
      max: () => Math.ceil(settings.EARSHOT_REPORTS_MINUTE / 2),
      windowMs: minuteMs,
    });
    this.ofAll = new WindowCounter('reports_minute', {
      max: () => settings.EARSHOT_REPORTS_MINUTE,
      windowMs: minuteMs,
    });
  }

  /** Counts a report, unless `work` refuses it. Throws rate_limited, and what the work throws; then nothing is counted. */
  async during<T>(projectId: string, reporterUserId: string | null, work: () => Promise<T>): Promise<T> {
    const limits: (readonly [WindowCounter, string])[] = [
      ...(reporterUserId === null ? [] : [[this.perReporter, `${projectId} ${reporterUserId}`] as const]),
      [this.perProject, projectId],
      [this.ofAll, ''],
    ];
    const counted: (readonly [WindowCounter, string])[] = [];
    try {
      for (const [counter, key] of limits) {
        counter.consume(key);
        counted.push([counter, key]);
      }
      return await work();
    } catch (error) {
      for (const [counter, key] of counted) counter.giveBack(key, 1);
      throw error;
    }
  }
}
