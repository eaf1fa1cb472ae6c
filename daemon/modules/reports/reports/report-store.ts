/** Rows of reports, and of the transcript that is kept with them. */
import type { MadeQuery } from '../../../../src/contract/common.js';
import { ReviewDecision } from '../../../../src/contract/moderation/review-decision.js';
import { DecidedBy } from '../../../../src/contract/moderation/statement-basis.js';
import {
  type AnnouncedReport,
  type Report,
  type ReportLine,
  type ReportListQuery,
  ReportOutcome,
  ReportSource,
  ReportStatus,
} from '../../../../src/contract/reports/reports.js';
import { AsrReport } from '../../../../src/contract/sessions/sessions.js';
import { addTo } from '../../../platform/collections/add-to.js';
import { compareText } from '../../../platform/database/bulk-rows.js';
import { jsonOrNull, timeOrNull } from '../../../platform/database/column-values.js';
import { type Database, idsAtOnce, type Reader, type Transaction } from '../../../platform/database/database.js';
import { sqlTime } from '../../../platform/database/dialect.js';
import { madeWithin } from '../../../platform/database/made-within.js';
import { withIds } from '../../../platform/database/row-ids.js';
import { lockRow } from '../../../platform/database/row-lock.js';
import { newestFirst, type RowPage } from '../../../platform/database/row-page.js';
import { rowsAtOnce, slicesOf } from '../../../platform/database/slices.js';
import { changesBetween } from '../../../platform/events/log.js';
import type { NewEvent } from '../../../platform/events/logged.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import { dayMs } from '../../../platform/time/spans.js';
import { type DecidedShare, noShare } from '../reporters/reliability.js';
import {
  countReporters,
  lockOpenReports,
  lockReports,
  repeatedReports,
  reportKeys,
  reportPlaces,
  reportRepeats,
  reportRows,
} from '../sql.js';

export interface ReportRow {
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly source: string;
  readonly category: string;
  readonly externalUserId: string | null;
  readonly roomId: string | null;
  readonly reporterUserId: string | null;
  readonly words: string | null;
  readonly language: string | null;
  /** Seconds of what was said in the room that the reporter attached; null: none. */
  readonly lastSeconds: number | null;
  readonly repeats: number;
  readonly status: string;
  readonly outcome: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly decidedAt: Date | null;
  readonly caseId: string | null;
  readonly weight: number;
  readonly isBrigaded: boolean;
  readonly noticeFrom: string | null;
  readonly noticeReference: string | null;
  readonly isTrustedFlagger: boolean;
  readonly receivedAt: Date | null;
  readonly decidedBy: string | null;
  /** When it was decided; null as long as it is not, or a complaint waits. */
  readonly closedAt: Date | null;
  readonly complainedAt: Date | null;
  readonly complaint: string | null;
  /** The case whose decision the complaint is about. */
  readonly complaintCaseId: string | null;
  readonly complaintDecision: string | null;
  readonly complaintAnswer: string | null;
  readonly complaintDecidedAt: Date | null;
  readonly complaintDecidedByUserId: string | null;
}

/** The fields of a report that nobody has decided. */
export const undecidedReport = {
  ...{ status: 'open', outcome: null, decidedAt: null, decidedBy: null, closedAt: null },
} as const;
/** The fields of a report about whose decision nobody has complained. */
export const withoutComplaint = {
  ...{ complainedAt: null, complaint: null, complaintCaseId: null, complaintDecision: null },
  ...{ complaintAnswer: null, complaintDecidedAt: null, complaintDecidedByUserId: null },
} as const;

export interface ReportLineRow {
  readonly reportId: string;
  readonly messageId: string;
  readonly projectId: string;
  readonly externalUserId: string | null;
  readonly senderName: string;
  readonly content: string;
  readonly saidAt: Date;
  readonly isNamed: boolean;
  /** JSON of AsrReport. */
  readonly asrReport: string | null;
}

export const toReport = ({
  isBrigaded,
  isTrustedFlagger,
  lastSeconds: _,
  closedAt: __,
  complaintCaseId: ___,
  ...row
}: ReportRow): Report => ({
  ...row,
  decidedBy: DecidedBy.nullable().parse(row.decidedBy),
  complainedAt: timeOrNull(row.complainedAt),
  complaintDecision: ReviewDecision.nullable().parse(row.complaintDecision),
  complaintDecidedAt: timeOrNull(row.complaintDecidedAt),
  trustedFlagger: isTrustedFlagger,
  receivedAt: timeOrNull(row.receivedAt),
  brigaded: isBrigaded,
  source: ReportSource.parse(row.source),
  status: ReportStatus.parse(row.status),
  outcome: ReportOutcome.nullable().parse(row.outcome),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  decidedAt: timeOrNull(row.decidedAt),
});

/** Form in events. */
function toAnnounced(row: ReportRow): AnnouncedReport {
  const {
    reporterUserId: _,
    words: __,
    weight: ___,
    noticeFrom: ____,
    noticeReference: _____,
    complaint: ______,
    complaintAnswer: _______,
    ...rest
  } = toReport(row);
  return rest;
}

export const toLine = ({
  messageId,
  externalUserId,
  senderName,
  content,
  saidAt,
  isNamed,
  asrReport,
}: ReportLineRow): ReportLine => ({
  ...{ messageId, externalUserId, senderName, content },
  saidAt: saidAt.toISOString(),
  named: isNamed,
  asr: AsrReport.nullable().parse(jsonOrNull(asrReport)),
});

type ReportFilter = Pick<
  ReportListQuery,
  'status' | 'category' | 'externalUserId' | 'reporterUserId' | 'caseId' | 'complaint' | 'since' | 'until'
>;
const complained = { complainedAt: { not: null } } as const;
const complaintsIn = {
  waiting: { ...complained, complaintDecidedAt: null },
  decided: { ...complained, complaintDecidedAt: { not: null } },
} as const;
const whereOf = (projectId: string, { since, until, complaint, ...fields }: ReportFilter) => ({
  projectId,
  ...fields,
  ...(complaint === undefined ? {} : complaintsIn[complaint]),
  ...madeWithin({ since, until }),
});

/** What a reporter may have reported before. */
type RepeatedReport = Pick<ReportRow, 'externalUserId' | 'roomId'> & { readonly reporterUserId: string };

/** The same for all that one reporter says about one person, or about one room where no person is named. */
export const repeatedKey = ({
  reporterUserId,
  externalUserId,
  roomId,
}: Pick<ReportRow, 'reporterUserId' | 'externalUserId' | 'roomId'>): string =>
  JSON.stringify([reporterUserId, externalUserId, externalUserId === null ? roomId : null]);

export const reportEvent = (
  type: 'report.created' | 'report.updated',
  row: ReportRow,
  before?: ReportRow,
): NewEvent => ({
  type,
  tenantId: row.tenantId,
  projectId: row.projectId,
  resourceId: `report:${row.id}`,
  action: type === 'report.created' ? 'created' : 'updated',
  data: toAnnounced(row),
  ...(before === undefined ? {} : { changes: changesBetween(toAnnounced(before), toAnnounced(row)) ?? {} }),
  subjectUserId: row.externalUserId,
});

/** Reports about one person that are looked at together. */
const togetherMax = 200;

const together = { id: true, caseId: true, externalUserId: true, reporterUserId: true, isBrigaded: true, weight: true };
/** What shows whether reports came together. */
export type TogetherRow = Pick<ReportRow, keyof typeof together>;

/** A time in a room whose words are evidence of a report. */
export interface ReportSpanRow {
  readonly reportId: string;
  readonly projectId: string;
  readonly roomId: string;
  readonly since: Date;
  readonly until: Date;
  /** Lines that are recognised until then are added. */
  readonly keptUntil: Date;
}

const someIds = { select: { id: true }, take: rowsAtOnce } as const;

export class ReportStore {
  /** @param soundDays that the sound of a report is kept after its decision */
  constructor(
    private readonly database: Database,
    private readonly soundDays: () => number,
  ) {}

  /** When the sound of a decided report is deleted; null: with the report, which stays while its sanction can be appealed against. */
  soundEnd = (decidedAt: Date, outcome: string | null): Date | null =>
    outcome === 'action_taken' ? null : new Date(decidedAt.getTime() + this.soundDays() * dayMs);

  async insertAll(tx: Transaction, rows: readonly ReportRow[]): Promise<void> {
    const { dialect } = this.database;
    await this.database.write(tx, reportRows.insertPrepared(dialect), await reportRows.prepare(dialect, rows));
  }

  /** Stores to which case reports belong, and whether they came together. */
  async place(tx: Transaction, rows: readonly ReportRow[]): Promise<void> {
    const { dialect } = this.database;
    const prepared = await reportPlaces.prepare(dialect, rows);
    await this.database.write(tx, reportPlaces.updatePrepared(dialect, ['id']), prepared);
  }

  async setRepeats(tx: Transaction, rows: readonly ReportRow[]): Promise<void> {
    const { dialect } = this.database;
    const prepared = await reportRepeats.prepare(dialect, rows);
    await this.database.write(tx, reportRepeats.updatePrepared(dialect, ['id']), prepared);
  }

  /** Locks the report until the transaction has ended, and returns it. */
  async lock(tx: Transaction, projectId: string, id: string): Promise<ReportRow | null> {
    await lockRow(tx, this.database.dialect, 'Report', id);
    return this.find(projectId, id, tx);
  }

  /**
   * The newest undecided report of each of these keys since a time, locked until the transaction has ended, by `repeatedKey`.
   * Their cases are locked before: whoever decides one locks it, then its reports.
   */
  async lockRepeated(
    tx: Transaction,
    projectId: string,
    keys: readonly RepeatedReport[],
    since: Date,
    lockCases: (tx: Transaction, projectId: string, ids: readonly string[]) => Promise<void>,
  ): Promise<Map<string, ReportRow>> {
    if (keys.length === 0) return new Map();
    const { dialect } = this.database;
    const found = await tx.$queryRawUnsafe<{ id: string; caseId: string | null }[]>(
      repeatedReports[dialect],
      ...[reportKeys.text(keys), projectId, sqlTime(since)],
    );
    const ids = found.map(({ id }) => id);
    if (ids.length === 0) return new Map();
    await lockCases(tx, projectId, [...new Set(found.flatMap(({ caseId }) => caseId ?? []))].sort(compareText));
    if (dialect === 'postgresql') await tx.$queryRawUnsafe(lockReports, JSON.stringify(ids));
    const rows = await tx.report.findMany({ where: { id: { in: ids }, status: 'open' }, orderBy: { id: 'asc' } });
    return new Map(rows.map((row) => [repeatedKey(row), row]));
  }

  /** Stores lines that the report does not have yet, up to `max` in all; those that it has may be named now. */
  async addLines(tx: Transaction, reportId: string, lines: readonly ReportLineRow[], max: number): Promise<void> {
    if (lines.length === 0) return;
    const stored = await tx.reportLine.findMany({ where: { reportId }, select: { messageId: true } });
    const known = new Set(stored.map(({ messageId }) => messageId));
    const data = lines.filter(({ messageId }) => !known.has(messageId)).slice(0, Math.max(0, max - known.size));
    if (data.length > 0) await tx.reportLine.createMany({ data });
    const named = lines.flatMap(({ messageId, isNamed }) => (isNamed && known.has(messageId) ? [messageId] : []));
    if (named.length === 0) return;
    await tx.reportLine.updateMany({ where: { reportId, messageId: { in: named } }, data: { isNamed: true } });
  }

  /** The stored notice of this reference. */
  noticed = (tx: Transaction, projectId: string, noticeFrom: string, noticeReference: string) =>
    tx.report.findFirst({ where: { projectId, noticeFrom, noticeReference } });

  find = (
    projectId: string,
    id: string,
    reader: Reader | Transaction = this.database.read,
  ): Promise<ReportRow | null> => reader.report.findFirst({ where: { projectId, id } });

  linesOf = (reportId: string): Promise<ReportLineRow[]> =>
    this.database.read.reportLine.findMany({ where: { reportId }, orderBy: [{ saidAt: 'asc' }, { messageId: 'asc' }] });

  /** Newest first. */
  list = (projectId: string, filter: ReportFilter, page: RowPage): Promise<ReportRow[]> =>
    this.database.read.report.findMany(newestFirst(whereOf(projectId, filter), page));

  count = (projectId: string, filter: ReportFilter): Promise<number> =>
    this.database.read.report.count({ where: whereOf(projectId, filter) });

  /** Those of these people who have reported something already, by case. */
  reportersAmong = (tx: Transaction, caseIds: readonly string[], people: readonly string[]) =>
    tx.report.groupBy({
      by: ['caseId', 'reporterUserId'],
      where: { caseId: { in: [...caseIds] }, reporterUserId: { in: [...people] } },
    });

  async markBrigaded(tx: Transaction, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await tx.report.updateMany({ where: { id: { in: [...ids] } }, data: { isBrigaded: true } });
  }

  /** How many people have reported each of these people since a time. */
  async countReporters(tx: Transaction, projectId: string, people: readonly string[], since: Date) {
    const rows = await tx.$queryRawUnsafe<{ externalUserId: string; reporters: number | bigint }[]>(
      countReporters[this.database.dialect],
      ...[projectId, sqlTime(since), JSON.stringify(people)],
    );
    return new Map(rows.map(({ externalUserId, reporters }) => [externalUserId, Number(reporters)]));
  }

  /** How many cases with a report of each of these people were decided since a time, and how many as unfounded. */
  async decidedShares(
    projectId: string,
    people: readonly string[],
    since: Date,
    reader: Reader | Transaction = this.database.read,
  ): Promise<Map<string, DecidedShare>> {
    const shares = new Map<string, DecidedShare>();
    for (const slice of slicesOf(people)) {
      const where = { projectId, reporterUserId: { in: [...slice] }, status: 'decided', decidedAt: { gt: since } };
      for (const { reporterUserId, outcome } of await reader.report.groupBy({
        ...{ by: ['reporterUserId', 'caseId', 'outcome'], where },
      })) {
        const { decided, unfounded } = shares.get(reporterUserId ?? '') ?? noShare;
        const share = { decided: decided + 1, unfounded: unfounded + (outcome === 'unfounded' ? 1 : 0) };
        shares.set(reporterUserId ?? '', share);
      }
    }
    return new Map(people.map((one) => [one, shares.get(one) ?? noShare]));
  }

  /** Who has reported a person since a time. */
  async reportersSince(tx: Transaction, projectId: string, externalUserId: string, since: Date): Promise<string[]> {
    const where = { projectId, externalUserId, createdAt: { gt: since }, reporterUserId: { not: null } };
    const groups = await tx.report.groupBy({ by: ['reporterUserId'], where });
    return groups.flatMap(({ reporterUserId }) => reporterUserId ?? []);
  }

  /** The people who made the reports of a case, up to `take`. */
  async reportersOf(caseId: string, take: number): Promise<string[]> {
    const where = { caseId, reporterUserId: { not: null } };
    const groups = await this.database.read.report.groupBy({
      ...{ by: ['reporterUserId'], where, orderBy: { reporterUserId: 'asc' }, take },
    });
    return groups.flatMap(({ reporterUserId }) => reporterUserId ?? []);
  }

  /** Whom these people have reported since a time, with who of them did. */
  async reportedBy(projectId: string, reporters: readonly string[], since: Date): Promise<Map<string, string[]>> {
    const groups = await this.database.read.report.groupBy({
      by: ['externalUserId', 'reporterUserId'],
      where: {
        projectId,
        reporterUserId: { in: [...reporters] },
        externalUserId: { not: null },
        createdAt: { gt: since },
      },
    });
    const found = new Map<string, string[]>();
    for (const { externalUserId, reporterUserId } of groups)
      if (externalUserId !== null && reporterUserId !== null) addTo(found, externalUserId, reporterUserId);
    return found;
  }

  /** The weights of the reports of a case that are marked as brigaded. */
  async brigadedWeights(tx: Transaction, caseId: string): Promise<number[]> {
    const rows = await tx.report.findMany({ where: { caseId, isBrigaded: true }, select: { weight: true } });
    return rows.map(({ weight }) => weight);
  }

  /** Reports about these people since a time that are not marked as brigaded. */
  unmarked = (tx: Transaction, projectId: string, people: readonly string[], since: Date): Promise<TogetherRow[]> =>
    tx.report.findMany({
      where: { projectId, externalUserId: { in: [...people] }, createdAt: { gt: since }, isBrigaded: false },
      select: together,
    });

  latestIn = (tx: Transaction, caseId: string): Promise<TogetherRow[]> =>
    tx.report.findMany({ where: { caseId }, orderBy: { id: 'desc' }, take: togetherMax, select: together });

  /** What the undecided reports of a case say about its person: how many there are, since when, and the lines that they name. */
  async madeAbout(caseId: string, externalUserId: string | null) {
    const where = { caseId, externalUserId, status: 'open' };
    const [groups, lines] = await Promise.all([
      this.database.read.report.groupBy({
        by: ['isTrustedFlagger'],
        where,
        _count: true,
        _min: { createdAt: true, receivedAt: true },
      }),
      this.database.read.reportLine.findMany({
        where: { report: where, isNamed: true, externalUserId },
        orderBy: [{ saidAt: 'asc' }, { messageId: 'asc' }],
        select: { messageId: true },
        take: rowsAtOnce,
      }),
    ]);
    const times = groups.flatMap(({ _min }) => [_min.createdAt, _min.receivedAt]).filter((time) => time !== null);
    return {
      count: groups.reduce((sum, { _count }) => sum + _count, 0),
      isTrusted: groups.some(({ isTrustedFlagger }) => isTrustedFlagger),
      firstAt: times.sort((a, b) => a.getTime() - b.getTime())[0] ?? null,
      messageIds: [...new Set(lines.map(({ messageId }) => messageId))],
    };
  }

  /** Oldest first. */
  /** The newest first. */
  inCase = (caseId: string, take: number): Promise<ReportRow[]> =>
    this.database.read.report.findMany({ where: { caseId }, orderBy: { id: 'desc' }, take });

  /** The people whom these reports of a case are about. */
  targetsIn = (tx: Transaction, caseId: string, ids: readonly string[]) =>
    tx.report.findMany({ where: { caseId, id: { in: [...ids] } }, select: { externalUserId: true, roomId: true } });

  /** Moves reports to another case, all or those named; returns how many. */
  async moveCase(tx: Transaction, from: string, to: string, ids: readonly string[] | null): Promise<number> {
    const where = { caseId: from, ...(ids === null ? {} : { id: { in: [...ids] } }) };
    return (await tx.report.updateMany({ where, data: { caseId: to } })).count;
  }

  /** The people whom the undecided reports of a case are about. */
  async openAbout(tx: Transaction, caseId: string): Promise<(string | null)[]> {
    const groups = await tx.report.groupBy({ by: ['externalUserId'], where: { caseId, status: 'open' } });
    return groups.map(({ externalUserId }) => externalUserId);
  }

  /** Moves the undecided reports about a person to another case. */
  async moveOpenAbout(tx: Transaction, from: string, to: string, externalUserId: string): Promise<void> {
    await tx.report.updateMany({ where: { caseId: from, externalUserId, status: 'open' }, data: { caseId: to } });
  }

  async addSpans(tx: Transaction, spans: readonly ReportSpanRow[]): Promise<void> {
    if (spans.length > 0) await tx.reportSpan.createMany({ data: spans.map((span) => ({ id: uuidv7(), ...span })) });
  }

  /** The newest spans in these rooms that take in some of a time, as far as lines are still added to them. */
  spansIn = (projectId: string, roomIds: readonly string[], { from, to, now }: Record<'from' | 'to' | 'now', Date>) =>
    this.database.read.reportSpan.findMany({
      where: {
        ...{ projectId, roomId: { in: [...roomIds] }, keptUntil: { gt: now } },
        ...{ since: { lte: to }, until: { gte: from } },
      },
      orderBy: { id: 'desc' },
      take: rowsAtOnce,
    });

  /** The spans of these reports, as far as lines are still added to them. */
  spansOf = (projectId: string, reportIds: readonly string[], now: Date) =>
    this.database.read.reportSpan.findMany({
      where: { projectId, reportId: { in: [...reportIds] }, keptUntil: { gt: now } },
    });

  /** Returns which of these messages the report does not have. */
  async missing(projectId: string, reportId: string, messageIds: readonly string[]): Promise<string[]> {
    const where = { projectId, reportId, messageId: { in: [...messageIds] } };
    const rows = await this.database.read.reportLine.findMany({ where, select: { messageId: true } });
    const known = new Set(rows.map(({ messageId }) => messageId));
    return messageIds.filter((id) => !known.has(id));
  }

  /** Reports of a case, counted by category and by whether they came together, and when the first of them came. */
  async tally(tx: Transaction, caseId: string) {
    const by = ['category', 'isBrigaded', 'isTrustedFlagger'] as const;
    const measured = { _sum: { weight: true }, _min: { createdAt: true }, _count: true } as const;
    const groups = await tx.report.groupBy({ by: [...by], where: { caseId }, ...measured });
    return groups.map(({ category, isBrigaded, isTrustedFlagger, _sum, _min, _count: count }) => ({
      ...{ category, isBrigaded, isTrustedFlagger, count },
      weight: _sum.weight ?? 0,
      firstAt: _min.createdAt ?? new Date(0),
    }));
  }

  /** Everybody who reported or is reported in a case or in one of its reports, or said or wrote what is stored with them. */
  async peopleIn(tx: Transaction, caseId: string, reportId?: string): Promise<string[]> {
    const where = { caseId, ...(reportId === undefined ? {} : { id: reportId }) };
    const reports = await tx.report.findMany({ where, select: { externalUserId: true, reporterUserId: true } });
    const by = ['externalUserId'] as const;
    const lines = await tx.reportLine.groupBy({ by: [...by], where: { report: where } });
    const sounds = await tx.reportSound.groupBy({ by: [...by], where: { report: where } });
    const named = reports.flatMap(({ externalUserId, reporterUserId }) => [externalUserId, reporterUserId]);
    const all = [...named, ...[...lines, ...sounds].map(({ externalUserId }) => externalUserId)];
    return [...new Set(all.filter((one) => one !== null))].sort();
  }

  /** How many people made the reports of a case; each report without a reporter counts as one. */
  async reportersIn(tx: Transaction, caseId: string): Promise<number> {
    const groups = await tx.report.groupBy({ by: ['reporterUserId'], where: { caseId }, _count: true });
    return groups.reduce((sum, { reporterUserId, _count }) => sum + (reporterUserId === null ? _count : 1), 0);
  }

  /**
   * Gives the decided reports of these cases another outcome; returns them as they were and are. Whoever decided them before did not
   * decide that.
   */
  async turn(
    tx: Transaction,
    caseIds: readonly string[],
    { from, to }: { readonly from: ReportOutcome; readonly to: ReportOutcome },
    updatedAt: Date,
  ) {
    const turned = [];
    for (const part of slicesOf(caseIds, idsAtOnce)) {
      const where = { caseId: { in: [...part] }, outcome: from };
      const were = new Map((await tx.report.findMany({ where })).map((row) => [row.id, row]));
      const data = { outcome: to, decidedBy: null, updatedAt };
      const rows = await tx.report.updateManyAndReturn({ where, data });
      const report = { caseId: where.caseId, outcome: to, updatedAt };
      await tx.reportSound.updateMany({ where: { report }, data: { keptUntil: this.soundEnd(updatedAt, to) } });
      turned.push(...rows.map((after) => ({ before: were.get(after.id) ?? { ...after, outcome: from }, after })));
    }
    return turned;
  }

  update = (tx: Transaction, id: string, fields: Partial<ReportRow>): Promise<ReportRow> =>
    tx.report.update({ where: { id }, data: fields });

  byId = (id: string): Promise<ReportRow | null> => this.database.read.report.findUnique({ where: { id } });

  /** Keeps the sound of a report until it is decided on; from then on as long as that of every decided report. */
  async keepSound(
    tx: Transaction,
    { id: reportId, outcome }: Pick<ReportRow, 'id' | 'outcome'>,
    decidedAt: Date | null,
  ): Promise<void> {
    const keptUntil = decidedAt === null ? null : this.soundEnd(decidedAt, outcome);
    await tx.reportSound.updateMany({ where: { reportId }, data: { decidedAt, keptUntil } });
  }

  /** The reports about whose decisions complaints wait in a case. */
  complaintsIn = (ids: readonly string[], reader: Reader | Transaction = this.database.read): Promise<ReportRow[]> =>
    ids.length === 0
      ? Promise.resolve([])
      : reader.report.findMany({ where: { id: { in: [...ids] }, ...complaintsIn.waiting }, orderBy: { id: 'asc' } });

  /** Opens the reports of a case again that were decided with it, from a time on; returns them as they were and are. */
  async reopen(tx: Transaction, caseId: string, decidedSince: Date, updatedAt: Date) {
    const where = { caseId, status: 'decided', decidedAt: { gte: decidedSince } };
    const decided = await tx.report.findMany({ where, orderBy: { id: 'asc' } });
    await tx.reportSound.updateMany({ where: { report: where }, data: { decidedAt: null, keptUntil: null } });
    await tx.report.updateMany({ where, data: { ...undecidedReport, updatedAt } });
    return decided.map((before) => ({ before, after: { ...before, ...undecidedReport, updatedAt } }));
  }

  /** The cases in which reports of a case were decided that are open again because of a complaint. */
  async reopenedFrom(tx: Transaction, caseId: string): Promise<string[]> {
    const where = { caseId, status: 'open', complaintDecision: 'overturned' };
    const rows = await tx.report.findMany({ where, select: { complaintCaseId: true } });
    return [...new Set(rows.flatMap(({ complaintCaseId }) => complaintCaseId ?? []))];
  }

  /** Decides the open reports of a case; returns them as they were and are. */
  async decide(
    tx: Transaction,
    caseId: string,
    { outcome, decidedBy }: { readonly outcome: ReportOutcome; readonly decidedBy: DecidedBy | null },
    now: Date,
  ) {
    if (this.database.dialect === 'postgresql') await tx.$queryRawUnsafe(lockOpenReports, caseId);
    const open = await tx.report.findMany({ where: { caseId, status: 'open' }, orderBy: { id: 'asc' } });
    const decided = { status: 'decided', outcome, decidedBy, decidedAt: now, closedAt: now, updatedAt: now };
    const sound = { decidedAt: now, keptUntil: this.soundEnd(now, outcome) };
    await tx.reportSound.updateMany({ where: { report: { caseId, status: 'open' } }, data: sound });
    await tx.report.updateMany({ where: { caseId, status: 'open' }, data: decided });
    return open.map((before) => ({ before, after: { ...before, ...decided } }));
  }

  /** Returns whom most of the reports made in this time are about, up to `take`. */
  async mostReported(projectId: string, made: MadeQuery, take: number) {
    const rows = await this.database.read.report.groupBy({
      by: ['externalUserId'],
      where: { projectId, externalUserId: { not: null }, ...madeWithin(made) },
      _count: { externalUserId: true },
      orderBy: [{ _count: { externalUserId: 'desc' } }, { externalUserId: 'asc' }],
      take,
    });
    return rows.flatMap(({ externalUserId, _count }) =>
      externalUserId === null ? [] : [{ externalUserId, reports: _count.externalUserId }],
    );
  }

  /** Returns how many reports are about each of some people, by external user id. */
  async countAbout(projectId: string, externalUserIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.database.read.report.groupBy({
      by: ['externalUserId'],
      where: { projectId, externalUserId: { in: [...externalUserIds] } },
      _count: { _all: true },
    });
    return new Map(rows.map(({ externalUserId, _count }) => [externalUserId ?? '', _count._all]));
  }

  /** Takes a person out of some reports about them, and of some by them; returns how many. */
  async eraseSome(tx: Transaction, projectId: string, externalUserId: string): Promise<number> {
    const about = await tx.report.findMany({ where: { projectId, externalUserId }, ...someIds });
    await tx.reportLine.deleteMany({ where: { reportId: { in: about.map(({ id }) => id) } } });
    await tx.reportSound.deleteMany({ where: { reportId: { in: about.map(({ id }) => id) } } });
    await tx.reportSpan.deleteMany({ where: { reportId: { in: about.map(({ id }) => id) } } });
    const silent = { words: null, complaint: null, complaintAnswer: null };
    const nobody = { externalUserId: null, ...silent };
    const erased = await tx.report.updateMany({ ...withIds(about), data: nobody });
    const by = await tx.report.findMany({ where: { projectId, reporterUserId: externalUserId }, ...someIds });
    const gone = await tx.report.updateMany({ ...withIds(by), data: { reporterUserId: null, ...silent } });
    return erased.count + gone.count;
  }

  /**
   * Renames a person in both columns. Nobody reports themselves: what one of two reported about the other loses its reporter, as
   * by an erasure. Returns the undecided cases in which two reporters have become one.
   */
  async rename(tx: Transaction, projectId: string, from: string, to: string): Promise<string[]> {
    await tx.report.updateMany({ where: { projectId, externalUserId: from }, data: { externalUserId: to } });
    await tx.report.updateMany({ where: { projectId, reporterUserId: from }, data: { reporterUserId: to } });
    const own = { projectId, externalUserId: to, reporterUserId: to };
    const nobody = { reporterUserId: null, words: null, complaint: null, complaintAnswer: null };
    await tx.report.updateMany({ where: own, data: nobody });
    const groups = await tx.report.groupBy({
      by: ['caseId'],
      where: { projectId, reporterUserId: to, status: 'open', caseId: { not: null } },
      _count: true,
    });
    return groups.flatMap(({ caseId, _count }) => (caseId === null || _count < 2 ? [] : [caseId])).sort();
  }
}
