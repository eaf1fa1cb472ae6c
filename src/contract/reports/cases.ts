/**
 * Cases: everything about one person that a moderator has to decide, reports and reviews, under one priority. A case is
 * claimed for a time, and decided once.
 */
import { z } from 'zod';
import {
  cutParts,
  ExternalUserId,
  Id,
  ItemPath,
  ProjectPath,
  pageLimit,
  QueryFlag,
  searchQuery,
  Timestamp,
  TimestampInput,
} from '../common.js';
import { Review } from '../moderation/reviews.js';
import { kindOf } from '../moderation/sanction-kinds.js';
import { SanctionParameters } from '../moderation/sanction-parameters.js';
import { SanctionName, SanctionType } from '../moderation/sanction-record.js';
import { Duration, Reason } from '../moderation/sanctions.js';
import { DecidingActor, Ground } from '../moderation/statement-basis.js';
import { defineRoute } from '../route.js';
import { Order } from './orders.js';
import { CategoryName } from './report-settings.js';
import { Report } from './reports.js';

/** `unconfirmed`: a ban waits for a second moderator; nothing else ends the case but the erasure of its person. */
export const CaseStatus = z.enum(['open', 'claimed', 'unconfirmed', 'decided']);
export type CaseStatus = z.infer<typeof CaseStatus>;
/** `merged`: into another case. `reviewed`: its reviews and orders were decided one by one, and nothing else was in it. */
export const CaseDecision = z.enum(['no_action', 'sanction', 'merged', 'reviewed']);
export type CaseDecision = z.infer<typeof CaseDecision>;
const reasonCodes = [
  'violation',
  'illegal_content',
  'no_violation',
  'insufficient_evidence',
  'unfounded_reports',
] as const;
const ReasonCode = z.enum(reasonCodes);
/** `person_erased`: the daemon closed the case, because nobody is left whom it is about. */
export const CaseReason = z.enum([...reasonCodes, 'person_erased']);
export type CaseReason = z.infer<typeof CaseReason>;
const EscalationRole = z.enum(['moderator', 'admin', 'owner']);

export const Case = z
  .object({
    id: z.string(),
    tenantId: z.string(),
    projectId: z.string(),
    status: CaseStatus.describe('A claim whose time is over counts as open'),
    category: z
      .string()
      .describe('The heaviest category of its reports; review: it has no report; appeal: only appeals'),
    externalUserId: z.string().nullable().describe('Person it is about; null: a room, or the person was erased'),
    roomId: z.string().nullable().describe('Room it is about, where it is about no person'),
    reports: z.int().describe('Number of reports'),
    reporters: z.int().describe('Number of people who reported'),
    reviews: z.int().describe('Number of reviews, appeals, and complaints of reporters'),
    blockers: z.int().describe('People who block the person, as of the last block or the opening of the case'),
    orders: z.int().describe('Number of orders of authorities'),
    trusted: z.int().describe('Number of notices of trusted flaggers'),
    weight: z.number().describe('How much the reports count together, by the record of their reporters'),
    brigaded: z.int().describe('Reports that came together within a minute, or from one gathering; they count less'),
    priority: z.number().describe('Now; higher comes first'),
    why: z.string().describe('What the priority is made of'),
    speaking: z.boolean().describe('The person is speaking in a room now'),
    escalatedTo: EscalationRole.nullable().describe('Least role that may decide it; null: moderator'),
    claimedByUserId: z.string().nullable(),
    claimedAt: Timestamp.nullable(),
    claimExpiresAt: Timestamp.nullable().describe('Then somebody else may claim it'),
    proposedByUserId: z.string().nullable().describe('Who proposed a ban that somebody else must confirm'),
    decision: CaseDecision.nullable(),
    reasonCode: CaseReason.nullable(),
    sanctionId: z
      .string()
      .nullable()
      .describe('The sanction that was imposed; while a ban is unconfirmed, the one that holds meanwhile'),
    mergedIntoId: z.string().nullable().describe('The case that it was merged into'),
    decidedByUserId: z.string().nullable(),
    decidedAt: Timestamp.nullable(),
    dueAt: Timestamp.describe('By when it should be decided, by the goals of its categories'),
    missedAt: Timestamp.nullable().describe('When it was found undecided after that'),
    heldAt: Timestamp.nullable().describe('On legal hold since; null: it is not'),
    heldByUserId: z.string().nullable().describe('Who put it on hold'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Case' });
export type Case = z.infer<typeof Case>;

/**
 * Form in events, which every viewer reads: without what changes by itself, and without what shows an order of an authority, a
 * legal hold, or who blocks the person.
 */
export const AnnouncedCase = Case.omit({
  ...{ priority: true, why: true, speaking: true },
  ...{ orders: true, heldAt: true, heldByUserId: true, blockers: true },
});
export type AnnouncedCase = z.infer<typeof AnnouncedCase>;

/** What at least three reporters of a case have in common. */
const SharedTrait = z
  .object({
    what: z
      .enum(['gathering', 'reports'])
      .describe('gathering: they sit in one gathering; reports: they reported somebody else, too, within 30 days'),
    about: z.string().nullable().describe('Whom else they reported'),
    reporters: z.array(z.string()).describe('Who they are'),
  })
  .meta({ id: 'SharedTrait' });
export type SharedTrait = z.infer<typeof SharedTrait>;

const CaseSanction = z
  .object({
    type: SanctionType.exclude(['human_review']).describe('Kind of sanction'),
    duration: Duration.optional(),
    reason: Reason.optional(),
    template: SanctionName.optional().describe('Use the reason of this template'),
    parameters: SanctionParameters.optional().describe('What the type of sanction needs besides'),
    ground: Ground.optional().describe(
      'The law or the terms that it is against; default: that of the template. illegal_content needs a law: this one, that of the template, or that of an order in the case',
    ),
    decidedBy: DecidingActor.optional().describe(
      'Who decided; an API key is taken for a program, unless it says person',
    ),
  })
  .meta({ id: 'CaseSanction' });

/** What somebody proposed, and somebody else confirms or turns down. */
const CaseProposal = z
  .object({
    reasonCode: ReasonCode,
    sanction: CaseSanction.describe('Sanction that a confirmation imposes'),
    note: z.string().nullable().describe('Note of whoever proposed it'),
  })
  .meta({ id: 'CaseProposal' });
export type CaseProposal = z.infer<typeof CaseProposal>;

export const CaseDetail = Case.extend({
  note: z.string().nullable().describe('Note for moderators; the person never sees it'),
  proposal: CaseProposal.nullable().describe('What waits for a second person; null: nothing does'),
  holdReason: z.string().nullable().describe('Why it is on hold'),
  reportList: z
    .array(Report)
    .describe('Its reports: of its category first, of these the most reliable, of these the newest'),
  shared: z.array(SharedTrait).describe('What its reporters have in common, the most people first'),
  reviewList: z.array(Review).describe('Its reviews, oldest first'),
  complaintList: z
    .array(Report)
    .describe('Reports that were decided before, and whose reporters complain about the decision; oldest first'),
  orderList: z.array(Order).describe('Its orders of authorities, oldest first'),
  cut: cutParts(
    ['orderList', 'reviewList', 'complaintList', 'reportList'],
    'Read the remaining reports with listReports, reviews with listReviews, orders with listOrders',
  ),
}).meta({ id: 'CaseDetail' });
export type CaseDetail = z.infer<typeof CaseDetail>;

const CasePage = z
  .object({
    cases: z.array(Case),
    total: z.int().describe('Number of cases in total'),
    next: z.string().nullable().describe('Pass this as `after` to continue; null: there is no more'),
  })
  .meta({ id: 'CasePage' });
export type CasePage = z.infer<typeof CasePage>;

const CaseListQuery = z.object({
  limit: pageLimit('Cases'),
  after: z
    .string()
    .regex(/^-?\d+(\.\d+)?_[\w-]{1,100}$/, 'is no cursor; send the `next` of an answer')
    .optional()
    .describe('Continue after this cursor: `next` of the previous answer'),
  status: CaseStatus.optional().describe('Only these; default: all that are not decided'),
  category: CategoryName.optional().describe('Only of this category'),
  externalUserId: ExternalUserId.optional().describe('Only about this person'),
  claimedByUserId: Id.optional().describe('Only cases that this moderator has claimed'),
  escalatedTo: EscalationRole.optional().describe('Only cases that were escalated to this role'),
  decidedSince: TimestampInput.optional().describe('Only cases that were decided at this time or later'),
  overdue: QueryFlag.optional().describe('Only cases that missed their service goal'),
  search: searchQuery('the name or id of the person').describe(
    'Part of the name or id of the person; or the whole id of a room or a case',
  ),
});
export type CaseListQuery = z.output<typeof CaseListQuery>;

/** Category of a case in which there are appeals alone. */
export const appealsOnly = 'appeal';

const Note = z.string().max(2000).optional().describe('Note for moderators; the person never sees it');

export const DecideCaseRequest = z
  .object({
    decision: z.enum(['no_action', 'sanction']).describe('sanction: imposes `sanction` on the person'),
    reasonCode: ReasonCode.describe(
      'unfounded_reports: the reports are manifestly unfounded, which counts against reporters',
    ),
    sanction: CaseSanction.optional().describe('Sanction to impose'),
    banMeanwhile: Duration.optional().describe(
      'Seconds for which the person is banned at once, where the sanction is a ban that waits for a second person; it ends when that ban is turned down. A ban that waits for nobody holds at once, without it',
    ),
    note: Note,
  })
  .refine(({ decision, sanction }) => (decision === 'sanction') === (sanction !== undefined), {
    path: ['sanction'],
    message: 'send it with the decision sanction, and with no other',
  })
  .refine(({ sanction, banMeanwhile }) => banMeanwhile === undefined || kindOf(sanction?.type ?? '').name === 'ban', {
    path: ['banMeanwhile'],
    message: 'send it with a ban',
  })
  .refine(
    ({ decision, reasonCode }) =>
      (decision === 'sanction') === (reasonCode === 'violation' || reasonCode === 'illegal_content'),
    {
      path: ['reasonCode'],
      message: 'must be violation or illegal_content with a sanction, and another one with no_action',
    },
  )
  .meta({ id: 'DecideCaseRequest' });
export type DecideCaseRequest = z.output<typeof DecideCaseRequest>;

const ConfirmCaseRequest = z
  .object({
    agree: z
      .boolean()
      .describe(
        'false: the case is open again, or decided if everything in it was answered; nothing is imposed, and a ban that holds meanwhile is revoked',
      ),
    note: Note,
  })
  .meta({ id: 'ConfirmCaseRequest' });
const ReopenCaseRequest = z.object({ note: Note }).meta({ id: 'ReopenCaseRequest' });
export const EscalateCaseRequest = z
  .object({ role: EscalationRole.describe('Least role that may decide the case from now on'), note: Note })
  .meta({ id: 'EscalateCaseRequest' });
const MergeCaseRequest = z
  .object({ intoId: Id.describe('Case that gets the reports and reviews') })
  .meta({ id: 'MergeCaseRequest' });
export const SplitCaseRequest = z
  .object({
    reportIds: z.array(Id).max(1_000).default([]).describe('Reports of the case that go to a new one'),
    reviewIds: z.array(Id).max(1_000).default([]).describe('Reviews of the case that go to a new one'),
  })
  .meta({ id: 'SplitCaseRequest' });
export type SplitCaseRequest = z.output<typeof SplitCaseRequest>;

const HoldCaseRequest = z
  .object({ reason: z.string().trim().min(1).max(1000).describe('Why, such as a court and its file number') })
  .meta({ id: 'HoldCaseRequest' });

const group = 'Cases';
const auth = ['apiKey', 'bearer'] as const;
const read = { group, method: 'get', auth, scope: 'reports:read', role: 'moderator' } as const;
const act = {
  group,
  method: 'post',
  auth,
  scope: 'reports',
  role: 'moderator',
  params: ItemPath,
  success: { status: 200, body: Case },
} as const;
const undecided = ['case_not_found', 'case_decided', 'case_claimed', 'insufficient_role'] as const;

export const caseRoutes = {
  list: defineRoute({
    ...read,
    operationId: 'listCases',
    summary: 'List cases, highest priority first.',
    path: '/api/projects/{projectId}/cases',
    params: ProjectPath,
    query: CaseListQuery,
    success: { status: 200, body: CasePage },
    errors: [],
  }),
  get: defineRoute({
    ...read,
    operationId: 'getCase',
    summary: 'Show a case with its reports and reviews.',
    description:
      'The transcript stored with a report is in the report. What people wrote in reviews is shown to keys with the scope plugins:read.',
    path: '/api/projects/{projectId}/cases/{id}',
    params: ItemPath,
    success: { status: 200, body: CaseDetail },
    errors: ['case_not_found'],
  }),
  claim: defineRoute({
    ...act,
    operationId: 'claimCase',
    summary: 'Claim a case for half an hour; claim it again to have it longer.',
    path: '/api/projects/{projectId}/cases/{id}/claim',
    errors: [...undecided, 'case_unconfirmed'],
  }),
  release: defineRoute({
    ...act,
    operationId: 'releaseCase',
    summary: 'Release a case that you claimed, so that somebody else can decide it.',
    path: '/api/projects/{projectId}/cases/{id}/release',
    errors: ['case_not_found', 'case_decided', 'case_claimed', 'case_unconfirmed'],
  }),
  decide: defineRoute({
    ...act,
    operationId: 'decideCase',
    summary: 'Decide a case: no action, or a sanction.',
    description:
      'The first decision counts; a second is refused, and the refusal says who decided what. A key needs the scope sanctions for a sanction.',
    path: '/api/projects/{projectId}/cases/{id}/decide',
    body: DecideCaseRequest,
    errors: [
      ...undecided,
      'case_unconfirmed',
      'case_without_person',
      'case_appeal_undecided',
      'case_ground_mismatch',
      'ban_needs_second_person',
      'insufficient_scope',
      'sanction_time_invalid',
      'sanction_parameters_invalid',
      'sanction_template_not_found',
    ],
  }),
  confirm: defineRoute({
    ...act,
    operationId: 'confirmCase',
    summary: 'Confirm a ban that somebody else proposed, or turn it down.',
    description:
      'Only somebody who has logged in may: an API key is no second pair of eyes. Whoever proposed the ban may turn it down, which withdraws it. A ban that holds meanwhile ends with either.',
    path: '/api/projects/{projectId}/cases/{id}/confirm',
    body: ConfirmCaseRequest,
    errors: [
      'case_not_found',
      'case_decided',
      'case_not_proposed',
      'case_same_moderator',
      'case_person_required',
      'insufficient_role',
      'insufficient_scope',
    ],
  }),
  reopen: defineRoute({
    ...act,
    operationId: 'reopenCase',
    summary: 'Take a decision back: what it imposed is revoked, and the case is open.',
    description:
      'Its reports, reviews and orders are undecided again, and the decision no longer counts for the reporters. For whoever decided it, and for administrators.',
    path: '/api/projects/{projectId}/cases/{id}/reopen',
    body: ReopenCaseRequest.optional().default({}),
    errors: ['case_not_found', 'case_not_reopenable', 'case_appeal_undecided', 'insufficient_role'],
  }),
  escalate: defineRoute({
    ...act,
    operationId: 'escalateCase',
    summary: 'Leave a case to people with a higher role.',
    path: '/api/projects/{projectId}/cases/{id}/escalate',
    body: EscalateCaseRequest,
    errors: [...undecided, 'case_unconfirmed'],
  }),
  hold: defineRoute({
    ...act,
    operationId: 'holdCase',
    summary: 'Put a case on legal hold: nothing that it rests on is deleted.',
    description:
      'Reports, transcript lines and sound of the people in the case stay, whatever the settings say, and these people are not erased. Their erasure is remembered, and runs once the hold is lifted. For administrators, not for API keys.',
    auth: ['bearer'],
    role: 'admin',
    path: '/api/projects/{projectId}/cases/{id}/hold',
    body: HoldCaseRequest,
    errors: ['case_not_found', 'case_held'],
  }),
  liftHold: defineRoute({
    ...act,
    operationId: 'liftCaseHold',
    summary: 'Lift the legal hold of a case.',
    description: 'What has expired meanwhile is deleted, and erasures that were asked for are carried out.',
    auth: ['bearer'],
    role: 'admin',
    path: '/api/projects/{projectId}/cases/{id}/lift-hold',
    errors: ['case_not_found', 'case_not_held'],
  }),
  merge: defineRoute({
    ...act,
    operationId: 'mergeCase',
    summary: 'Merge a case into another one.',
    path: '/api/projects/{projectId}/cases/{id}/merge',
    body: MergeCaseRequest,
    errors: [...undecided, 'case_unconfirmed', 'case_merge_into_self'],
  }),
  split: defineRoute({
    ...act,
    operationId: 'splitCase',
    summary: 'Move some reports and reviews of a case to a new case.',
    description: 'The new case is about the person they are about, so move those of one person at a time.',
    path: '/api/projects/{projectId}/cases/{id}/split',
    body: SplitCaseRequest,
    success: { status: 201, body: Case },
    errors: [...undecided, 'case_unconfirmed', 'case_split_invalid'],
  }),
};
