/**
 * Reports: what players say about others. A player sees a receipt of their own reports, and never the reported person's
 * side; moderators see everything.
 */
import { z } from 'zod';
import {
  cutParts,
  ExternalUserId,
  Id,
  ItemPath,
  isVisible,
  madeQuery,
  notVisible,
  PageInfo,
  PageQuery,
  PathPart,
  ProjectPath,
  RoomId,
  Timestamp,
  TimestampInput,
} from '../common.js';
import { Language } from '../language.js';
import { ReviewDecision, statementMax } from '../moderation/review-decision.js';
import { DecidedBy } from '../moderation/statement-basis.js';
import { defineRoute } from '../route.js';
import { AsrReport } from '../sessions/sessions.js';
import { CategoryName } from './report-settings.js';

export const ReportStatus = z.enum(['open', 'decided']);
export type ReportStatus = z.infer<typeof ReportStatus>;
/** `unfounded`: manifestly, as the Digital Services Act, Article 23(2), means it. */
export const ReportOutcome = z.enum(['action_taken', 'no_action', 'unfounded']);
export type ReportOutcome = z.infer<typeof ReportOutcome>;
export const ReportSource = z.enum(['player', 'room', 'operator', 'notice']);
export type ReportSource = z.infer<typeof ReportSource>;

const evidenceMessagesMax = 20;
export const evidenceSecondsMax = 300;

const ReportEvidence = z
  .object({
    messageIds: z
      .array(Id)
      .max(evidenceMessagesMax)
      .optional()
      .describe('Messages of the transcript; those that are gone are left out'),
    lastSeconds: z
      .int()
      .min(1)
      .max(evidenceSecondsMax)
      .meta({ unit: 'seconds' })
      .optional()
      .describe('What was said in the room in this time before now'),
  })
  .meta({ id: 'ReportEvidence' });

const reportFields = {
  category: CategoryName,
  words: z.string().trim().min(1).max(2000).refine(isVisible, notVisible).optional().describe('What the reporter says'),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, 'is no language tag (BCP 47), such as de or pt-BR')
    .optional()
    .describe('Language of the reporter (BCP 47); receipts are in it where it is known'),
  evidence: ReportEvidence.optional().describe('What the report is based on'),
};
const Reported = ExternalUserId.optional().describe('Person who is reported');

const roomFields = { externalUserId: Reported, ...reportFields };
const playerFields = { roomId: RoomId.optional().describe('Room where it happened'), ...roomFields };

interface WithSeconds {
  readonly roomId?: string | undefined;
  readonly evidence?: { readonly lastSeconds?: number | undefined } | undefined;
}
const namesRoom = ({ roomId, evidence }: WithSeconds): boolean =>
  evidence?.lastSeconds === undefined || roomId !== undefined;
const roomMissing = { path: ['roomId'], message: 'is needed with evidence.lastSeconds' };

/** Names a person, a room, or a message whose author is meant. */
const PlayerReportRequest = z.object(playerFields).refine(namesRoom, roomMissing).meta({ id: 'PlayerReportRequest' });
export type PlayerReportRequest = z.output<typeof PlayerReportRequest>;

const RoomReportRequest = z.object(roomFields).meta({ id: 'RoomReportRequest' });

const noticeLine = z.string().trim().min(1).max(200).refine(isVisible, notVisible);
/** A notice that came from outside the game: Regulation (EU) 2022/2065, Article 16. */
export const Notice = z
  .object({
    from: noticeLine.describe('Where it came from, such as mail, or the name of a trusted flagger'),
    reference: noticeLine.describe('Its reference there; from the same place, each is stored once'),
    trustedFlagger: z.boolean().default(false).describe('A trusted flagger sent it (Article 22); it counts twice'),
    receivedAt: TimestampInput.optional().describe('When it arrived; default: now'),
  })
  .meta({ id: 'Notice' });

export const CreateReportRequest = z
  .object({
    notice: Notice.optional().describe('It is a notice from outside the game'),
    reporterUserId: ExternalUserId.optional().describe('Player who reports; absent: the caller, in their own name'),
    ...playerFields,
  })
  .refine(namesRoom, roomMissing)
  .meta({ id: 'CreateReportRequest' });
export type CreateReportRequest = z.output<typeof CreateReportRequest>;

export const Report = z
  .object({
    id: z.string(),
    tenantId: z.string(),
    projectId: z.string(),
    source: ReportSource.describe('Whose credential it came with'),
    category: z.string(),
    externalUserId: z.string().nullable().describe('Person who is reported; null: a room, or the person was erased'),
    roomId: z.string().nullable(),
    reporterUserId: z.string().nullable().describe('Player who reports; null: the team, or the person was erased'),
    words: z.string().nullable().describe('What the reporter says'),
    language: z.string().nullable(),
    caseId: z.string().nullable().describe('The case that it belongs to'),
    weight: z
      .number()
      .describe('How much it counts by the record of its reporter: 1 for somebody unknown, from 0 to 2'),
    brigaded: z
      .boolean()
      .describe('It came together with others, within a minute or from one gathering, and counts less'),
    noticeFrom: z.string().nullable().describe('Where a notice came from; null: it is none'),
    noticeReference: z.string().nullable().describe('Reference of a notice there'),
    trustedFlagger: z.boolean().describe('A trusted flagger sent it'),
    receivedAt: Timestamp.nullable().describe('When a notice arrived'),
    repeats: z.int().describe('How often the reporter sent it again within the hour'),
    status: ReportStatus,
    outcome: ReportOutcome.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    decidedAt: Timestamp.nullable(),
    decidedBy: DecidedBy.nullable().describe(
      'Who decided; both: a program proposed it, and a person confirmed it; null: undecided, decided by an earlier version, or the outcome followed what became of the sanction',
    ),
    complainedAt: Timestamp.nullable().describe('When the reporter complained about the decision; null: never'),
    complaint: z.string().nullable().describe('What the reporter says about the decision'),
    complaintDecision: ReviewDecision.nullable().describe('overturned: the report is open again, for a new decision'),
    complaintAnswer: z.string().nullable().describe('Why it was decided so, for the reporter'),
    complaintDecidedAt: Timestamp.nullable(),
    complaintDecidedByUserId: z.string().nullable(),
  })
  .meta({ id: 'Report' });
export type Report = z.infer<typeof Report>;

/** Form in events: without who reports and what they say, because an erasure of the reporter could not find it there. */
export const AnnouncedReport = Report.omit({
  reporterUserId: true,
  words: true,
  weight: true,
  noticeFrom: true,
  noticeReference: true,
  complaint: true,
  complaintAnswer: true,
});
export type AnnouncedReport = z.infer<typeof AnnouncedReport>;

/** A line of the transcript, kept with the report whatever becomes of the transcript. */
const ReportLine = z
  .object({
    messageId: z.string(),
    externalUserId: z.string().nullable().describe('Who said it'),
    senderName: z.string(),
    content: z.string(),
    saidAt: Timestamp,
    named: z.boolean().describe('The reporter named this message'),
    asr: AsrReport.nullable().describe('How sure the recogniser was; null: written, or stored by an earlier version'),
  })
  .meta({ id: 'ReportLine' });
export type ReportLine = z.infer<typeof ReportLine>;

/** What one person said in the seconds before the report. */
const ReportSound = z
  .object({
    externalUserId: z.string().describe('Who speaks'),
    startedAt: Timestamp,
    seconds: z.number().describe('Length'),
  })
  .meta({ id: 'ReportSound' });
export type ReportSound = z.infer<typeof ReportSound>;

export const ReportDetail = Report.extend({
  transcript: z.array(ReportLine).describe('The transcript around, as it was when the report came'),
  sound: z.array(ReportSound).describe('The sound that was stored with it, by speaker; fetch it with getReportAudio'),
  cut: cutParts(['transcript', 'sound'], 'The remaining lines are in the transcript of the session'),
}).meta({ id: 'ReportDetail' });
export type ReportDetail = z.infer<typeof ReportDetail>;

/** The reporter's complaint about the decision: Regulation (EU) 2022/2065, Article 20. */
const ReceiptComplaint = z
  .object({
    state: z
      .enum(['possible', 'waiting', 'decided', 'over'])
      .describe('over: it was not made in time, or nobody is left whom the report is about'),
    until: Timestamp.describe('Last moment for a complaint'),
    statement: z.string().nullable().describe('What the reporter says'),
    decision: ReviewDecision.nullable(),
    answer: z.string().nullable().describe('Why it was decided so'),
    decidedAt: Timestamp.nullable(),
  })
  .meta({ id: 'ReceiptComplaint' });
export type ReceiptComplaint = z.infer<typeof ReceiptComplaint>;

/** A report as its reporter sees it. */
export const ReportReceipt = z
  .object({
    id: z.string(),
    category: z.string(),
    externalUserId: z.string().nullable(),
    roomId: z.string().nullable(),
    status: ReportStatus,
    message: z.string().describe("Receipt or outcome in the reporter's language; reveals nothing about others"),
    createdAt: Timestamp,
    decidedAt: Timestamp.nullable(),
    game: z.string().describe('Name of the game: of the settings of the project, else of the project'),
    operator: z.string().nullable().describe('Who runs it, and how to reach them: of the settings of the project'),
    complaint: ReceiptComplaint.nullable().describe('null: the report is undecided, and nobody has complained'),
    language: z.string().describe('Language of the message'),
    url: z
      .string()
      .nullable()
      .describe(
        "The reporter's page, which needs no account. Whoever has the address can read it and complain, so it is null for those who may not report for others, and in answers that are kept for repeats",
      ),
  })
  .meta({ id: 'ReportReceipt' });
export type ReportReceipt = z.infer<typeof ReportReceipt>;

export const ReportListResponse = PageInfo.extend({ reports: z.array(Report) }).meta({ id: 'ReportListResponse' });
export type ReportListResponse = z.infer<typeof ReportListResponse>;
export const ReceiptListResponse = PageInfo.extend({ reports: z.array(ReportReceipt) }).meta({
  id: 'ReceiptListResponse',
});
export type ReceiptListResponse = z.infer<typeof ReceiptListResponse>;

const ReportListQuery = PageQuery.extend({
  status: ReportStatus.optional().describe('Only these'),
  category: CategoryName.optional().describe('Only of this category'),
  externalUserId: ExternalUserId.optional().describe('Only reports about this person'),
  reporterUserId: ExternalUserId.optional().describe('Only reports by this person'),
  caseId: Id.optional().describe('Only reports of this case'),
  complaint: z
    .enum(['waiting', 'decided'])
    .optional()
    .describe(
      'Only reports whose reporters complained about the decision: those that wait for an answer, or the others',
    ),
  ...madeQuery('reports made'),
});
export type ReportListQuery = z.output<typeof ReportListQuery>;

const ComplaintRequest = z
  .object({ statement: z.string().trim().min(1).max(statementMax).describe('Why the decision is wrong') })
  .meta({ id: 'ComplaintRequest' });

const DecideComplaintRequest = z
  .object({
    decision: ReviewDecision.describe(
      'upheld: the decision stays; overturned: the report is open again, in the case of its person, for a new decision',
    ),
    answer: z.string().trim().min(1).max(2000).describe('Why it is decided so, for the reporter'),
  })
  .meta({ id: 'DecideComplaintRequest' });
export type DecideComplaintRequest = z.output<typeof DecideComplaintRequest>;

const group = 'Reports';
const auth = ['apiKey', 'bearer'] as const;
const player = { group, auth: ['playerToken'], projectIn: 'gameplay' } as const;
const ReceiptPath = z.object({ code: PathPart(100).describe('The last part of the address of the page') });
const room = { group, auth: ['roomToken'], role: 'viewer', params: z.object({ roomId: RoomId }) } as const;
const refusals = [
  'report_target_required',
  'report_self',
  'report_category_unknown',
  'reporting_suspended',
  'rate_limited',
] as const;
const atDoor = ['room_token_invalid', 'participant_banned', 'room_closed'] as const;
const joins =
  'A report about the same person within an hour joins the first one. The transcript around is stored with the report at once.';

export const reportRoutes = {
  create: defineRoute({
    operationId: 'createReport',
    summary: 'Report a person or a room, in the name of a player or in your own.',
    description: joins,
    group,
    method: 'post',
    path: '/api/projects/{projectId}/reports',
    auth,
    scope: 'reports',
    role: 'moderator',
    params: ProjectPath,
    body: CreateReportRequest,
    success: { status: 201, body: Report },
    errors: [...refusals],
  }),
  list: defineRoute({
    operationId: 'listReports',
    summary: 'List reports, newest first.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/reports',
    auth,
    scope: 'reports:read',
    role: 'moderator',
    params: ProjectPath,
    query: ReportListQuery,
    success: { status: 200, body: ReportListResponse },
    errors: [],
  }),
  get: defineRoute({
    operationId: 'getReport',
    summary: 'Show a report with the transcript that was stored with it.',
    description: 'API keys without the scope messages:read get no transcript.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/reports/{id}',
    auth,
    scope: 'reports:read',
    role: 'moderator',
    params: ItemPath,
    success: { status: 200, body: ReportDetail },
    errors: ['report_not_found'],
  }),
  audio: defineRoute({
    operationId: 'getReportAudio',
    summary: 'Fetch the sound that was stored with a report, as one WAV file.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/reports/{id}/audio',
    auth,
    scope: 'messages:read',
    role: 'moderator',
    params: ItemPath,
    query: z.object({ externalUserId: ExternalUserId.optional().describe('Only what this person says') }),
    success: { status: 200, contentType: 'audio/wav' },
    errors: ['report_not_found', 'report_audio_not_found'],
  }),
};

const complaintErrors = ['report_undecided', 'report_already_complained', 'complaint_too_late'] as const;
const complainable =
  'Once, within six months after the decision. Somebody who did not decide answers it; the receipt has the answer.';

/** Complaints of reporters about decisions on their reports: Regulation (EU) 2022/2065, Article 20. */
export const complaintRoutes = {
  receipt: defineRoute({
    operationId: 'getReportReceipt',
    summary: "Show what the reporter is told, with the address of the reporter's page.",
    description:
      'Send the address to whoever sent a notice from outside the game: it shows the receipt and the outcome, and takes a complaint.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/reports/{id}/receipt',
    auth,
    scope: 'reports:read',
    role: 'moderator',
    params: ItemPath,
    success: { status: 200, body: ReportReceipt },
    errors: ['report_not_found'],
  }),
  decide: defineRoute({
    operationId: 'decideComplaint',
    summary: "Decide a reporter's complaint about the decision on a report.",
    description:
      'A person decides it who neither made nor proposed the decision. A complaint that waits is in the case of the person whom the report is about.',
    group,
    method: 'patch',
    path: '/api/projects/{projectId}/reports/{id}/complaint',
    auth,
    scope: 'reports',
    role: 'moderator',
    params: ItemPath,
    body: DecideComplaintRequest,
    success: { status: 200, body: Report },
    errors: ['report_not_found', 'complaint_not_waiting', 'complaint_own_decision', 'appeal_person_required'],
  }),
  mine: defineRoute({
    ...player,
    operationId: 'complainAsPlayer',
    summary: 'Complain about the decision on one of your own reports.',
    description: complainable,
    method: 'post',
    path: '/api/v1/reports/{id}/complaint',
    params: z.object({ id: Id }),
    body: ComplaintRequest,
    success: { status: 201, body: ReportReceipt },
    errors: ['player_token_invalid', 'report_not_found', ...complaintErrors],
  }),
  read: defineRoute({
    operationId: 'readReceipt',
    summary: 'Show the receipt of the report whose code somebody has.',
    group,
    method: 'get',
    path: '/api/receipts/{code}',
    auth: [],
    params: ReceiptPath,
    query: z.object({
      language: Language.optional().describe('Language of the message; default: that of the report, else English'),
    }),
    success: { status: 200, body: ReportReceipt },
    errors: ['receipt_code_invalid'],
  }),
  complain: defineRoute({
    operationId: 'complainWithCode',
    summary: 'Complain about the decision on the report whose code somebody has.',
    description: complainable,
    group,
    method: 'post',
    path: '/api/receipts/{code}/complaint',
    auth: [],
    params: ReceiptPath,
    body: ComplaintRequest,
    success: { status: 201, body: ReportReceipt },
    errors: ['receipt_code_invalid', ...complaintErrors],
    idempotencyKey: false,
  }),
};

export const playerReportRoutes = {
  create: defineRoute({
    ...player,
    operationId: 'reportAsPlayer',
    summary: 'Report a person or a room.',
    description: `${joins} Name only a room that you are in, or were in within the last five minutes, and messages that were said while you were there.`,
    method: 'post',
    path: '/api/v1/reports',
    body: PlayerReportRequest,
    success: { status: 201, body: ReportReceipt },
    errors: ['player_token_invalid', 'report_not_in_room', 'report_not_heard', ...refusals],
  }),
  list: defineRoute({
    ...player,
    operationId: 'listOwnReports',
    summary: 'List your own reports with what came of them, newest first.',
    method: 'get',
    path: '/api/v1/reports',
    query: PageQuery,
    success: { status: 200, body: ReceiptListResponse },
    errors: ['player_token_invalid'],
  }),
  get: defineRoute({
    ...player,
    operationId: 'getOwnReport',
    summary: 'Show one of your own reports with what came of it.',
    description: 'Reports of others are not found.',
    method: 'get',
    path: '/api/v1/reports/{id}',
    params: z.object({ id: Id }),
    success: { status: 200, body: ReportReceipt },
    errors: ['player_token_invalid', 'report_not_found'],
  }),
};

export const roomReportRoutes = {
  create: defineRoute({
    ...room,
    operationId: 'reportInRoom',
    summary: 'Report a person in your room, or the room.',
    description: joins,
    method: 'post',
    path: '/rooms/{roomId}/reports',
    body: RoomReportRequest,
    success: { status: 201, body: ReportReceipt },
    errors: [
      ...([...atDoor, 'report_not_heard', 'report_self'] as const),
      ...(['report_category_unknown', 'reporting_suspended', 'rate_limited'] as const),
    ],
  }),
  get: defineRoute({
    ...room,
    operationId: 'getReportInRoom',
    summary: 'Show one of your own reports with what came of it.',
    description: 'Reports of others are not found.',
    method: 'get',
    path: '/rooms/{roomId}/reports/{id}',
    params: z.object({ roomId: RoomId, id: Id }),
    success: { status: 200, body: ReportReceipt },
    errors: [...atDoor, 'report_not_found'],
  }),
};
