/** Reporters as moderators see them, and what decisions do to their records. */
import { DomainError } from '../../../../src/contract/errors.js';
import type { Reporter } from '../../../../src/contract/reports/reporters.js';
import { dateOrNull, timeOrNull } from '../../../platform/database/column-values.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { SanctionsTakenBack } from '../../moderation/sanctions/taken-back.js';
import type { InProject, MisuseNotices } from './misuse.js';
import {
  type ReporterRecord,
  recordAfter,
  recordOfAppeals,
  suspensionAt,
  unknownReporter,
  type Verdict,
  weightOf,
} from './reliability.js';
import type { ReporterStore } from './reporter-store.js';

interface ReporterNeeds {
  readonly database: Database;
  readonly reporters: ReporterStore;
  readonly takenBack: Pick<SanctionsTakenBack, 'unfoundedAppeals'>;
  readonly misuse: Pick<MisuseNotices, 'announce'>;
  readonly now: Clock;
}

export class ReporterService {
  constructor(private readonly needs: ReporterNeeds) {}

  async get(projectId: string, externalUserId: string): Promise<Reporter> {
    return this.shown(projectId, externalUserId, await this.needs.reporters.find(projectId, externalUserId));
  }

  /** Suspends, or lifts a suspension. */
  async update(project: InProject, externalUserId: string, suspendedUntil: string | null): Promise<Reporter> {
    const { database, reporters, misuse, now } = this.needs;
    const { projectId } = project;
    const record = await database.transaction(async (tx) => {
      const known = await reporters.lockAll(tx, projectId, [externalUserId], now());
      const before = known.get(externalUserId) ?? unknownReporter;
      const after = { ...before, suspendedUntil: dateOrNull(suspendedUntil) };
      await reporters.set(tx, projectId, externalUserId, after, now());
      await misuse.announce(tx, project, 'reports', [{ externalUserId, before, after }]);
      return after;
    });
    return this.shown(projectId, externalUserId, record);
  }

  /** Returns how much a report of each of these people counts, or why they may not report (reporting_suspended). */
  async standingOf(
    tx: Transaction,
    projectId: string,
    people: readonly string[],
  ): Promise<Map<string, number | DomainError>> {
    const now = this.needs.now();
    const records = await this.needs.reporters.findAll(tx, projectId, [...new Set(people)]);
    const standing = new Map<string, number | DomainError>();
    for (const [one, record] of records) {
      const until = suspensionAt(record, now);
      const details = [{ path: 'until', message: until?.toISOString() ?? '' }];
      standing.set(one, until === null ? weightOf(record) : new DomainError('reporting_suspended', { details }));
    }
    return standing;
  }

  /** Counts a decided case for those who reported in it, and tells them what follows. */
  async count(tx: Transaction, project: InProject, people: ReadonlySet<string>, verdict: Verdict): Promise<void> {
    const { reporters, misuse } = this.needs;
    const now = this.needs.now();
    const records = await reporters.lockAll(tx, project.projectId, [...people], now);
    const counted = [...records].map(([externalUserId, before]) => ({
      ...{ externalUserId, before, after: recordAfter(before, verdict, now) },
    }));
    const after = new Map(counted.map((one) => [one.externalUserId, one.after]));
    await reporters.setAll(tx, project.projectId, after, now);
    await misuse.announce(tx, project, 'reports', counted);
  }

  private async shown(projectId: string, externalUserId: string, record: ReporterRecord): Promise<Reporter> {
    const now = this.needs.now();
    const appeals = recordOfAppeals(await this.needs.takenBack.unfoundedAppeals(projectId, externalUserId));
    return {
      ...{ externalUserId, decided: record.decided, upheld: record.upheld, unfounded: record.unfounded },
      weight: weightOf(record),
      warnedAt: timeOrNull(record.warnedAt),
      suspendedUntil: timeOrNull(suspensionAt(record, now)),
      unfoundedAppeals: appeals.unfounded,
      appealsWarnedAt: timeOrNull(appeals.warnedAt),
      appealsSuspendedUntil: timeOrNull(suspensionAt(appeals, now)),
    };
  }
}
