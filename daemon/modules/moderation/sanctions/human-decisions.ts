/** Decisions of people: sanctions that they imposed, took back, or judged in a review. */
import type { ReviewStore } from '../reviews/store.js';
import type { SanctionRow } from './sanction-rows.js';
import type { SanctionStore } from './store.js';

/** Sanctions of one time that are looked at, the newest. */
const sanctionsMax = 2_000;

interface DecidedByPeople {
  readonly sanction: SanctionRow & { readonly externalUserId: string };
  /** false: a review overturned it, or somebody took it back. */
  readonly stands: boolean;
  readonly at: Date;
}

export class HumanDecisions {
  constructor(
    private readonly sanctions: SanctionStore,
    private readonly reviews: Pick<ReviewStore, 'decidedAbout'>,
  ) {}

  /**
   * Decisions about sanctions created in this time. Sanctions of rules that nobody revoked or reviewed are left out.
   */
  async about(projectId: string, span: { after: Date; until: Date }): Promise<DecidedByPeople[]> {
    const rows = await this.sanctions.allBetween(projectId, { ...span, take: sanctionsMax });
    const reviews = await this.reviews.decidedAbout(
      projectId,
      rows.map(({ id }) => id),
    );
    const byId = new Map(reviews.map((review) => [review.sanctionId, review]));
    return rows.flatMap((row) => {
      if (row.externalUserId === null) return [];
      const sanction = { ...row, externalUserId: row.externalUserId };
      const review = byId.get(row.id);
      if (review?.decidedAt) return [{ sanction, stands: review.decision === 'upheld', at: review.decidedAt }];
      if (row.revokedAt !== null) return [{ sanction, stands: false, at: row.revokedAt }];
      const isByPerson = row.createdByUserId !== null && row.type !== 'human_review';
      return isByPerson ? [{ sanction, stands: true, at: row.createdAt }] : [];
    });
  }
}
