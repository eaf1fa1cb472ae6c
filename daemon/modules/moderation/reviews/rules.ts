/** Pure rules of reviews: open, then claimed by one moderator, then decided by the same one, who may take that back. */
import { DomainError } from '../../../../src/contract/errors.js';
import type { UpdateReviewRequest } from '../../../../src/contract/moderation/reviews.js';
import type { ReviewRow } from './store.js';

/** The changed fields. Throws review_claimed, review_not_claimed, review_decided, review_decision_required. */
export function fieldsOf(row: ReviewRow, request: UpdateReviewRequest, actorId: string, now: Date): Partial<ReviewRow> {
  if ((request.status === 'decided') !== (request.decision !== undefined))
    throw new DomainError('review_decision_required');
  const note = request.note === undefined ? {} : { note: request.note };
  return request.status === undefined ? note : { ...note, ...moved(row, request, actorId, now) };
}

function moved(
  row: ReviewRow,
  { status, decision }: UpdateReviewRequest,
  actorId: string,
  now: Date,
): Partial<ReviewRow> {
  if (row.status === 'decided') return takenBack(row, status, actorId);
  if (row.status === 'claimed' && row.claimedByUserId !== actorId) throw new DomainError('review_claimed');
  if (status === row.status) return {};
  if (status === 'claimed') return { status, claimedByUserId: actorId, claimedAt: now };
  if (status === 'open') return { status, claimedByUserId: null, claimedAt: null };
  if (row.status !== 'claimed') throw new DomainError('review_not_claimed');
  return { status: 'decided', decision: decision ?? null, decidedByUserId: actorId, decidedAt: now };
}

/**
 * Returns the fields that clear a decision: whoever decided a review claims it again, and so takes the decision back.
 */
function takenBack(row: ReviewRow, status: UpdateReviewRequest['status'], actorId: string): Partial<ReviewRow> {
  if (status !== 'claimed' || row.decidedByUserId !== actorId) throw new DomainError('review_decided');
  return { status, decision: null, decidedByUserId: null, decidedAt: null };
}
