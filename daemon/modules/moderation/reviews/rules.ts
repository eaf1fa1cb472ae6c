/** Pure rules of reviews: open, then claimed by one moderator for a time, then decided by the same one, who may take that back. */
import { DomainError } from '../../../../src/contract/errors.js';
import type { UpdateReviewRequest } from '../../../../src/contract/moderation/reviews.js';
import { kindOf } from '../../../../src/contract/moderation/sanction-kinds.js';
import type { Member } from '../../../platform/http/caller.js';
import { afterMonths, complaintMonths } from '../../../platform/time/months.js';
import { isReviewClaimed, type ReviewRow } from './store.js';

export type Reviewer = Pick<Member, 'id' | 'kind'>;

/**
 * @param gone the account or key that cannot moderate any more, whose claim therefore has ended
 * @returns the changed fields
 * @throws review_claimed, review_not_claimed, review_decided, review_decision_required, appeal_not_unfounded
 */
export function fieldsOf(
  row: ReviewRow,
  request: UpdateReviewRequest,
  reviewer: Reviewer,
  now: Date,
  gone: string | null = null,
): Partial<ReviewRow> {
  if ((request.status === 'decided') !== (request.decision !== undefined))
    throw new DomainError('review_decision_required');
  if (request.unfounded === true && (row.kind !== 'appeal' || request.decision !== 'upheld'))
    throw new DomainError('appeal_not_unfounded');
  const note = request.note === undefined ? {} : { note: request.note };
  return request.status === undefined ? note : { ...note, ...moved(row, request, { actorId: reviewer.id, gone }, now) };
}

/**
 * An appeal is decided by a person, who neither imposed nor changed the sanction, with reasons (Regulation (EU) 2022/2065, Article
 * 20(4) to (6)). Throws appeal_person_required, appeal_own_sanction, appeal_answer_required.
 *
 * @param authors everyone who proposed, imposed or changed it; of a key, who made the key too
 */
export function refuseBiased(
  { status, answer }: UpdateReviewRequest,
  reviewer: Reviewer,
  authors: ReadonlySet<string>,
): void {
  if (status === undefined || status === 'open') return;
  if (reviewer.kind !== 'user') throw new DomainError('appeal_person_required');
  if (authors.has(reviewer.id)) throw new DomainError('appeal_own_sanction');
  if (status === 'decided' && answer === undefined) throw new DomainError('appeal_answer_required');
}

interface ToldDecision {
  readonly type: string;
  readonly createdAt: Date | string;
  readonly endAt: Date | string | null;
}

/**
 * The last moment at which a sanction that has ended can be appealed. The time begins when the person is told (Article
 * 20(2)): of a shadow mute at its end.
 */
export function appealableUntil({ type, createdAt, endAt }: ToldDecision): Date {
  return afterMonths(
    new Date(kindOf(type).told === 'once_over' && endAt !== null ? endAt : createdAt),
    complaintMonths,
  );
}

/** A sanction that was told before this time and has ended cannot be appealed any more. */
export const appealableSince = (now: Date): Date => afterMonths(now, -complaintMonths);

function moved(
  row: ReviewRow,
  { status, decision, answer, unfounded = false }: UpdateReviewRequest,
  { actorId, gone }: { readonly actorId: string; readonly gone: string | null },
  now: Date,
): Partial<ReviewRow> {
  if (row.status === 'decided') return takenBack(row, status, actorId, now);
  const isOwn = row.status === 'claimed' && row.claimedByUserId === actorId;
  if (!isOwn && isReviewClaimed(row, now) && row.claimedByUserId !== gone) throw new DomainError('review_claimed');
  if (status === 'claimed') return { status, claimedByUserId: actorId, claimedAt: now };
  if (status === 'open') return isOwn ? { status, claimedByUserId: null, claimedAt: null } : {};
  if (!isOwn) throw new DomainError('review_not_claimed');
  return {
    status: 'decided',
    decision: decision ?? null,
    answer: answer ?? null,
    isUnfounded: unfounded,
    decidedByUserId: actorId,
    decidedAt: now,
  };
}

/**
 * Returns the fields that clear a decision: whoever decided a review claims it again, and so takes the decision back.
 */
function takenBack(
  row: ReviewRow,
  status: UpdateReviewRequest['status'],
  actorId: string,
  now: Date,
): Partial<ReviewRow> {
  if (status !== 'claimed' || row.decidedByUserId !== actorId) throw new DomainError('review_decided');
  return {
    ...{ status, claimedByUserId: actorId, claimedAt: now },
    ...{ decision: null, answer: null, isUnfounded: false, decidedByUserId: null, decidedAt: null },
  };
}
