/**
 * Stores reports. Those of one project that wait at the same time are stored in one transaction, and repeats among them are
 * joined first, so that thousands in a minute cost a few statements each second.
 */

import { DomainError } from '../../../../src/contract/errors.js';
import type {
  CreateReportRequest,
  PlayerReportRequest,
  ReportSource,
} from '../../../../src/contract/reports/reports.js';
import { addTo } from '../../../platform/collections/add-to.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { isOutage } from '../../../platform/database/errors.js';
import { confirmed, currentRecord, outside, writingFor } from '../../../platform/database/request-record.js';
import { slicesOf } from '../../../platform/database/slices.js';
import type { EventLog } from '../../../platform/events/log.js';
import type { NewEvent } from '../../../platform/events/logged.js';
import type { ProjectGrant } from '../../../platform/http/caller.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import { FairTurns } from '../../../platform/limits/fair-turns.js';
import type { Clock } from '../../../platform/time/clock.js';
import { hourMs } from '../../../platform/time/spans.js';
import type { ParticipantDirectory } from '../../people/directory.js';
import type { TranscriptReader } from '../../sessions/transcript-reader.js';
import { heaviestOf } from '../cases/category.js';
import type { CaseIntake } from '../cases/intake.js';
import type { ReporterService } from '../reporters/service.js';
import type { ReportCategories, ReportSettingsService } from '../settings/service.js';
import {
  type ReportLineRow,
  type ReportRow,
  type ReportSpanRow,
  type ReportStore,
  repeatedKey,
  reportEvent,
  undecidedReport,
  withoutComplaint,
} from './report-store.js';

/** Another report about the same person within this time joins the first one. */
const joinMs = hourMs;
/** Lines of one report. */
export const linesMax = 500;
const wordsMax = 8_000;
/** As much as the report of the most reliable reporter. */
const trustedWeight = 2;
/** Reports in one transaction, which others wait for. */
const batchMax = 50;

interface ReportWriterNeeds {
  readonly database: Database;
  readonly log: Pick<EventLog, 'append'>;
  readonly reports: ReportStore;
  readonly cases: Pick<CaseIntake, 'addReports' | 'lockAll' | 'repeated'>;
  readonly settings: Pick<ReportSettingsService, 'categoriesOf'>;
  readonly reporters: Pick<ReporterService, 'standingOf'>;
  readonly people: Pick<ParticipantDirectory, 'lock'>;
  readonly transcripts: Pick<TranscriptReader, 'messagesIn'>;
  readonly now: Clock;
}

export type TranscriptLine = Omit<ReportLineRow, 'reportId'>;
export type EvidenceSpan = Omit<ReportSpanRow, 'reportId'>;

export interface IncomingReport {
  readonly source: ReportSource;
  /** null: the team, in its own name. */
  readonly reporterUserId: string | null;
  readonly request: PlayerReportRequest & Pick<CreateReportRequest, 'notice'>;
  readonly lines: readonly TranscriptLine[];
  readonly spans: readonly EvidenceSpan[];
}

interface WaitingReport {
  readonly report: IncomingReport;
  readonly record: ReturnType<typeof currentRecord>;
  readonly resolve: (row: ReportRow) => void;
  readonly reject: (error: unknown) => void;
}

/** Reports that are one, and what becomes of each of them. */
interface Joined {
  readonly reports: readonly (IncomingReport & { readonly index: number; readonly externalUserId: string | null })[];
  /** Indexes of others that are answered as the first of them. */
  readonly same: readonly number[];
  readonly weight: number;
}

type Outcome = ReportRow | DomainError;

export class ReportWriter {
  // What waits here holds no connection to the database.
  private readonly turns = new FairTurns('report_stores', { perOwner: 1 });
  /** By project. */
  private readonly waiting = new Map<string, WaitingReport[]>();

  constructor(private readonly needs: ReportWriterNeeds) {}

  /** Throws report_target_required, report_self, reporting_suspended. */
  store(project: ProjectGrant, report: IncomingReport): Promise<ReportRow> {
    return new Promise((resolve, reject) => {
      addTo(this.waiting, project.projectId, { report, record: currentRecord(), resolve, reject });
      if (this.waiting.get(project.projectId)?.length === 1) this.takeTurn(project);
    });
  }

  private takeTurn(project: ProjectGrant): void {
    outside(() => void this.turns.run(project.projectId, () => this.storeWaiting(project)));
  }

  private async storeWaiting(project: ProjectGrant): Promise<void> {
    const all = this.waiting.get(project.projectId) ?? [];
    const batch = all.splice(0, batchMax);
    if (all.length > 0) this.takeTurn(project);
    else this.waiting.delete(project.projectId);
    const allowed = await confirmed(batch);
    if (allowed.length > 0) await writingFor(project.tenantId, () => this.storeBatch(project, allowed));
  }

  /** Never throws. */
  private async storeBatch(project: ProjectGrant, batch: readonly WaitingReport[]): Promise<void> {
    try {
      const outcomes = await this.needs.database.transaction(async (tx) => {
        const stored = await this.storeAll(
          tx,
          project,
          batch.map(({ report }) => report),
        );
        for (const [index, { record }] of batch.entries()) {
          const outcome = stored[index];
          if (!(outcome instanceof DomainError)) await record?.note(tx, outcome);
        }
        return stored;
      });
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined || outcome instanceof DomainError) reject(outcome);
        else resolve(outcome);
      }
    } catch (error) {
      // One of them is the cause, such as a request that another daemon has answered.
      if (batch.length > 1 && !isOutage(error)) for (const one of batch) await this.storeBatch(project, [one]);
      else for (const { reject } of batch) reject(error);
    }
  }

  /** Returns an outcome for each report, in their order. */
  private async storeAll(tx: Transaction, project: ProjectGrant, reports: readonly IncomingReport[]) {
    const { projectId } = project;
    const now = this.needs.now();
    await this.needs.database.takeTurn(tx, `reports:${projectId}`);
    const outcomes: (Outcome | undefined)[] = reports.map(() => undefined);
    const groups = await this.grouped(tx, projectId, reports, outcomes);
    const categories = await this.needs.settings.categoriesOf(tx, projectId);
    const created: { readonly row: ReportRow; readonly group: Joined }[] = [];
    const joining: { readonly first: ReportRow; readonly group: Joined }[] = [];
    const since = new Date(now.getTime() - joinMs);
    const keys = [...groups.values()].flatMap(({ reports: [one] }) => {
      if (one === undefined || one.reporterUserId === null || one.request.notice !== undefined) return [];
      const { reporterUserId, externalUserId, request } = one;
      return [{ reporterUserId, externalUserId, roomId: request.roomId ?? null }];
    });
    // One may be decided at this moment; then there is a new report.
    const found = await this.needs.reports.lockRepeated(tx, projectId, keys, since, this.needs.cases.lockAll);
    for (const [key, group] of groups) {
      const first = found.get(key);
      if (first === undefined) created.push({ row: newRow(project, group, categories, now), group });
      else joining.push({ first, group });
    }
    const placed = await this.insert(tx, projectId, created, categories);
    for (const [index, { group }] of created.entries())
      for (const at of [...group.reports.map((one) => one.index), ...group.same]) outcomes[at] = placed[index];
    const events: NewEvent[] = placed.map((row) => reportEvent('report.created', row));
    const extended = joining.map(({ first, group }) => ({
      first,
      group,
      row: withRepeats(first, group, categories, now),
    }));
    await this.needs.reports.setRepeats(
      tx,
      extended.map(({ row }) => row),
    );
    for (const { first, group, row } of extended) {
      await this.attach(tx, row, group);
      events.push(reportEvent('report.updated', row, first));
      for (const one of group.reports) outcomes[one.index] = row;
    }
    await this.needs.cases.repeated(
      tx,
      projectId,
      extended.map(({ row }) => row),
      categories,
    );
    await this.needs.log.append(tx, ...events);
    return outcomes;
  }

  /** Puts reports together that are one, by a key; stores the outcome of those that are refused or known. */
  private async grouped(
    tx: Transaction,
    projectId: string,
    reports: readonly IncomingReport[],
    outcomes: (Outcome | undefined)[],
  ): Promise<Map<string, Joined>> {
    const kept = await this.keptLines(tx, projectId, reports);
    const standing = await this.needs.reporters.standingOf(
      tx,
      projectId,
      reports.flatMap(({ reporterUserId }) => reporterUserId ?? []),
    );
    const groups = new Map<string, { reports: Joined['reports'][number][]; same: number[]; weight: number }>();
    for (const [index, report] of reports.entries()) {
      const { reporterUserId, request } = report;
      const { notice } = request;
      const known =
        notice === undefined ? null : await this.needs.reports.noticed(tx, projectId, notice.from, notice.reference);
      const lines = report.lines.filter(({ messageId }) => kept.has(messageId));
      // The author of a message may have been erased since it was read.
      const externalUserId = outcomeOf(() => targetOf(request, lines, reporterUserId));
      const own = reporterUserId === null ? 1 : (standing.get(reporterUserId) ?? 1);
      if (known !== null) outcomes[index] = known;
      else if (externalUserId instanceof DomainError) outcomes[index] = externalUserId;
      else if (own instanceof DomainError) outcomes[index] = own;
      else {
        const one = { ...report, index, lines, externalUserId };
        const group = groups.get(keyOf(one));
        // A notice that comes twice is the same one: it neither repeats nor adds anything.
        if (group !== undefined && notice !== undefined) group.same.push(index);
        else if (group !== undefined) group.reports.push(one);
        else
          groups.set(keyOf(one), {
            reports: [one],
            same: [],
            weight: notice?.trustedFlagger === true ? trustedWeight : own,
          });
      }
    }
    return groups;
  }

  /** Messages of these lines that are not erased; nobody in them is erased until the transaction ends. */
  private async keptLines(
    tx: Transaction,
    projectId: string,
    reports: readonly IncomingReport[],
  ): Promise<ReadonlySet<string>> {
    const named = reports.flatMap(({ request, reporterUserId, lines }) => [
      ...[request.externalUserId, reporterUserId],
      ...lines.map(({ externalUserId }) => externalUserId),
    ]);
    const people = [...new Set(named.flatMap((one) => one ?? []))].sort();
    if (people.length > 0) await this.needs.people.lock(tx, projectId, people);
    const ids = [...new Set(reports.flatMap(({ lines }) => lines.map(({ messageId }) => messageId)))];
    const kept = new Set<string>();
    for (const some of slicesOf(ids))
      for (const { id } of await this.needs.transcripts.messagesIn(tx, some)) kept.add(id);
    return kept;
  }

  private async insert(
    tx: Transaction,
    projectId: string,
    created: readonly { readonly row: ReportRow; readonly group: Joined }[],
    categories: ReportCategories,
  ): Promise<ReportRow[]> {
    await this.needs.reports.insertAll(
      tx,
      created.map(({ row }) => row),
    );
    for (const { row, group } of created) await this.attach(tx, row, group);
    return this.needs.cases.addReports(
      tx,
      projectId,
      created.map(({ row }) => row),
      categories,
    );
  }

  private async attach(tx: Transaction, { id: reportId }: ReportRow, { reports }: Joined): Promise<void> {
    const lines = new Map(reports.flatMap((one) => one.lines.map((line) => [line.messageId, { ...line, reportId }])));
    await this.needs.reports.addLines(tx, reportId, [...lines.values()], linesMax);
    const spans = reports.flatMap((one) => one.spans.map((span) => ({ ...span, reportId })));
    await this.needs.reports.addSpans(tx, spans);
  }
}

const outcomeOf = <T>(decide: () => T): T | DomainError => {
  try {
    return decide();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
};

/** The reported person; null: the report is about a room. Throws report_target_required, report_self. */
export function targetOf(
  { externalUserId, roomId }: PlayerReportRequest,
  lines: readonly TranscriptLine[],
  reporterUserId: string | null,
): string | null {
  const reported = externalUserId ?? lines.find(({ isNamed }) => isNamed)?.externalUserId ?? null;
  if (reported === null && roomId === undefined) throw new DomainError('report_target_required');
  if (reported !== null && reported === reporterUserId) throw new DomainError('report_self');
  return reported;
}

function keyOf({ reporterUserId, request, externalUserId, index }: Joined['reports'][number]): string {
  if (request.notice !== undefined) return JSON.stringify([request.notice.from, request.notice.reference]);
  if (reporterUserId === null) return String(index);
  return repeatedKey({ reporterUserId, externalUserId, roomId: request.roomId ?? null });
}

/** The words of the first report, with new ones of those that join it, as far as it may have words. */
function joinedWords(first: string | null, reports: readonly IncomingReport[]): string | null {
  let words = first;
  for (const { request } of reports) {
    const said = request.words ?? null;
    if (said === null || words?.split('\n').includes(said) === true) continue;
    const both = words === null ? said : `${words}\n${said}`;
    if (both.length <= wordsMax) words = both;
  }
  return words;
}

function newRow(
  { projectId, tenantId }: ProjectGrant,
  { reports, weight }: Joined,
  categories: ReportCategories,
  now: Date,
): ReportRow {
  const [first] = reports;
  if (first === undefined) throw new Error('A report joins nothing.');
  const { source, reporterUserId, externalUserId, request } = first;
  const { roomId = null, language = null, notice } = request;
  const category = heaviestOf(reports.map((one) => categories(one.request.category))).name;
  return {
    ...{ id: uuidv7(), tenantId, projectId, externalUserId, roomId, source, category, reporterUserId, language },
    lastSeconds: longest(secondsOf(reports)),
    ...{ words: joinedWords(null, reports), repeats: reports.length - 1, weight, isBrigaded: false, caseId: null },
    ...{ ...undecidedReport, ...withoutComplaint, createdAt: now, updatedAt: now },
    ...{ noticeFrom: notice?.from ?? null, noticeReference: notice?.reference ?? null },
    isTrustedFlagger: notice?.trustedFlagger ?? false,
    receivedAt: notice === undefined ? null : new Date(notice.receivedAt ?? now),
  };
}

/** The words and evidence of all that are one, in the heaviest of their categories. */
const withRepeats = (first: ReportRow, { reports }: Joined, categories: ReportCategories, now: Date): ReportRow => ({
  ...first,
  repeats: first.repeats + reports.length,
  words: joinedWords(first.words, reports),
  category: heaviestOf([first, ...reports.map(({ request }) => request)].map((one) => categories(one.category))).name,
  lastSeconds: longest([first.lastSeconds, ...secondsOf(reports)]),
  updatedAt: now,
});

const secondsOf = (reports: readonly IncomingReport[]) =>
  reports.map(({ request }) => request.evidence?.lastSeconds ?? null);
const longest = (seconds: readonly (number | null)[]): number | null =>
  seconds.reduce((one, other) => (one === null || other === null ? (one ?? other) : Math.max(one, other)), null);
