/** Reporters as moderators see them, and what decisions do to their records. */
import { DomainError } from '../../../../src/contract/errors.js';
import type { Reporter } from '../../../../src/contract/reports/reporters.js';
import { dateOrNull, timeOrNull } from '../../../platform/database/column-values.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import type { Clock } from '../../../platform/time/clock.js';
import { type ReporterRecord, recordAfter, unknownReporter, type Verdict, weightOf } from './reliability.js';
import type { ReporterStore } from './reporter-store.js';

const toReporter = (externalUserId: string, record: ReporterRecord, now: Date): Reporter => ({
  ...{ externalUserId, decided: record.decided, upheld: record.upheld, unfounded: record.unfounded },
  weight: weightOf(record),
  warnedAt: timeOrNull(record.warnedAt),
  suspendedUntil:
    record.suspendedUntil !== null && record.suspendedUntil > now ? timeOrNull(record.suspendedUntil) : null,
});

export class ReporterService {
  constructor(
    private readonly database: Database,
    private readonly reporters: ReporterStore,
    private readonly now: Clock,
  ) {}

  async get(projectId: string, externalUserId: string): Promise<Reporter> {
    return toReporter(externalUserId, await this.reporters.find(projectId, externalUserId), this.now());
  }

  /** Suspends, or lifts a suspension. */
  async update(projectId: string, externalUserId: string, suspendedUntil: string | null): Promise<Reporter> {
    return this.database.transaction(async (tx) => {
      const known = await this.reporters.lockAll(tx, projectId, [externalUserId], this.now());
      const record = { ...unknownReporter, ...known.get(externalUserId), suspendedUntil: dateOrNull(suspendedUntil) };
      await this.reporters.set(tx, projectId, externalUserId, record, this.now());
      return toReporter(externalUserId, record, this.now());
    });
  }

  /** Returns how much a report of each of these people counts, or why they may not report (reporting_suspended). */
  async standingOf(
    tx: Transaction,
    projectId: string,
    people: readonly string[],
  ): Promise<Map<string, number | DomainError>> {
    const now = this.now();
    const records = await this.reporters.findAll(tx, projectId, [...new Set(people)]);
    const standing = new Map<string, number | DomainError>();
    for (const [one, record] of records) {
      const { suspendedUntil } = record;
      const details = [{ path: 'until', message: suspendedUntil?.toISOString() ?? '' }];
      const isSuspended = suspendedUntil !== null && suspendedUntil > now;
      standing.set(one, isSuspended ? new DomainError('reporting_suspended', { details }) : weightOf(record));
    }
    return standing;
  }

  /** Counts a decided case for those who reported in it. */
  async count(tx: Transaction, projectId: string, people: ReadonlySet<string>, verdict: Verdict): Promise<void> {
    const now = this.now();
    const records = await this.reporters.lockAll(tx, projectId, [...people], now);
    const counted = [...records].map(([one, record]) => [one, recordAfter(record, verdict, now)] as const);
    await this.reporters.setAll(tx, projectId, new Map(counted), now);
  }
}
