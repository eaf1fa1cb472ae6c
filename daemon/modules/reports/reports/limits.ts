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
      max: settings.EARSHOT_REPORTS_REPORTER,
      windowMs: hourMs,
      rolling: true,
      message: 'You have sent many reports lately. Try again after the seconds in Retry-After.',
    });
    // One project leaves half of the installation's share to the others.
    this.perProject = new WindowCounter('reports_project', {
      max: Math.ceil(settings.EARSHOT_REPORTS_MINUTE / 2),
      windowMs: minuteMs,
    });
    this.ofAll = new WindowCounter('reports_minute', { max: settings.EARSHOT_REPORTS_MINUTE, windowMs: minuteMs });
  }

  /** Throws rate_limited. */
  require(projectId: string, reporterUserId: string | null): void {
    if (reporterUserId !== null) this.perReporter.consume(`${projectId} ${reporterUserId}`);
    this.perProject.consume(projectId);
    this.ofAll.consume('');
  }
}
