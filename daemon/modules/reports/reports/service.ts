/** Reports: stored with the transcript around, joined where the same reporter repeats one, and shown to whom they concern. */
import { uuidv7 } from 'uuidv7';
import { DomainError } from '../../../../src/contract/errors.js';
import type {
  CreateReportRequest,
  PlayerReportRequest,
  ReceiptListResponse,
  ReportDetail,
  ReportListQuery,
  ReportListResponse,
  ReportReceipt,
  ReportSource,
} from '../../../../src/contract/reports/reports.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import type { EventLog } from '../../../platform/events/log.js';
import type { ProjectGrant } from '../../../platform/http/caller.js';
import { FairTurns } from '../../../platform/limits/fair-turns.js';
import type { Clock } from '../../../platform/time/clock.js';
import { hourMs } from '../../../platform/time/spans.js';
import type { ParticipantDirectory } from '../../people/directory.js';
import type { SessionDirectory } from '../../sessions/directory.js';
import type { SpokenEvidence } from '../../sessions/evidence.js';
import type { TranscriptReader } from '../../sessions/transcript-reader.js';
import type { CaseIntake } from '../cases/intake.js';
import type { ReporterService } from '../reporters/service.js';
import type { ReportSettingsService } from '../settings/service.js';
import type { ReportSounds } from '../sound/service.js';
import type { ReportLimits } from './limits.js';
import { toReceipt } from './receipts.js';
import { type ReportLineRow, type ReportRow, type ReportStore, reportEvent, toLine, toReport } from './report-store.js';

/** Another report about the same person within this time joins the first one. */
const joinMs = hourMs;
const linesMax = 500;
const wordsMax = 8_000;
const secondMs = 1_000;
/** As much as the report of the most reliable reporter. */
const trustedWeight = 2;

interface ReportServiceNeeds {
  readonly database: Database;
  readonly log: EventLog;
  readonly reports: ReportStore;
  readonly settings: Pick<ReportSettingsService, 'requireCategory'>;
  readonly cases: Pick<CaseIntake, 'addReport' | 'extended'>;
  readonly reporters: Pick<ReporterService, 'requireMayReport'>;
  readonly limits: Pick<ReportLimits, 'require'>;
  readonly sounds: Pick<ReportSounds, 'shown'>;
  readonly people: Pick<ParticipantDirectory, 'lock'>;
  readonly sessions: Pick<SessionDirectory, 'activeIn'>;
  readonly evidence: Pick<SpokenEvidence, 'around'>;
  readonly transcripts: Pick<TranscriptReader, 'messagesIn'>;
  readonly now: Clock;
}

interface Reporter {
  readonly source: ReportSource;
  /** null: the team, in its own name. */
  readonly userId: string | null;
}

type Line = Omit<ReportLineRow, 'reportId'>;

export class ReportService {
  // Reports of one person or by one reporter wait for each other; what waits here holds no connection to the database.
  private readonly turns = new FairTurns('report_stores');

  constructor(private readonly needs: ReportServiceNeeds) {}

  /**
   * Throws report_category_unknown, report_target_required, report_self, reporting_suspended, rate_limited.
   */
  async create(
    { projectId, tenantId }: ProjectGrant,
    { source, userId: reporterUserId }: Reporter,
    request: PlayerReportRequest & Pick<CreateReportRequest, 'notice'>,
  ): Promise<ReportRow> {
    const { category, roomId = null, words = null, language = null, notice } = request;
    await this.needs.settings.requireCategory(projectId, category);
    const lines = await this.linesAround(projectId, request);
    const named = targetOf(request, lines, reporterUserId);
    // Notices come from the team, many at once when it imports them.
    if (notice === undefined) this.needs.limits.require(projectId, reporterUserId);
    const store = async (tx: Transaction) => {
      const now = this.needs.now();
      if (reporterUserId !== null) await this.needs.database.takeTurn(tx, `report:${projectId}:${reporterUserId}`);
      const kept = await this.keptLines(tx, projectId, lines, [named, reporterUserId]);
      // The author of a message may have been erased since it was read.
      const externalUserId = targetOf(request, kept, reporterUserId);
      const target = { projectId, externalUserId, roomId };
      const since = new Date(now.getTime() - joinMs);
      if (notice !== undefined) {
        await this.needs.database.takeTurn(tx, `notice:${projectId}:${notice.from}`);
        const known = await this.needs.reports.noticed(tx, projectId, notice.from, notice.reference);
        if (known !== null) return known;
      }
      const own =
        reporterUserId === null ? 1 : await this.needs.reporters.requireMayReport(tx, projectId, reporterUserId);
      const weight = notice?.trustedFlagger === true ? trustedWeight : own;
      const found =
        reporterUserId === null || notice !== undefined
          ? null
          : await this.needs.reports.repeated(tx, { ...target, reporterUserId }, since);
      // It may be decided at this moment; then this is a new report.
      const first = found === null ? null : await this.needs.reports.lockOpen(tx, projectId, found.id);
      if (first !== null) return this.join(tx, first, words, kept, now);
      const stored = await this.needs.reports.insert(tx, {
        ...{ id: uuidv7(), tenantId, ...target, source, category, reporterUserId, words, language, repeats: 0 },
        ...{ status: 'open', outcome: null, createdAt: now, updatedAt: now, decidedAt: null },
        ...{ caseId: null, weight, isBrigaded: false },
        ...{ noticeFrom: notice?.from ?? null, noticeReference: notice?.reference ?? null },
        isTrustedFlagger: notice?.trustedFlagger ?? false,
        receivedAt: notice === undefined ? null : new Date(notice.receivedAt ?? now),
      });
      await this.attach(tx, stored, kept);
      const row = await this.needs.cases.addReport(tx, stored);
      await this.needs.log.append(tx, reportEvent('report.created', row));
      return row;
    };
    return this.turns.run(projectId, () => this.needs.database.transaction(store));
  }

  async list(projectId: string, { limit, offset, ...filter }: ReportListQuery): Promise<ReportListResponse> {
    const { rows, total } = await this.page(projectId, filter, { limit, offset });
    return { reports: rows.map(toReport), total, limit, offset };
  }

  /** Throws report_not_found. */
  async get(projectId: string, id: string, reader: { readonly words: boolean }): Promise<ReportDetail> {
    const row = await this.needs.reports.find(projectId, id);
    if (row === null) throw new DomainError('report_not_found');
    const lines = reader.words ? await this.needs.reports.linesOf(id) : [];
    return { ...toReport(row), transcript: lines.map(toLine), sound: await this.needs.sounds.shown(projectId, id) };
  }

  /** Of one reporter, newest first. */
  async receipts(
    projectId: string,
    reporterUserId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<ReceiptListResponse> {
    const { rows, total } = await this.page(projectId, { reporterUserId }, page);
    return { reports: rows.map(toReceipt), total, ...page };
  }

  /** Throws report_not_found, also for a report of somebody else. */
  async receipt(projectId: string, reporterUserId: string, id: string): Promise<ReportReceipt> {
    const row = await this.needs.reports.find(projectId, id);
    if (row?.reporterUserId !== reporterUserId) throw new DomainError('report_not_found');
    return toReceipt(row);
  }

  private async page(projectId: string, filter: Omit<ReportListQuery, 'limit' | 'offset'>, page: PageOf) {
    const [rows, total] = await Promise.all([
      this.needs.reports.list(projectId, filter, { take: page.limit, skip: page.offset }),
      this.needs.reports.count(projectId, filter),
    ]);
    return { rows, total };
  }

  /** The transcript that the report refers to, oldest first. */
  private async linesAround(projectId: string, { roomId, evidence }: PlayerReportRequest): Promise<Line[]> {
    const { messageIds = [], lastSeconds } = evidence ?? {};
    const until = this.needs.now();
    const here =
      roomId === undefined || lastSeconds === undefined ? null : await this.needs.sessions.activeIn(projectId, roomId);
    const since = new Date(until.getTime() - (lastSeconds ?? 0) * secondMs);
    const session = here === null ? null : { id: here.id, since, until };
    const said = await this.needs.evidence.around(projectId, { messageIds, session });
    const named = new Set(messageIds);
    return said.map(({ id, externalUserId, senderName, content, timestamp }) => ({
      ...{ messageId: id, projectId, externalUserId, senderName, content },
      saidAt: timestamp,
      isNamed: named.has(id),
    }));
  }

  /** Without what was erased since it was read; nobody is erased until the transaction ends. */
  private async keptLines(
    tx: Transaction,
    projectId: string,
    lines: readonly Line[],
    named: readonly (string | null)[],
  ) {
    const speakers = lines.flatMap(({ externalUserId }) => externalUserId ?? []);
    const people = [...new Set([...speakers, ...named.filter((one) => one !== null)])].sort();
    if (people.length > 0) await this.needs.people.lock(tx, projectId, people);
    const ids = lines.map(({ messageId }) => messageId);
    const kept = new Set((await this.needs.transcripts.messagesIn(tx, ids)).map(({ id }) => id));
    return lines.filter(({ messageId }) => kept.has(messageId));
  }

  private async join(tx: Transaction, first: ReportRow, words: string | null, lines: readonly Line[], now: Date) {
    const isNew = words !== null && !(first.words ?? '').split('\n').includes(words);
    const joined = isNew ? [first.words, words].filter((one) => one !== null).join('\n') : first.words;
    const row = await this.needs.reports.update(tx, first.id, {
      repeats: first.repeats + 1,
      words: (joined?.length ?? 0) > wordsMax ? first.words : joined,
      updatedAt: now,
    });
    await this.attach(tx, row, lines);
    await this.needs.cases.extended(tx, row);
    await this.needs.log.append(tx, reportEvent('report.updated', row, first));
    return row;
  }

  private attach = (tx: Transaction, { id: reportId }: ReportRow, lines: readonly Line[]): Promise<void> =>
    this.needs.reports.addLines(
      tx,
      reportId,
      lines.map((line) => ({ ...line, reportId })),
      linesMax,
    );
}

/** The reported person; null: the report is about a room. Throws report_target_required, report_self. */
function targetOf(
  { externalUserId, roomId }: PlayerReportRequest,
  lines: readonly Line[],
  reporterUserId: string | null,
): string | null {
  const reported = externalUserId ?? lines.find(({ isNamed }) => isNamed)?.externalUserId ?? null;
  if (reported === null && roomId === undefined) throw new DomainError('report_target_required');
  if (reported !== null && reported === reporterUserId) throw new DomainError('report_self');
  return reported;
}

interface PageOf {
  readonly limit: number;
  readonly offset: number;
}
