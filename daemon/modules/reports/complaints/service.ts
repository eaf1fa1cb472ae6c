/**
 * Complaints of reporters about decisions on their reports: Regulation (EU) 2022/2065, Article 20. A complaint waits in the case of
 * the person or the room that the report is about, and somebody decides it who did not decide the report.
 */
import { DomainError } from '../../../../src/contract/errors.js';
import type { DecideComplaintRequest, Report, ReportReceipt } from '../../../../src/contract/reports/reports.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import type { EventLog } from '../../../platform/events/log.js';
import type { Member, ProjectGrant } from '../../../platform/http/caller.js';
import type { ResourceCodes } from '../../../platform/secrets/resource-codes.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { AccountDirectory } from '../../identity/directory.js';
import type { WantedLanguage } from '../../moderation/standing/statements.js';
import type { ParticipantDirectory } from '../../people/directory.js';
import type { ProjectStore } from '../../projects/store.js';
import type { CaseStore } from '../cases/case-store.js';
import type { CaseIntake } from '../cases/intake.js';
import { verdictOf } from '../cases/verdict.js';
import type { ReporterService } from '../reporters/service.js';
import { complainableUntil, hasTarget } from '../reports/receipts.js';
import { type ReportRow, type ReportStore, reportEvent, toReport, undecidedReport } from '../reports/report-store.js';
import type { ReportService } from '../reports/service.js';
import type { ReportSettingsService } from '../settings/service.js';

interface ComplaintNeeds {
  readonly database: Database;
  readonly log: Pick<EventLog, 'append'>;
  readonly reports: ReportStore;
  readonly cases: Pick<CaseStore, 'decidersOf' | 'find' | 'lockOfReview'>;
  readonly intake: Pick<CaseIntake, 'addReviews' | 'addReports' | 'reviewsDecided' | 'timeAnew'>;
  readonly receipts: Pick<ReportService, 'receipt' | 'receiptOf'>;
  readonly reporters: Pick<ReporterService, 'discount'>;
  readonly settings: Pick<ReportSettingsService, 'categoriesOf'>;
  readonly accounts: Pick<AccountDirectory, 'behind'>;
  readonly people: Pick<ParticipantDirectory, 'lock'>;
  readonly projects: Pick<ProjectStore, 'isOpen'>;
  readonly codes: ResourceCodes;
  readonly now: Clock;
}

export class ComplaintService {
  constructor(private readonly needs: ComplaintNeeds) {}

  /**
   * Answers without the address of the page, because the answer is kept for repeats. Throws report_not_found,
   * report_undecided, report_already_complained, complaint_too_late.
   */
  async ofPlayer(
    { projectId, externalUserId }: { readonly projectId: string; readonly externalUserId: string },
    id: string,
    statement: string,
  ): Promise<ReportReceipt> {
    await this.needs.receipts.receipt(projectId, externalUserId, id);
    const row = await this.needs.reports.find(projectId, id);
    if (row === null) throw new DomainError('report_not_found');
    return { ...(await this.complain(row, statement)), url: null };
  }

  /** Throws receipt_code_invalid. */
  async byCode(code: string, language?: WantedLanguage): Promise<ReportReceipt> {
    return this.needs.receipts.receiptOf(await this.rowOf(code), language);
  }

  /** Throws receipt_code_invalid, report_undecided, report_already_complained, complaint_too_late. */
  async complainByCode(code: string, statement: string): Promise<ReportReceipt> {
    return this.complain(await this.rowOf(code), statement);
  }

  /**
   * Throws report_not_found, complaint_not_waiting, appeal_person_required, complaint_own_decision.
   *
   * An overturned complaint opens the report again, in the undecided case of its person or room.
   */
  async decide(
    { projectId, tenantId }: Pick<ProjectGrant, 'projectId' | 'tenantId'>,
    id: string,
    by: Pick<Member, 'id' | 'kind'>,
    { decision, answer }: DecideComplaintRequest,
  ): Promise<Report> {
    if (by.kind !== 'user') throw new DomainError('appeal_person_required');
    const known = await this.needs.reports.find(projectId, id);
    if (known === null) throw new DomainError('report_not_found');
    const stored = await this.needs.database.transaction(async (tx) => {
      if (known.externalUserId !== null) await this.needs.people.lock(tx, projectId, [known.externalUserId]);
      await this.needs.cases.lockOfReview(tx, projectId, id);
      const before = await this.needs.reports.lock(tx, projectId, id);
      if (before === null) throw new DomainError('report_not_found');
      if (before.complainedAt === null || before.complaintDecidedAt !== null)
        throw new DomainError('complaint_not_waiting');
      await this.requireOther(tx, before, by.id);
      const now = this.needs.now();
      const answered = { complaintDecision: decision, complaintAnswer: answer, complaintDecidedAt: now };
      const fields = { ...answered, complaintDecidedByUserId: by.id, updatedAt: now };
      const isOpenAgain = decision === 'overturned';
      const after = await this.needs.reports.update(tx, id, {
        ...fields,
        ...(isOpenAgain ? undecidedReport : { closedAt: now }),
      });
      await this.needs.reports.keepSound(tx, before, isOpenAgain ? null : now);
      const placed = isOpenAgain ? await this.reopened(tx, { projectId, tenantId }, before, after) : after;
      await this.needs.intake.reviewsDecided(tx, projectId, [id], by.id);
      if (isOpenAgain) {
        const { goalHours } = (await this.needs.settings.categoriesOf(tx, projectId))(placed.category);
        await this.needs.intake.timeAnew(tx, placed, goalHours);
      }
      await this.needs.log.append(tx, reportEvent('report.updated', placed, before));
      return placed;
    });
    return toReport(stored);
  }

  /** Puts the report into the undecided case; its former decision no longer counts for its reporter. */
  private async reopened(
    tx: Transaction,
    project: Pick<ProjectGrant, 'projectId' | 'tenantId'>,
    { complaintCaseId, reporterUserId }: ReportRow,
    after: ReportRow,
  ): Promise<ReportRow> {
    const { projectId } = project;
    const former = complaintCaseId === null ? null : await this.needs.cases.find(projectId, complaintCaseId, tx);
    const verdict = former === null ? null : verdictOf(former);
    if (verdict !== null && reporterUserId !== null)
      await this.needs.reporters.discount(tx, project, new Set([reporterUserId]), verdict);
    const categories = await this.needs.settings.categoriesOf(tx, projectId);
    const [placed = after] = await this.needs.intake.addReports(tx, projectId, [after], categories);
    return placed;
  }

  private async requireOther(tx: Transaction, { projectId, complaintCaseId }: ReportRow, by: string): Promise<void> {
    if (complaintCaseId === null) return;
    const deciders = await this.needs.cases.decidersOf(tx, projectId, [complaintCaseId]);
    if ((await this.needs.accounts.behind(tx, deciders)).has(by)) throw new DomainError('complaint_own_decision');
  }

  private async complain({ projectId, id, ...known }: ReportRow, statement: string): Promise<ReportReceipt> {
    const stored = await this.needs.database.transaction(async (tx) => {
      // As an erasure locks them.
      const people = [known.externalUserId, known.reporterUserId].flatMap((one) => one ?? []);
      if (people.length > 0) await this.needs.people.lock(tx, projectId, people.sort());
      const before = await this.needs.reports.lock(tx, projectId, id);
      if (before === null) throw new DomainError('report_not_found');
      const now = this.needs.now();
      if (before.complainedAt !== null) throw new DomainError('report_already_complained');
      if (before.decidedAt === null) throw new DomainError('report_undecided');
      if (!hasTarget(before) || complainableUntil(before.decidedAt) < now) throw new DomainError('complaint_too_late');
      const after = await this.needs.reports.update(tx, id, {
        ...{ complainedAt: now, complaint: statement, complaintCaseId: before.caseId },
        ...{ closedAt: null, updatedAt: now },
      });
      await this.needs.reports.keepSound(tx, before, null);
      await this.needs.intake.addReviews(tx, [{ ...after, kind: 'complaint' }]);
      await this.needs.log.append(tx, reportEvent('report.updated', after, before));
      return after;
    });
    return this.needs.receipts.receiptOf(stored);
  }

  private async rowOf(code: string): Promise<ReportRow> {
    const id = this.needs.codes.idOf(code);
    const row = id === null ? null : await this.needs.reports.byId(id);
    if (row === null || !(await this.needs.projects.isOpen(row.projectId)))
      throw new DomainError('receipt_code_invalid');
    return row;
  }
}
