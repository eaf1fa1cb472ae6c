/** Reports: checked, stored with the transcript around, and shown to whom they concern. */
import { DomainError } from '../../../../src/contract/errors.js';
import {
  type CreateReportRequest,
  evidenceSecondsMax,
  type PlayerReportRequest,
  type ReceiptListResponse,
  type ReportDetail,
  type ReportListQuery,
  type ReportListResponse,
  type ReportReceipt,
  type ReportSource,
} from '../../../../src/contract/reports/reports.js';
import { jsonTextOrNull } from '../../../platform/database/column-values.js';
import type { RowPage } from '../../../platform/database/row-page.js';
import type { ProjectGrant } from '../../../platform/http/caller.js';
import type { ResourceCodes } from '../../../platform/secrets/resource-codes.js';
import type { Clock } from '../../../platform/time/clock.js';
import { minuteMs } from '../../../platform/time/spans.js';
import type { WantedLanguage } from '../../moderation/standing/statements.js';
import type { ParticipantDirectory } from '../../people/directory.js';
import type { SettingsStore } from '../../projects/settings/store.js';
import type { RoomsAnywhere } from '../../rooms/elsewhere/rooms-anywhere.js';
import type { SessionDirectory } from '../../sessions/directory.js';
import type { SpokenEvidence } from '../../sessions/evidence.js';
import type { ReportSettingsService } from '../settings/service.js';
import type { ReportSounds } from '../sound/service.js';
import type { ReportLimits } from './limits.js';
import { type ReceiptReader, toReceipt } from './receipts.js';
import { type ReportRow, type ReportStore, toLine, toReport } from './report-store.js';
import { type EvidenceSpan, type ReportWriter, type TranscriptLine, targetOf } from './writer.js';

const secondMs = 1_000;
/** A recogniser that is further behind has given the line up. */
const lateMs = 10 * minuteMs;

interface ReportServiceNeeds {
  readonly reports: ReportStore;
  readonly writer: Pick<ReportWriter, 'store'>;
  readonly settings: Pick<ReportSettingsService, 'requireCategory'>;
  readonly limits: Pick<ReportLimits, 'during'>;
  readonly sounds: Pick<ReportSounds, 'shown'>;
  readonly sessions: Pick<SessionDirectory, 'activeIn' | 'allRoomsOf'>;
  readonly evidence: Pick<SpokenEvidence, 'around' | 'hasBeenIn' | 'saidIn' | 'spanAround'>;
  readonly rooms: Pick<RoomsAnywhere, 'find'>;
  readonly people: Pick<ParticipantDirectory, 'byEither'>;
  /** The names of game and operator. */
  readonly services: Pick<SettingsStore, 'serviceOf'>;
  /** Of the pages of reporters. */
  readonly codes: ResourceCodes;
  /** The address that links begin with. */
  readonly publicUrl: () => string;
  readonly now: Clock;
}

interface ReportedBy {
  readonly source: ReportSource;
  /** null: the team, in its own name. */
  readonly userId: string | null;
}

export class ReportService {
  constructor(private readonly needs: ReportServiceNeeds) {}

  /**
   * Throws report_category_unknown, report_not_in_room, report_not_heard, report_target_required, report_self, reporting_suspended, rate_limited.
   */
  async create(
    project: ProjectGrant,
    by: ReportedBy,
    request: PlayerReportRequest & Pick<CreateReportRequest, 'notice'>,
  ): Promise<ReportRow> {
    await this.needs.settings.requireCategory(project.projectId, request.category);
    const store = () => this.store(project, by, request);
    // Notices come from the team, many at once when it imports them.
    return request.notice === undefined ? this.needs.limits.during(project.projectId, by.userId, store) : store();
  }

  private async store(
    project: ProjectGrant,
    { source, userId: reporterUserId }: ReportedBy,
    request: PlayerReportRequest & Pick<CreateReportRequest, 'notice'>,
  ): Promise<ReportRow> {
    if (source === 'player' && reporterUserId !== null && request.roomId !== undefined)
      await this.requireInRoom(project.projectId, request.roomId, reporterUserId);
    if ((source === 'player' || source === 'room') && reporterUserId !== null)
      await this.requireHeard(project.projectId, request.evidence?.messageIds ?? [], reporterUserId);
    const { lines, spans } = await this.evidenceOf(project.projectId, request);
    targetOf(request, lines, reporterUserId);
    return this.needs.writer.store(project, { source, reporterUserId, request, lines, spans });
  }

  async list(projectId: string, { limit, offset, after, ...filter }: ReportListQuery): Promise<ReportListResponse> {
    const { rows, total } = await this.page(projectId, filter, { limit, offset, after });
    return { reports: rows.map(toReport), total, limit, offset };
  }

  /** Throws report_not_found. */
  async get(projectId: string, id: string, reader: { readonly words: boolean }): Promise<ReportDetail> {
    const row = await this.needs.reports.find(projectId, id);
    if (row === null) throw new DomainError('report_not_found');
    const lines = reader.words ? await this.needs.reports.linesOf(id) : [];
    return { ...toReport(row), transcript: lines.map(toLine), sound: await this.needs.sounds.shown(projectId, id) };
  }

  /** The reports of one reporter, newest first. */
  async receipts(projectId: string, reporterUserId: string, page: RowPage): Promise<ReceiptListResponse> {
    const { limit, offset } = page;
    const { rows, total } = await this.page(projectId, { reporterUserId }, page);
    const minor = await this.isMinor(projectId, reporterUserId);
    const service = await this.needs.services.serviceOf(projectId);
    return { reports: rows.map((row) => this.receiptFor(row, { minor, wanted: {}, service })), total, limit, offset };
  }

  /** Throws report_not_found, also for a report of somebody else. */
  async receipt(projectId: string, reporterUserId: string, id: string): Promise<ReportReceipt> {
    const row = await this.needs.reports.find(projectId, id);
    if (row?.reporterUserId !== reporterUserId) throw new DomainError('report_not_found');
    return this.receiptOf(row);
  }

  /** In the language asked for, else that of the report, else the first of the others that there is. */
  async receiptOf(row: ReportRow, wanted: WantedLanguage = {}): Promise<ReportReceipt> {
    const minor = await this.isMinor(row.projectId, row.reporterUserId);
    return this.receiptFor(row, { minor, wanted, service: await this.needs.services.serviceOf(row.projectId) });
  }

  /** As the reporter reads it, for the team. Throws report_not_found. */
  async receiptFrom(projectId: string, id: string, reader: { readonly mayReport: boolean }): Promise<ReportReceipt> {
    const row = await this.needs.reports.find(projectId, id);
    if (row === null) throw new DomainError('report_not_found');
    const receipt = await this.receiptOf(row);
    return reader.mayReport ? receipt : { ...receipt, url: null };
  }

  private receiptFor(row: ReportRow, reader: Pick<ReceiptReader, 'minor' | 'wanted' | 'service'>): ReportReceipt {
    const url = `${this.needs.publicUrl()}/receipts/${this.needs.codes.codeOf(row.id)}`;
    return toReceipt(row, { ...reader, url, now: this.needs.now() });
  }

  private async isMinor(projectId: string, externalUserId: string | null): Promise<boolean> {
    const person = externalUserId === null ? null : await this.needs.people.byEither(projectId, externalUserId);
    return person?.minor === true;
  }

  /** A player token opens every room, so that it takes somebody who was there to have its words and sound stored. */
  private async requireInRoom(projectId: string, roomId: string, externalUserId: string): Promise<void> {
    const { evidence, rooms, now } = this.needs;
    const since = new Date(now().getTime() - evidenceSecondsMax * secondMs);
    if (await evidence.hasBeenIn(projectId, roomId, externalUserId, since)) return;
    // The daemon that has the rooms may be away.
    const here = await rooms.find(projectId, roomId).catch(() => null);
    if (here?.peers.some((peer) => peer.externalUserId === externalUserId) !== true)
      throw new DomainError('report_not_in_room');
  }

  /** Who knows the id of a message may have it from anywhere: its words are stored for those who were there when it was said. */
  private async requireHeard(projectId: string, messageIds: readonly string[], externalUserId: string): Promise<void> {
    for (const { roomId, externalUserId: speaker, saidAt } of await this.needs.evidence.saidIn(projectId, messageIds)) {
      if (speaker === externalUserId) continue;
      const since = new Date(saidAt.getTime() - evidenceSecondsMax * secondMs);
      if (await this.needs.evidence.hasBeenIn(projectId, roomId, externalUserId, since)) continue;
      const here = await this.needs.rooms.find(projectId, roomId).catch(() => null);
      if (here?.peers.some((peer) => peer.externalUserId === externalUserId) !== true)
        throw new DomainError('report_not_heard');
    }
  }

  private async page(projectId: string, filter: Omit<ReportListQuery, keyof RowPage>, page: RowPage) {
    const [rows, total] = await Promise.all([
      this.needs.reports.list(projectId, filter, page),
      this.needs.reports.count(projectId, filter),
    ]);
    return { rows, total };
  }

  /** Returns the transcript that the report refers to, oldest first, and where and when lines belong to it that are yet to come. */
  private async evidenceOf(
    projectId: string,
    { roomId, evidence }: PlayerReportRequest,
  ): Promise<{ readonly lines: TranscriptLine[]; readonly spans: EvidenceSpan[] }> {
    const { messageIds = [], lastSeconds } = evidence ?? {};
    const sentAt = this.needs.now();
    const keptUntil = new Date(sentAt.getTime() + lateMs);
    const last =
      roomId === undefined || lastSeconds === undefined
        ? null
        : { roomId, since: new Date(sentAt.getTime() - lastSeconds * secondMs), until: sentAt };
    const here = last === null ? null : await this.needs.sessions.activeIn(projectId, last.roomId);
    const session = last === null || here === null ? null : { id: here.id, ...last };
    const said = await this.needs.evidence.around(projectId, { messageIds, session });
    const named = said.filter(({ id }) => messageIds.includes(id));
    const rooms = await this.needs.sessions.allRoomsOf(projectId, [...new Set(named.map((one) => one.sessionId))]);
    const besides = named.flatMap(({ sessionId, timestamp }) => {
      const { from, to } = this.needs.evidence.spanAround(timestamp);
      const spoken = rooms.get(sessionId);
      return spoken === undefined ? [] : [{ roomId: spoken, since: from, until: to < sentAt ? to : sentAt }];
    });
    return {
      lines: said.map(({ id, externalUserId, senderName, content, timestamp, asr }) => ({
        ...{ messageId: id, projectId, externalUserId, senderName, content },
        asrReport: jsonTextOrNull(asr),
        saidAt: timestamp,
        isNamed: messageIds.includes(id),
      })),
      spans: [...(last === null ? [] : [last]), ...besides].map((span) => ({ ...span, projectId, keptUntil })),
    };
  }
}
