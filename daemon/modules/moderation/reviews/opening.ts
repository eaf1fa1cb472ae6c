/** New reviews: of a human_review sanction, stored in its transaction, and of an appeal. */

import type { ReviewKind } from '../../../../src/contract/moderation/reviews.js';
import { kindOf } from '../../../../src/contract/moderation/sanction-kinds.js';
import type { Sanction } from '../../../../src/contract/moderation/sanction-record.js';
import type { Transaction } from '../../../platform/database/database.js';
import { mapWithPauses } from '../../../platform/database/slices.js';
import { changesBetween } from '../../../platform/events/log.js';
import type { NewEvent } from '../../../platform/events/logged.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { ReviewCases } from '../cases.js';
import type { PeopleLookup } from '../sanctions/journal.js';
import { type ReviewRow, type ReviewStore, toReview } from './store.js';

/** What moderators read of a shadow mute that nobody asked them about. */
const ofMinor = 'A shadow mute of a minor: the person does not know of it, so somebody must look at it.';

export class ReviewOpening {
  constructor(
    private readonly reviews: ReviewStore,
    private readonly cases: Pick<ReviewCases, 'addReviews'>,
    private readonly people: Pick<PeopleLookup, 'byExternalIds'>,
    private readonly now: Clock,
  ) {}

  /**
   * A review for each human_review among new sanctions, and for each shadow mute of a minor, who does not know of it: its events, and a function that stores it in the sanctions'
   * transaction.
   */
  async ofSanctions(sanctions: readonly Sanction[], actorId: string | null) {
    const hidden = new Set(
      sanctions.filter(({ type, externalUserId }) => kindOf(type).told === 'once_over' && externalUserId !== null),
    );
    const ids = [...hidden].flatMap(({ externalUserId }) => externalUserId ?? []);
    const known =
      ids.length === 0 ? [] : await this.people.byExternalIds(sanctions[0]?.projectId ?? '', [...new Set(ids)]);
    const minors = new Set(known.flatMap(({ minor, externalUserId }) => (minor === true ? [externalUserId] : [])));
    const asked = sanctions.filter(
      (one) => one.type === 'human_review' || (hidden.has(one) && minors.has(one.externalUserId ?? '')),
    );
    const rows = await mapWithPauses(asked, (one) =>
      this.opened('human_review', one, actorId, one.type === 'human_review' ? one.reason : ofMinor),
    );
    const prepared = await this.reviews.prepare(rows);
    return {
      events: await mapWithPauses(rows, (row) => reviewEvent('review.created', row, this.now())),
      store: async (tx: Transaction) => {
        await this.reviews.insert(tx, prepared);
        await this.cases.addReviews(tx, rows, { minors });
      },
    };
  }

  opened(kind: ReviewKind, sanction: Sanction, actorId: string | null, statement: string | null): ReviewRow {
    const { id: sanctionId, tenantId, projectId, participantId, externalUserId } = sanction;
    const now = this.now();
    return {
      id: uuidv7(),
      tenantId,
      projectId,
      kind,
      status: 'open',
      sanctionId,
      participantId,
      externalUserId,
      statement,
      createdByUserId: actorId,
      createdAt: now,
      updatedAt: now,
      claimedByUserId: null,
      claimedAt: null,
      decidedByUserId: null,
      decidedAt: null,
      decision: null,
      answer: null,
      isUnfounded: false,
      note: null,
      isInName: kind === 'appeal' && actorId !== null,
    };
  }
}

export const reviewEvent = (
  type: 'review.created' | 'review.updated',
  row: ReviewRow,
  now: Date,
  before?: ReviewRow,
): NewEvent => ({
  type,
  tenantId: row.tenantId,
  projectId: row.projectId,
  resourceId: `review:${row.id}`,
  action: type === 'review.created' ? 'created' : 'updated',
  data: toReview(row, now),
  ...(before === undefined ? {} : { changes: changesBetween(toReview(before, now), toReview(row, now)) ?? {} }),
  subjectUserId: row.externalUserId,
});
