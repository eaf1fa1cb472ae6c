/** The moves of a review: open → claimed → decided, and back to open, by the moderator who holds it. */
import { describe, expect, it } from 'vitest';
import {
  appealableUntil,
  fieldsOf,
  type Reviewer,
  refuseBiased,
} from '../../daemon/modules/moderation/reviews/rules.js';
import type { ReviewRow } from '../../daemon/modules/moderation/reviews/store.js';
import type { UpdateReviewRequest } from '../../src/contract/moderation/reviews.js';

const me = { id: 'me', kind: 'user' } as const;
const now = new Date('2026-01-01T00:00:00Z');
const row = (status: string, claimedByUserId: string | null): ReviewRow => ({
  ...{
    id: 'r',
    tenantId: 't',
    projectId: 'p',
    kind: 'appeal',
    status,
    sanctionId: 's',
    statement: null,
    note: null,
    answer: null,
    isUnfounded: false,
    isInName: false,
  },
  ...{ participantId: null, externalUserId: 'u', createdByUserId: null, createdAt: now, updatedAt: now },
  ...{
    claimedByUserId,
    claimedAt: claimedByUserId === null ? null : new Date(now.getTime() - 1_799_999),
    decidedByUserId: null,
    decidedAt: null,
    decision: null,
  },
});
const decided = { status: 'decided', decision: 'overturned' } as const;
const move = (from: string, holder: string | null, request: UpdateReviewRequest) => () =>
  fieldsOf(row(from, holder), request, me, now);

describe('a review', () => {
  it.each<[string, string | null, UpdateReviewRequest, object]>([
    ['open', null, { status: 'claimed' }, { status: 'claimed', claimedByUserId: 'me', claimedAt: now }],
    ['open', null, { status: 'open' }, {}],
    ['claimed', 'me', { status: 'claimed' }, { claimedAt: now }],
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
    const before = {
      ...row('decided', 'me'),
      decision: 'upheld',
      isUnfounded: true,
      decidedByUserId: 'me',
      decidedAt: now,
    };
    const nobody = { decidedByUserId: null, decidedAt: null };
    const mine = { claimedByUserId: 'me', claimedAt: now };
    const undecided = {
      status: 'claimed',
      ...mine,
      decision: null,
      answer: null,
      isUnfounded: false,
      ...nobody,
    };
    expect(fieldsOf(before, { status: 'claimed' }, me, now)).toEqual(undecided);
    expect(() => fieldsOf(before, { status: 'claimed' }, { ...me, id: 'other' }, now)).toThrow(
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

/** Regulation (EU) 2022/2065, Article 20: six months, reasoned decisions, not by automated means alone, by somebody else. */
describe('an appeal', () => {
  const judge = (request: UpdateReviewRequest, reviewer: Reviewer, imposedBy: string | null) => () =>
    refuseBiased(request, reviewer, new Set(['proposer', ...(imposedBy === null ? [] : [imposedBy])]));
  const key = { id: 'k', kind: 'apiKey' } as const;
  const answered = { ...decided, answer: 'We listened again.' };

  it.each<[UpdateReviewRequest, Reviewer, string | null, string]>([
    [{ status: 'claimed' }, key, null, 'appeal_person_required'],
    [answered, key, null, 'appeal_person_required'],
    [{ status: 'claimed' }, me, 'me', 'appeal_own_sanction'],
    [answered, me, 'me', 'appeal_own_sanction'],
    [answered, { id: 'proposer', kind: 'user' }, 'me', 'appeal_own_sanction'],
    [decided, me, 'other', 'appeal_answer_required'],
  ])('%o by %o against a sanction of %s is refused', (request, reviewer, imposedBy, code) => {
    expect(judge(request, reviewer, imposedBy)).toThrow(expect.objectContaining({ code }));
  });

  it.each<[UpdateReviewRequest, Reviewer, string | null]>([
    [{ status: 'claimed' }, me, 'other'],
    [answered, me, 'other'],
    [answered, me, null],
    [{ status: 'open' }, me, 'me'],
    [{ note: 'seen' }, key, 'me'],
  ])('%o by %o against a sanction of %s is taken', (request, reviewer, imposedBy) => {
    expect(judge(request, reviewer, imposedBy)).not.toThrow();
  });

  it.each([
    ['2026-01-15T10:00:00.000Z', '2026-07-15T10:00:00.000Z'],
    ['2026-03-31T12:00:00.000Z', '2026-09-30T12:00:00.000Z'],
    ['2025-08-31T00:00:00.000Z', '2026-02-28T00:00:00.000Z'],
    ['2027-08-29T00:00:00.000Z', '2028-02-29T00:00:00.000Z'],
  ])('of %s can be made until %s: the same day six months later, or the last one of that month', (imposed, until) => {
    expect(appealableUntil({ type: 'mute', createdAt: imposed, endAt: null }).toISOString()).toBe(until);
  });

  it('of a shadow mute can be made for six months after its end, when the person is told', () => {
    const shadow = { type: 'shadow_mute', createdAt: '2026-01-15T00:00:00Z', endAt: '2026-09-15T00:00:00Z' };
    expect(appealableUntil(shadow).toISOString()).toBe('2027-03-15T00:00:00.000Z');
  });
});
