/**
 * Reviews: cases for a moderator to decide. A human_review sanction opens one; an appeal is one that points at the
 * sanction appealed against.
 */
import { z } from 'zod';
import {
  cutParts,
  ExternalUserId,
  Id,
  ItemPath,
  madeQuery,
  PageInfo,
  PageQuery,
  ProjectPath,
  QueryFlag,
  searchQuery,
  Timestamp,
  TimestampInput,
} from '../common.js';
import { Report } from '../reports/reports.js';
import { defineRoute } from '../route.js';
import { Message } from '../sessions/sessions.js';
import { ReviewDecision, statementMax } from './review-decision.js';
import { Sanction, ToldPerson } from './sanction-record.js';

/** A claim of a review or a case ends after this time; others can then claim it. */
export const claimMinutes = 30;

export const ReviewKind = z.enum(['human_review', 'appeal']);
export type ReviewKind = z.infer<typeof ReviewKind>;
export const ReviewStatus = z.enum(['open', 'claimed', 'decided']);
export type ReviewStatus = z.infer<typeof ReviewStatus>;

export const Review = z
  .object({
    id: z.string(),
    tenantId: z.string(),
    projectId: z.string(),
    kind: ReviewKind,
    status: ReviewStatus,
    sanctionId: z.string().describe('The sanction that asked for it, or that is appealed against'),
    participantId: z.string().nullable(),
    externalUserId: z.string().nullable(),
    statement: z.string().nullable().describe('What the person says, or why somebody should look'),
    createdByUserId: z
      .string()
      .nullable()
      .describe("Who asked for it, or appealed in the person's name; null: a rule asked, or the person appealed"),
    inName: z.boolean().describe("Somebody else made the appeal in the person's name, who can still appeal"),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    claimedByUserId: z.string().nullable(),
    claimedAt: Timestamp.nullable(),
    decidedByUserId: z.string().nullable(),
    decidedAt: Timestamp.nullable(),
    decision: ReviewDecision.nullable(),
    answer: z.string().nullable().describe('Why it was decided so, for the person'),
    unfounded: z.boolean().describe('The appeal was manifestly unfounded, which counts against the person'),
    note: z
      .string()
      .nullable()
      .optional()
      .describe('Only for moderators and keys with the scope plugins; absent for everybody else and in events'),
  })
  .meta({ id: 'Review' });
export type Review = z.infer<typeof Review>;

/** Form in events, without the notes of moderators. */
export const AnnouncedReview = Review.omit({ note: true });

/** What led to the sanction that an appeal is about. */
const SanctionCase = z
  .object({
    id: z.string().describe('The case in which it was decided'),
    category: z.string(),
    decision: z.string().nullable(),
    reasonCode: z.string().nullable(),
    decidedByUserId: z.string().nullable(),
    decidedAt: Timestamp.nullable(),
    note: z.string().nullable().describe('Note for moderators'),
    reports: z.array(Report).describe('Its reports, newest first; their transcript and sound: getReport'),
  })
  .meta({ id: 'SanctionCase' });
export type SanctionCase = z.infer<typeof SanctionCase>;

/** A case with everything needed to decide it, as it is now. */
export const ReviewDetail = Review.extend({
  sanction: Sanction.nullable(),
  createdBy: z
    .string()
    .nullable()
    .describe('Name of who asked for it or appealed in the name of the person; null: nobody, or they are gone'),
  told: ToldPerson.nullable().describe(
    'What the person was told when the sanction was imposed; null: nothing, as of a shadow mute',
  ),
  case: SanctionCase.nullable().describe(
    'The case in which the sanction was decided, with its reports; null: there is none, or the caller may not read reports',
  ),
  consequences: z.array(Sanction).describe('Sanctions that name this review as their evidence'),
  messages: z.array(Message).describe('The messages that the sanction names as its evidence'),
  transcript: z.array(Message).describe('The minute around them, or around the last message before the sanction'),
  cut: cutParts(
    ['messages', 'consequences', 'case', 'transcript'],
    'Read the remaining messages with listMessages, the remaining sanctions with listUserSanctions',
  ),
}).meta({ id: 'ReviewDetail' });
export type ReviewDetail = z.infer<typeof ReviewDetail>;

export const UpdateReviewRequest = z
  .object({
    status: ReviewStatus.optional().describe(
      'claimed: claim it for half an hour, or reopen your own decision; open: release it; decided: needs a decision',
    ),
    decision: ReviewDecision.optional().describe('overturned also revokes the sanction, unless the review is reopened'),
    answer: z
      .string()
      .trim()
      .min(1)
      .max(2000)
      .optional()
      .describe('Why it is decided so, for the person; the decision of an appeal needs it'),
    unfounded: z
      .boolean()
      .optional()
      .describe('The appeal that is upheld is manifestly unfounded: several of them suspend the appeals of the person'),
    note: z.string().max(2000).nullish().describe('Note for moderators; the person never sees it'),
  })
  .meta({ id: 'UpdateReviewRequest' });
export type UpdateReviewRequest = z.infer<typeof UpdateReviewRequest>;

const AppealRequest = z
  .object({ statement: z.string().trim().min(1).max(statementMax).describe('What the person says') })
  .meta({ id: 'AppealRequest' });

export const ReviewListResponse = PageInfo.extend({ reviews: z.array(Review) }).meta({ id: 'ReviewListResponse' });
export type ReviewListResponse = z.infer<typeof ReviewListResponse>;

const group = 'Reviews';
const auth = ['apiKey', 'bearer'] as const;

export const reviewRoutes = {
  list: defineRoute({
    operationId: 'listReviews',
    summary: 'List reviews, longest waiting first.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/reviews',
    auth,
    scope: 'plugins:read',
    role: 'viewer',
    params: ProjectPath,
    query: PageQuery.extend({
      status: ReviewStatus.optional().describe('Only these'),
      kind: ReviewKind.optional().describe('Only these'),
      undecided: QueryFlag.optional().describe('Only reviews that are not decided'),
      search: searchQuery('the name or id of the person').describe(
        'Part of the name or id of the person; or the whole id of a review',
      ),
      externalUserId: ExternalUserId.optional(),
      sanctionId: Id.optional().describe('Only of this sanction'),
      claimedByUserId: Id.optional().describe('Only reviews that this moderator has claimed or decided'),
      decidedSince: TimestampInput.optional().describe('Only reviews that were decided at this time or later'),
      ...madeQuery('reviews opened'),
    }),
    success: { status: 200, body: ReviewListResponse },
    errors: [],
  }),
  get: defineRoute({
    operationId: 'getReview',
    summary: 'Show a review with all that led to it, and what the person was told.',
    description:
      'API keys without the scope messages:read get no messages. The case with its reports is for moderators, and for keys with the scope reports:read.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/reviews/{id}',
    auth,
    scope: 'plugins:read',
    role: 'viewer',
    params: ItemPath,
    success: { status: 200, body: ReviewDetail },
    errors: ['review_not_found'],
  }),
  update: defineRoute({
    operationId: 'updateReview',
    summary: 'Claim, release or decide a review.',
    description:
      'A claim ends after half an hour, unless it is renewed by claiming again, and others can claim the review of somebody who is no moderator any more. Whoever decided a review reopens it with the status claimed. A sanction that the decision overturned is then in force again. An appeal is decided by a person who did not impose the sanction, with an answer for the sanctioned person; API keys cannot claim or decide it.',
    group,
    method: 'patch',
    path: '/api/projects/{projectId}/reviews/{id}',
    auth,
    scope: 'plugins',
    role: 'moderator',
    params: ItemPath,
    body: UpdateReviewRequest,
    success: { status: 200, body: Review },
    errors: [
      'review_not_found',
      'review_claimed',
      'review_not_claimed',
      'review_decided',
      'review_decision_required',
      'appeal_own_sanction',
      'appeal_person_required',
      'appeal_answer_required',
      'appeal_not_unfounded',
    ],
  }),
  appeal: defineRoute({
    operationId: 'appealSanction',
    summary: "Open a review of a sanction on the person's behalf.",
    description:
      "For operators and for the back end of the game. It is marked as made in the person's name, and the person can still appeal once themselves. A sanction can be appealed within six months after it was imposed, and as long as it is active.",
    group,
    method: 'post',
    path: '/api/projects/{projectId}/sanctions/{id}/appeal',
    auth,
    scope: 'sanctions',
    role: 'moderator',
    params: ItemPath,
    body: AppealRequest,
    success: { status: 201, body: Review },
    errors: ['sanction_not_found', 'sanction_not_active', 'appeal_too_late', 'sanction_already_appealed'],
  }),
};
