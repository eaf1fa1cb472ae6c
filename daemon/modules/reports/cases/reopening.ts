/** Takes the decision on a case back: everything that it decided is open again, and what it imposed is revoked. */
import { DomainError } from '../../../../src/contract/errors.js';
import type { Case } from '../../../../src/contract/reports/cases.js';
import { atLeast } from '../../../../src/contract/route.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { mapWithPauses } from '../../../platform/database/slices.js';
import type { EventLog } from '../../../platform/events/log.js';
import type { ProjectGrant } from '../../../platform/http/caller.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { AccountDirectory } from '../../identity/directory.js';
import type { ReviewService } from '../../moderation/reviews/service.js';
import type { RoomEnforcer } from '../../moderation/sanctions/room-enforcer.js';
import type { SanctionService } from '../../moderation/sanctions/service.js';
import type { ParticipantDirectory } from '../../people/directory.js';
import { type OrderStore, orderEvent } from '../orders/order-store.js';
import type { ReporterService } from '../reporters/service.js';
import { type ReportStore, reportEvent } from '../reports/report-store.js';
import type { ReportSettingsService } from '../settings/service.js';
import { caseEvent } from './case-event.js';
import type { CaseRow, CaseStore } from './case-store.js';
import { goalFrom, openKeyOf } from './intake.js';
import type { CaseActor, CaseService } from './service.js';
import { verdictOf } from './verdict.js';

interface CaseReopeningNeeds {
  readonly database: Database;
  readonly log: Pick<EventLog, 'append'>;
  readonly cases: CaseStore;
  readonly reports: ReportStore;
  readonly orders: Pick<OrderStore, 'inCase' | 'update'>;
  readonly reporters: Pick<ReporterService, 'discount'>;
  readonly service: Pick<CaseService, 'shown'>;
  readonly reviews: Pick<ReviewService, 'reopenIn'>;
  readonly sanctions: Pick<SanctionService, 'revokeIn'>;
  readonly enforcer: Pick<RoomEnforcer, 'applied'>;
  readonly settings: Pick<ReportSettingsService, 'categoriesOf'>;
  readonly people: Pick<ParticipantDirectory, 'lock'>;
  readonly accounts: Pick<AccountDirectory, 'behind'>;
  readonly now: Clock;
}

const revokeReason = 'The case was reopened.';
const undecided = {
  ...{ status: 'open', decision: null, reasonCode: null, sanctionId: null, decidedByUserId: null, decidedAt: null },
  ...{ proposal: null, proposedByUserId: null, claimedByUserId: null, claimedAt: null, claimExpiresAt: null },
} as const;

export class CaseReopening {
  constructor(private readonly needs: CaseReopeningNeeds) {}

  /** Throws case_not_found, case_not_reopenable, case_appeal_undecided, insufficient_role. */
  async reopen(
    grant: Pick<ProjectGrant, 'projectId' | 'tenantId'>,
    id: string,
    actor: CaseActor,
    note: string | undefined,
  ): Promise<Case> {
    const { projectId } = grant;
    const known = await this.needs.cases.find(projectId, id);
    if (known === null) throw new DomainError('case_not_found');
    const { row, changed } = await this.needs.database.transaction(async (tx) => {
      if (known.externalUserId !== null) await this.needs.people.lock(tx, projectId, [known.externalUserId]);
      const before = await this.lockDecided(tx, projectId, id, actor);
      const now = this.needs.now();
      // What a decision decides follows it by milliseconds, each by the clock of its own moment.
      const since = before.decidedAt ?? now;
      const reopened = await this.needs.reports.reopen(tx, id, since, now);
      if (reopened.some(({ before: one }) => one.complainedAt !== null && one.complaintDecidedAt === null))
        throw new DomainError('case_appeal_undecided');
      const verdict = verdictOf(before);
      const reporters = new Set(reopened.flatMap(({ after }) => after.reporterUserId ?? []));
      if (verdict !== null) await this.needs.reporters.discount(tx, grant, reporters, verdict);
      const links = (await this.needs.cases.reviewsOf(id, tx)).map(({ reviewId }) => reviewId);
      const reviews = await this.needs.reviews.reopenIn(tx, projectId, links, since);
      await this.needs.cases.reviewsDecided(tx, reviews.ids, null);
      await this.reopenOrders(tx, id, since);
      const openKey = openKeyOf(before);
      const isFree = (await this.needs.cases.undecided(tx, projectId, openKey)) === null;
      const { goalHours } = (await this.needs.settings.categoriesOf(tx, projectId))(before.category);
      const after = await this.needs.cases.update(tx, id, {
        ...goalFrom(now, goalHours),
        ...{ ...undecided, openKey: isFree ? openKey : null, note: note ?? before.note, updatedAt: now },
      });
      const revocation = { revokedAt: now, revokedByUserId: actor.id, revokeReason };
      const imposed = before.sanctionId === null ? [] : [before.sanctionId];
      const revoked = await this.needs.sanctions.revokeIn(tx, projectId, imposed, revocation);
      await this.needs.log.append(
        tx,
        ...(await mapWithPauses(reopened, (one) => reportEvent('report.updated', one.after, one.before))),
        caseEvent('case.updated', after, now, before),
      );
      return { row: after, changed: [...revoked, ...reviews.sanctions] };
    });
    await this.needs.enforcer.applied(changed);
    return this.needs.service.shown(row);
  }

  private async lockDecided(tx: Transaction, projectId: string, id: string, actor: CaseActor): Promise<CaseRow> {
    const row = await this.needs.cases.lock(tx, projectId, id);
    if (row === null) throw new DomainError('case_not_found');
    const isDecision = row.decision === 'no_action' || row.decision === 'sanction';
    const isAboutSomebody = row.externalUserId !== null || row.roomId !== null;
    if (row.status !== 'decided' || !isDecision || !isAboutSomebody) throw new DomainError('case_not_reopenable');
    const deciders = row.decidedByUserId === null ? [] : [row.decidedByUserId];
    if (!atLeast(actor.role, 'admin') && !(await this.needs.accounts.behind(tx, deciders)).has(actor.id))
      throw new DomainError('insufficient_role', {
        message: `Somebody else has decided this case: to reopen it you need the role admin in the project; yours is ${actor.role}.`,
      });
    return row;
  }

  private async reopenOrders(tx: Transaction, id: string, since: Date): Promise<void> {
    const decided = (await this.needs.orders.inCase(tx, id)).filter(
      (order) => order.decidedAt !== null && order.decidedAt >= since,
    );
    for (const order of decided) {
      const open = { status: 'open', outcome: null, decidedAt: null, updatedAt: this.needs.now() };
      const after = await this.needs.orders.update(tx, order.id, open);
      await this.needs.log.append(tx, orderEvent('order.updated', after, order));
    }
  }
}
