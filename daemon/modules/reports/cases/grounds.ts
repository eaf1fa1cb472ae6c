/** What leads a case to its sanction: reports, notices, orders and reviews of the person, with the lines that they name. */
import type { Sanction } from '../../../../src/contract/moderation/sanction-record.js';
import type { DecidedBy, StatementSource } from '../../../../src/contract/moderation/statement-basis.js';
import type { DecideCaseRequest } from '../../../../src/contract/reports/cases.js';
import type { ReviewService } from '../../moderation/reviews/service.js';
import type { LedBy } from '../../moderation/sanctions/basis.js';
import type { OrderStore } from '../orders/order-store.js';
import type { ReportStore } from '../reports/report-store.js';
import type { CaseRow, CaseStore } from './case-store.js';

/** As many as a sanction may name. */
const messagesMax = 100;

interface CaseGroundsNeeds {
  readonly cases: Pick<CaseStore, 'reviewsOf'>;
  readonly reports: Pick<ReportStore, 'madeAbout'>;
  readonly orders: Pick<OrderStore, 'firstToAct'>;
  readonly reviews: Pick<ReviewService, 'askedWith'>;
}

export class CaseGrounds {
  constructor(private readonly needs: CaseGroundsNeeds) {}

  /** For a sanction of the person whom the case is about. */
  async of(
    { id, projectId, externalUserId, category }: CaseRow,
    { reasonCode }: Pick<DecideCaseRequest, 'reasonCode'>,
    decidedBy: DecidedBy,
  ): Promise<{ led: LedBy; evidence?: Sanction['evidence'] & object }> {
    const reported = await this.needs.reports.madeAbout(id, externalUserId);
    const order = await this.needs.orders.firstToAct(id);
    const undecided = (await this.needs.cases.reviewsOf(id)).filter(({ decidedAt }) => decidedAt === null);
    const asked = await this.needs.reviews.askedWith(
      projectId,
      undecided.map(({ reviewId }) => reviewId),
      externalUserId,
    );
    const byRule = asked.find(({ isByRule }) => isByRule);
    const messageIds = [
      ...new Set([...reported.messageIds, ...asked.flatMap(({ evidence }) => evidence?.messageIds ?? [])]),
    ].slice(0, messagesMax);
    const source: StatementSource =
      order !== null
        ? 'order'
        : reported.isTrusted
          ? 'trusted_flagger'
          : reported.count > 0
            ? 'report'
            : 'own_initiative';
    const { ruleId, ruleVersion, score } = byRule?.evidence ?? {};
    const evidence = {
      ...(messageIds.length === 0 ? {} : { messageIds }),
      ...(asked[0] === undefined ? {} : { reviewId: (byRule ?? asked[0]).reviewId }),
      ...(ruleId === undefined ? {} : { ruleId }),
      ...(ruleVersion === undefined ? {} : { ruleVersion }),
      ...(score === undefined ? {} : { score }),
    };
    const led: LedBy = {
      caseId: id,
      category,
      source,
      decidedBy,
      reportedAt: reported.firstAt?.toISOString() ?? null,
      law: reasonCode === 'illegal_content' ? (order?.legalGround ?? null) : null,
    };
    return Object.keys(evidence).length === 0 ? { led } : { led, evidence };
  }
}
