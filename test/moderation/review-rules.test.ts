/** The moves of a review: open → claimed → decided, and back to open, by the moderator who holds it. */
import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../daemon/modules/moderation/reviews/rules.js';
import type { ReviewRow } from '../../daemon/modules/moderation/reviews/store.js';
import type { UpdateReviewRequest } from '../../src/contract/moderation/reviews.js';

const now = new Date('2026-01-01T00:00:00Z');
const row = (status: string, claimedByUserId: string | null): ReviewRow => ({
  ...{ id: 'r', tenantId: 't', projectId: 'p', kind: 'appeal', status, sanctionId: 's', statement: null, note: null },
  ...{ participantId: null, externalUserId: 'u', createdByUserId: null, createdAt: now, updatedAt: now },
  ...{ claimedByUserId, claimedAt: null, decidedByUserId: null, decidedAt: null, decision: null },
});
const decided = { status: 'decided', decision: 'overturned' } as const;
const move = (from: string, holder: string | null, request: UpdateReviewRequest) => () =>
  fieldsOf(row(from, holder), request, 'me', now);

describe('a review', () => {
  it.each<[string, string | null, UpdateReviewRequest, object]>([
    ['open', null, { status: 'claimed' }, { status: 'claimed', claimedByUserId: 'me', claimedAt: now }],
    ['open', null, { status: 'open' }, {}],
    ['claimed', 'me', { status: 'claimed' }, {}],
    ['claimed', 'me', { status: 'open' }, { status: 'open', claimedByUserId: null, claimedAt: null }],
    ['claimed', 'me', decided, { status: 'decided', decision: 'overturned', decidedByUserId: 'me', decidedAt: now }],
    ['claimed', 'other', { note: 'seen' }, { note: 'seen' }],
    ['decided', 'other', { note: 'late' }, { note: 'late' }],
    ['open', null, { status: 'claimed', note: 'mine' }, { status: 'claimed', note: 'mine', claimedByUserId: 'me' }],
  ])('that is %s, held by %s, takes %o', (from, holder, request, fields) => {
    expect(move(from, holder, request)()).toMatchObject(fields);
    expect(Object.keys(move(from, holder, request)())).toEqual(expect.arrayContaining(Object.keys(fields)));
  });

  it('that is decided is claimed again by who decided it, and so is undecided', () => {
    const before = { ...row('decided', 'me'), decision: 'upheld', decidedByUserId: 'me', decidedAt: now };
    const undecided = { status: 'claimed', decision: null, decidedByUserId: null, decidedAt: null };
    expect(fieldsOf(before, { status: 'claimed' }, 'me', now)).toEqual(undecided);
    expect(() => fieldsOf(before, { status: 'claimed' }, 'other', now)).toThrow(
      expect.objectContaining({ code: 'review_decided' }),
    );
  });

  it.each<[string, string | null, UpdateReviewRequest, string]>([
    ['open', null, decided, 'review_not_claimed'],
    ['claimed', 'other', decided, 'review_claimed'],
    ['claimed', 'other', { status: 'open' }, 'review_claimed'],
    ['claimed', 'other', { status: 'claimed' }, 'review_claimed'],
    ['decided', 'me', decided, 'review_decided'],
    ['decided', 'me', { status: 'open' }, 'review_decided'],
    ['claimed', 'me', { status: 'decided' }, 'review_decision_required'],
    ['claimed', 'me', { status: 'open', decision: 'upheld' }, 'review_decision_required'],
    ['claimed', 'me', { decision: 'upheld' }, 'review_decision_required'],
  ])('that is %s, held by %s, refuses %o', (from, holder, request, code) => {
    expect(move(from, holder, request)).toThrow(expect.objectContaining({ code }));
  });
});
