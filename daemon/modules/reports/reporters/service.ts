/** Reporters as moderators see them, and what decisions do to their records. */
import { DomainError, refusalWhile } from '../../../../src/contract/errors.js';
import { Misused } from '../../../../src/contract/reports/misuse.js';
import type {
  ListedReporter,
  Reporter,
  ReporterListQuery,
  ReporterListResponse,
  UpdateReporterRequest,
} from '../../../../src/contract/reports/reporters.js';
import { dateOrNull, timeOrNull } from '../../../platform/database/column-values.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { SanctionsTakenBack } from '../../moderation/sanctions/taken-back.js';
import type { ReportStore } from '../reports/report-store.js';
import type { InProject, MisuseNotices } from './misuse.js';
import {
  afterDecision,
  consequenceAfter,
  consequenceOf,
  misuseSince,
  noShare,
  proposedUntil,
  type ReporterRecord,
  recordAfter,
  recordOfAppeals,
  recordWithout,
  suspensionAt,
  unknownReporter,
  type Verdict,
  weightOf,
  withConsequence,
} from './reliability.js';
import type { ReporterStore } from './reporter-store.js';

interface ReporterNeeds {
  readonly database: Database;
  readonly reporters: ReporterStore;
  readonly reports: Pick<ReportStore, 'decidedShares'>;
  readonly takenBack: Pick<SanctionsTakenBack, 'unfoundedAppeals'>;
  readonly misuse: Pick<MisuseNotices, 'announce' | 'shareOfAppeals'>;
  readonly now: Clock;
}

export class ReporterService {
  constructor(private readonly needs: ReporterNeeds) {}

  async get(projectId: string, externalUserId: string): Promise<Reporter> {
    return this.shown(projectId, externalUserId, await this.needs.reporters.find(projectId, externalUserId));
  }

  async list(projectId: string, { status, ...page }: ReporterListQuery): Promise<ReporterListResponse> {
    const now = this.needs.now();
    const { rows, total } = await this.needs.reporters.list(projectId, status, now, page);
    const { limit, offset } = page;
    const reporters = rows.map(([externalUserId, record]) => listed(externalUserId, record, now));
    return { reporters, total, limit, offset };
  }

  /** A person suspends, or declines what is proposed, or lifts a suspension. Throws suspension_person_required. */
  async update(
    project: InProject,
    externalUserId: string,
    { isPerson }: { readonly isPerson: boolean },
    { suspendedUntil, appealsSuspendedUntil, decidedBy }: UpdateReporterRequest,
  ): Promise<Reporter> {
    const { database, reporters, misuse, now } = this.needs;
    const { projectId } = project;
    const ends = { reports: suspendedUntil, appeals: appealsSuspendedUntil };
    const isSuspending = Object.values(ends).some((until) => until != null);
    if (isSuspending && !isPerson && decidedBy !== 'person') throw new DomainError('suspension_person_required');
    const record = await database.transaction(async (tx) => {
      const known = await reporters.lockAll(tx, projectId, [externalUserId], now());
      let record = known.get(externalUserId) ?? unknownReporter;
      for (const of of Misused.options) {
        const until = ends[of];
        if (until === undefined) continue;
        const { warnedAt } = record;
        const before = consequenceOf(record, of);
        const after = afterDecision(before, dateOrNull(until), now());
        record = withConsequence(record, of, after);
        const changed = { externalUserId, before: { ...before, warnedAt }, after: { ...after, warnedAt } };
        await misuse.announce(tx, project, of, [changed]);
      }
      await reporters.set(tx, projectId, externalUserId, record, now());
      return record;
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
      const refusal = until === null ? null : refusalWhile('reporting_suspended', { reason: '', until });
      standing.set(one, refusal ?? weightOf(record));
    }
    return standing;
  }

  /** Counts a decided case for those who reported in it, and tells them what follows. */
  count(tx: Transaction, project: InProject, people: ReadonlySet<string>, verdict: Verdict): Promise<void> {
    return this.change(tx, project, people, (record, now) => recordAfter(record, verdict, now));
  }

  /** Takes back what `count` did, where the decision no longer counts. */
  discount(tx: Transaction, project: InProject, people: ReadonlySet<string>, verdict: Verdict): Promise<void> {
    return this.change(tx, project, people, (record) => recordWithout(record, verdict));
  }

  private async change(
    tx: Transaction,
    project: InProject,
    people: ReadonlySet<string>,
    changed: (record: ReporterRecord, now: Date) => ReporterRecord,
  ): Promise<void> {
    const { reporters, misuse } = this.needs;
    const now = this.needs.now();
    const { projectId } = project;
    const records = await reporters.lockAll(tx, projectId, [...people], now);
    const counted = [...records].map(([externalUserId, before]) => ({
      ...{ externalUserId, before, after: changed(before, now) },
    }));
    const misused = counted.filter(({ before, after }) => before.unfounded !== after.unfounded);
    const ids = misused.map(({ externalUserId }) => externalUserId);
    const shares = await this.needs.reports.decidedShares(projectId, ids, misuseSince(now), tx);
    const decided = counted.map(({ externalUserId, before, after }) => {
      const share = shares.get(externalUserId);
      if (share === undefined) return { externalUserId, before, after };
      const consequence = consequenceAfter(consequenceOf(before, 'reports'), { before, after }, share, now);
      return { externalUserId, before, after: withConsequence(after, 'reports', consequence), share };
    });
    const after = new Map(decided.map((one) => [one.externalUserId, one.after]));
    await reporters.setAll(tx, projectId, after, now);
    await misuse.announce(tx, project, 'reports', decided);
  }

  private async shown(projectId: string, externalUserId: string, record: ReporterRecord): Promise<Reporter> {
    const { takenBack, reports, misuse } = this.needs;
    const now = this.needs.now();
    const unfoundedAppeals = await takenBack.unfoundedAppeals(projectId, externalUserId);
    const shares = await reports.decidedShares(projectId, [externalUserId], misuseSince(now));
    const appeals = recordOfAppeals(unfoundedAppeals);
    return {
      ...listed(externalUserId, record, now),
      recent: shares.get(externalUserId) ?? noShare,
      unfoundedAppeals: appeals.unfounded,
      appealsWarnedAt: timeOrNull(appeals.warnedAt),
      recentAppeals: await misuse.shareOfAppeals(projectId, externalUserId, unfoundedAppeals),
    };
  }
}

function listed(externalUserId: string, record: ReporterRecord, now: Date): ListedReporter {
  const [reports, appeals] = [consequenceOf(record, 'reports'), consequenceOf(record, 'appeals')];
  return {
    ...{ externalUserId, decided: record.decided, upheld: record.upheld, unfounded: record.unfounded },
    weight: weightOf(record),
    warnedAt: timeOrNull(record.warnedAt),
    suspendedUntil: timeOrNull(suspensionAt(reports, now)),
    proposedUntil: timeOrNull(proposedUntil(reports, now)),
    appealsSuspendedUntil: timeOrNull(suspensionAt(appeals, now)),
    appealsProposedUntil: timeOrNull(proposedUntil(appeals, now)),
  };
}
