/** Decisions of cases: with what follows for the person, the reports, their reporters and the reviews, all or nothing. */
import { DomainError } from '../../../../src/contract/errors.js';
import type { DecidedBy } from '../../../../src/contract/moderation/statement-basis.js';
import type { Case, CaseReason, DecideCaseRequest } from '../../../../src/contract/reports/cases.js';
import type { OrderOutcome } from '../../../../src/contract/reports/orders.js';
import { needsSecondPerson } from '../../../../src/contract/reports/report-settings.js';
import type { ReportOutcome } from '../../../../src/contract/reports/reports.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { mapWithPauses } from '../../../platform/database/slices.js';
import type { EventLog } from '../../../platform/events/log.js';
import type { ProjectGrant } from '../../../platform/http/caller.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { AccountDirectory } from '../../identity/directory.js';
import type { ReviewService } from '../../moderation/reviews/service.js';
import type { AutomaticSanctions } from '../../moderation/sanctions/automatic.js';
import type { RoomEnforcer } from '../../moderation/sanctions/room-enforcer.js';
import type { SanctionService } from '../../moderation/sanctions/service.js';
import type { ParticipantDirectory } from '../../people/directory.js';
import { type OrderStore, orderEvent } from '../orders/order-store.js';
import type { ReporterService } from '../reporters/service.js';
import { type ReportStore, reportEvent } from '../reports/report-store.js';
import type { ReportSettingsService } from '../settings/service.js';
import { caseEvent } from './case-event.js';
import { type CaseRow, type CaseStore, proposedIn } from './case-store.js';
import type { CaseGrounds } from './grounds.js';
import type { CaseIntake } from './intake.js';
import type { CaseActor, CaseService } from './service.js';
import { outcomeOf, verdictOf } from './verdict.js';

interface CaseDecidingNeeds {
  readonly database: Database;
  readonly log: Pick<EventLog, 'append'>;
  readonly cases: CaseStore;
  readonly reports: ReportStore;
  readonly orders: OrderStore;
  readonly intake: Pick<CaseIntake, 'addOrder' | 'endAnswered'>;
  readonly reporters: Pick<ReporterService, 'count'>;
  readonly settings: Pick<ReportSettingsService, 'get'>;
  readonly service: Pick<CaseService, 'giveBack' | 'lockUndecided' | 'lockOpen' | 'requireRole' | 'shown'>;
  readonly sanctions: Pick<AutomaticSanctions, 'checkDecided' | 'prepare' | 'preparedAnew'>;
  readonly imposed: Pick<SanctionService, 'replaceIn' | 'revokeIn'>;
  readonly enforcer: Pick<RoomEnforcer, 'applied'>;
  readonly reviews: Pick<ReviewService, 'decideIn' | 'existingIn'>;
  readonly people: Pick<ParticipantDirectory, 'lock'>;
  readonly accounts: Pick<AccountDirectory, 'behind' | 'people'>;
  readonly grounds: CaseGrounds;
  readonly now: Clock;
}

interface CaseVerdict {
  /** Who imposes what was decided. */
  readonly by: CaseActor;
  readonly decidedBy: DecidedBy;
  readonly request: DecideCaseRequest;
}

const deciderOf = ({ isPerson }: Pick<CaseActor, 'isPerson'>, { sanction }: DecideCaseRequest): DecidedBy =>
  isPerson || sanction?.decidedBy === 'person' ? 'person' : 'program';

type CaseGrant = Pick<ProjectGrant, 'projectId' | 'tenantId'>;
type Prepared = Awaited<ReturnType<AutomaticSanctions['prepare']>>;

export class CaseDeciding {
  constructor(private readonly needs: CaseDecidingNeeds) {}

  /**
   * Throws case_not_found, case_decided, case_claimed, case_unconfirmed, case_without_person, case_appeal_undecided,
   * case_ground_mismatch, ban_needs_second_person, insufficient_role, insufficient_scope, and the refusals of createSanction.
   */
  async decide(grant: CaseGrant, id: string, actor: CaseActor, request: DecideCaseRequest): Promise<Case> {
    const { sanction, banMeanwhile } = request;
    if (sanction !== undefined) {
      this.requireScope(actor);
      this.needs.sanctions.checkDecided(actor, sanction);
    }
    const settings = await this.needs.settings.get(grant.projectId);
    const decision = { by: actor, decidedBy: deciderOf(actor, request), request };
    if (sanction !== undefined && needsSecondPerson(settings, sanction.type, sanction.duration ?? null)) {
      if (banMeanwhile !== undefined && needsSecondPerson(settings, 'temp_ban', banMeanwhile))
        throw new DomainError('ban_needs_second_person');
      return this.propose(grant, id, decision);
    }
    return this.conclude(grant, id, decision, (tx) => this.needs.service.lockUndecided(tx, grant.projectId, id, actor));
  }

  /**
   * Confirms a proposal, or turns it down, which whoever proposed it may do too. Throws case_not_found, case_decided,
   * case_not_proposed, case_same_moderator, case_person_required, insufficient_role, insufficient_scope.
   */
  async confirm(
    grant: CaseGrant,
    id: string,
    actor: CaseActor,
    agree: boolean,
    note: string | undefined,
  ): Promise<Case> {
    const proposed = async (tx: Transaction): Promise<CaseRow> => {
      const row = await this.needs.service.lockOpen(tx, grant.projectId, id);
      if (row.status !== 'unconfirmed') throw new DomainError('case_not_proposed');
      const proposer = row.proposedByUserId === null ? [] : [row.proposedByUserId];
      const isOwn = (await this.needs.accounts.behind(tx, proposer)).has(actor.id);
      if (isOwn && !agree) return row;
      if (!actor.isPerson) throw new DomainError('case_person_required');
      if (isOwn) throw new DomainError('case_same_moderator');
      this.needs.service.requireRole(row, actor);
      return row;
    };
    const known = await this.needs.cases.find(grant.projectId, id);
    if (agree) {
      this.requireScope(actor);
      const request = known === null ? null : proposedIn(known);
      if (known === null || request === null) return this.refused(() => this.needs.database.transaction(proposed));
      const same = async (tx: Transaction): Promise<CaseRow> => {
        const locked = await proposed(tx);
        if (locked.proposal !== known.proposal) throw new DomainError('case_not_proposed'); // another one by now
        return locked;
      };
      const isPerson = await this.isPerson(grant, known.proposedByUserId);
      const decidedBy = deciderOf({ isPerson }, request) === 'person' ? 'person' : 'both';
      const noted = { ...request, note: note ?? request.note };
      return this.conclude(grant, id, { by: actor, decidedBy, request: noted }, same);
    }
    const { row, revoked } = await this.needs.database.transaction(async (tx) => {
      await this.lockPerson(tx, known);
      const before = await proposed(tx);
      const now = this.needs.now();
      const open = { status: 'open', proposal: null, proposedByUserId: null, sanctionId: null, ...unclaimed };
      const after = await this.needs.cases.update(tx, id, { ...open, note: note ?? before.note, updatedAt: now });
      const held = before.sanctionId === null ? [] : [before.sanctionId];
      const revocation = { revokedAt: now, revokedByUserId: actor.id, revokeReason: turnedDown };
      const ended = await this.needs.imposed.revokeIn(tx, grant.projectId, held, revocation);
      await this.needs.log.append(tx, caseEvent('case.updated', after, now, before));
      return { row: await this.needs.intake.endAnswered(tx, after, actor.id), revoked: ended };
    });
    await this.needs.enforcer.applied(revoked);
    return this.needs.service.shown(row);
  }

  /** Ends the cases of somebody who is being erased: nobody is left to decide about. What is about others stays undecided. */
  async eraseIn(tx: Transaction, projectId: string, externalUserId: string): Promise<void> {
    for (;;) {
      const rows = await this.needs.cases.ofPerson(tx, projectId, externalUserId);
      if (rows.length === 0) return;
      for (const { id } of rows) {
        const row = await this.needs.cases.lock(tx, projectId, id);
        if (row === null || row.externalUserId !== externalUserId) continue;
        const nobody = { externalUserId: null, openKey: null, note: null, proposal: null, proposedByUserId: null };
        if (row.status === 'decided') await this.needs.cases.update(tx, row.id, nobody);
        else {
          await this.needs.service.giveBack(tx, row);
          await this.closeComplaints(tx, row.id);
          await this.closeReports(tx, row.id, { outcome: 'no_action', decidedBy: null });
          await this.closeOrders(tx, row.id, 'no_effect');
          const ended = closing('no_action', 'person_erased', null, this.needs.now());
          await this.close(tx, row, { ...nobody, ...ended, sanctionId: null });
        }
      }
    }
  }

  private async propose(grant: CaseGrant, id: string, decision: CaseVerdict): Promise<Case> {
    const { by, request } = decision;
    const { row, held } = await this.needs.sanctions.preparedAnew(async () => {
      const known = await this.needs.cases.find(grant.projectId, id);
      if (known !== null) await this.prepared(grant, known, decision); // refused now rather than when it is confirmed
      const prepared = known === null ? null : await this.preparedMeanwhile(grant, known, decision);
      return this.needs.database.transaction(async (tx) => {
        await this.lockPerson(tx, known);
        const before = await this.needs.service.lockUndecided(tx, grant.projectId, id, by);
        if (before.externalUserId === null) throw new DomainError('case_without_person');
        await prepared?.store(tx);
        const proposal = { status: 'unconfirmed', proposal: JSON.stringify(request), proposedByUserId: by.id };
        const sanctionId = prepared?.sanctions[0]?.id ?? null;
        const after = await this.close(tx, before, { ...proposal, ...unclaimed, sanctionId });
        await prepared?.announce(tx);
        return { row: after, held: prepared };
      });
    });
    await held?.applied();
    return this.needs.service.shown(row);
  }

  /** The ban that holds until the proposed one is confirmed or turned down; null: none does. */
  private async preparedMeanwhile(grant: CaseGrant, row: CaseRow, decision: CaseVerdict) {
    const { sanction, banMeanwhile } = decision.request;
    if (sanction === undefined || banMeanwhile === undefined) return null;
    const { parameters: _, ...told } = sanction;
    const request = { ...decision.request, sanction: { ...told, type: 'temp_ban' as const, duration: banMeanwhile } };
    return this.prepared(grant, row, { ...decision, request });
  }

  private async lockPerson(tx: Transaction, known: CaseRow | null): Promise<void> {
    if (known?.externalUserId != null) await this.needs.people.lock(tx, known.projectId, [known.externalUserId]);
  }

  private async conclude(
    grant: CaseGrant,
    id: string,
    decision: CaseVerdict,
    lock: (tx: Transaction) => Promise<CaseRow>,
  ): Promise<Case> {
    const { row, after } = await this.needs.sanctions.preparedAnew(async () => {
      const known = await this.needs.cases.find(grant.projectId, id);
      const prepared = known === null ? null : await this.prepared(grant, known, decision);
      return this.needs.database.transaction(async (tx) => {
        await this.lockPerson(tx, known);
        const locked = await lock(tx);
        return this.decided(tx, locked, decision, prepared);
      });
    });
    for (const apply of after) await apply();
    return this.needs.service.shown(row);
  }

  /**
   * null: there is no sanction, or nobody to impose it on, which is refused once the case is locked. Throws
   * case_ground_mismatch, and the refusals of createSanction.
   */
  private async prepared(grant: CaseGrant, row: CaseRow, { by, decidedBy, request }: CaseVerdict) {
    const { externalUserId } = row;
    const { sanction } = request;
    if (sanction === undefined || externalUserId === null) return null;
    const found = await this.needs.grounds.of(row, request, decidedBy);
    const prepared = await this.needs.sanctions.prepare(grant, [{ ...sanction, ...found, externalUserId }], by);
    const isAgainstLaw = prepared.sanctions.every(({ ground }) => ground?.kind === 'law');
    if (isAgainstLaw !== (request.reasonCode === 'illegal_content')) throw new DomainError('case_ground_mismatch');
    return prepared;
  }

  private async isPerson({ tenantId }: CaseGrant, id: string | null): Promise<boolean> {
    return id !== null && (await this.needs.accounts.people(tenantId, [id])).has(id);
  }

  private async decided(
    tx: Transaction,
    row: CaseRow,
    { by: { id: by }, decidedBy, request }: CaseVerdict,
    prepared: Prepared | null,
  ) {
    if (request.sanction !== undefined && (row.externalUserId === null || prepared === null))
      throw new DomainError('case_without_person');
    const { id, projectId } = row;
    // A decision is about its person: what was merged from others is theirs again, and undecided.
    const own = await this.needs.service.giveBack(tx, row);
    const undecided = (await this.needs.cases.reviewsOf(id, tx)).filter(({ decidedAt }) => decidedAt === null);
    // A merged case may name reviews of somebody who was erased since.
    const ids = undecided.map(({ reviewId }) => reviewId);
    const open = await this.needs.reviews.existingIn(tx, projectId, ids);
    if (open.some(({ kind }) => kind === 'appeal') || undecided.some(({ kind }) => kind === 'complaint'))
      throw new DomainError('case_appeal_undecided');
    await this.requireOtherThanBefore(tx, own, by);
    await prepared?.store(tx);
    const decision = request.decision === 'sanction' ? 'upheld' : 'overturned';
    const now = this.needs.now();
    const reviewIds = open.map((one) => one.id);
    const applyReviews = await this.needs.reviews.decideIn(tx, projectId, reviewIds, { decision, actorId: by });
    await this.needs.cases.reviewsDecided(tx, reviewIds, now);
    const reporters = await this.closeReports(tx, id, { outcome: outcomeOf(request), decidedBy });
    const verdict = verdictOf(request);
    if (verdict !== null) await this.needs.reporters.count(tx, own, reporters, verdict);
    const imposed = prepared?.sanctions[0];
    if (imposed !== undefined && own.sanctionId !== null)
      await this.needs.imposed.replaceIn(tx, imposed, [own.sanctionId], by);
    const after = await this.close(tx, own, {
      ...closing(request.decision, request.reasonCode, by, now),
      ...{ openKey: null, proposal: null, sanctionId: imposed?.id ?? null },
      note: request.note ?? row.note,
    });
    // An order to give information is answered by itself.
    const unanswered = await this.closeOrders(
      tx,
      id,
      request.decision === 'sanction' ? 'effect_given' : 'no_effect',
      (kind) => kind === 'act',
    );
    for (const order of unanswered) {
      const moved = await this.needs.intake.addOrder(tx, order, row.escalatedTo);
      await this.needs.log.append(tx, orderEvent('order.updated', moved, order));
    }
    await prepared?.announce(tx);
    return { row: after, after: [applyReviews, ...(prepared === null ? [] : [() => prepared.applied()])] };
  }

  /** A report that is open again because of a complaint is not decided by who decided it before. Throws complaint_own_decision. */
  private async requireOtherThanBefore(tx: Transaction, { id, projectId }: CaseRow, by: string): Promise<void> {
    const formerCases = await this.needs.reports.reopenedFrom(tx, id);
    const former = await this.needs.cases.decidersOf(tx, projectId, formerCases);
    if (former.length === 0) return;
    const before = await this.needs.accounts.behind(tx, former);
    const now = await this.needs.accounts.behind(tx, [by]);
    if ([...now].some((one) => before.has(one))) throw new DomainError('complaint_own_decision');
  }

  /** Ends the complaints in a case of which nobody is left whom they are about. */
  private async closeComplaints(tx: Transaction, caseId: string): Promise<void> {
    const now = this.needs.now();
    const links = await this.needs.cases.reviewsOf(caseId, tx);
    const ids = links.flatMap(({ kind, reviewId }) => (kind === 'complaint' ? [reviewId] : []));
    for (const before of await this.needs.reports.complaintsIn(ids, tx)) {
      const ended = { complaintDecision: 'upheld', complaintDecidedAt: now, closedAt: now, updatedAt: now };
      const after = await this.needs.reports.update(tx, before.id, ended);
      await this.needs.log.append(tx, reportEvent('report.updated', after, before));
    }
  }

  private async close(tx: Transaction, row: CaseRow, fields: Partial<CaseRow>): Promise<CaseRow> {
    const now = this.needs.now();
    const after = await this.needs.cases.update(tx, row.id, { ...fields, updatedAt: now });
    await this.needs.log.append(tx, caseEvent('case.updated', after, now, row));
    return after;
  }

  /** Decides the reports of a case; returns their reporters. */
  private async closeReports(
    tx: Transaction,
    caseId: string,
    decided: { readonly outcome: ReportOutcome; readonly decidedBy: DecidedBy | null },
  ): Promise<ReadonlySet<string>> {
    const now = this.needs.now();
    const closed = await this.needs.reports.decide(tx, caseId, decided, now);
    const eventOf = ({ before, after }: (typeof closed)[number]) => reportEvent('report.updated', after, before);
    await this.needs.log.append(tx, ...(await mapWithPauses(closed, eventOf)));
    return new Set(closed.flatMap(({ after }) => after.reporterUserId ?? []));
  }

  /** Decides the open orders of a case; returns those that stay open. */
  private async closeOrders(tx: Transaction, caseId: string, outcome: OrderOutcome, isMeant = (_kind: string) => true) {
    const now = this.needs.now();
    const open = await this.needs.orders.openIn(tx, caseId);
    for (const order of open.filter(({ kind }) => isMeant(kind))) {
      const decided = { status: 'decided', outcome, decidedAt: now, updatedAt: now };
      const after = await this.needs.orders.update(tx, order.id, decided);
      await this.needs.log.append(tx, orderEvent('order.updated', after, order));
    }
    return open.filter(({ kind }) => !isMeant(kind));
  }

  private requireScope({ mayImpose }: CaseActor): void {
    if (mayImpose) return;
    throw new DomainError('insufficient_scope', {
      message: 'The API key lacks the scope sanctions. Create a key that has it.',
    });
  }

  /** Runs what throws the refusal of a case without a proposal. */
  private async refused(lock: () => Promise<CaseRow>): Promise<never> {
    await lock();
    throw new DomainError('case_not_proposed');
  }
}

const turnedDown = 'The ban for which it held was turned down.';
const unclaimed = { claimedByUserId: null, claimedAt: null, claimExpiresAt: null } as const;

const closing = (decision: 'no_action' | 'sanction', reasonCode: CaseReason, by: string | null, decidedAt: Date) => ({
  ...{ status: 'decided', decision, reasonCode, decidedByUserId: by, decidedAt },
});
