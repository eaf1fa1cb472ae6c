/** Sanctions: what moderators and rules impose on people, and what is asked of the daemon for it. */
import { z } from 'zod';
import {
  ExternalUserId,
  FreeData,
  Id,
  ItemPath,
  madeQuery,
  PageInfo,
  PageQuery,
  PartQuery,
  ProjectPath,
  QueryFlag,
  TimestampInput,
} from '../common.js';
import { defineRoute } from '../route.js';
import { SanctionParameters } from './sanction-parameters.js';
import {
  Sanction,
  SanctionEvidence,
  SanctionName,
  SanctionScope,
  SanctionStatus,
  SanctionType,
} from './sanction-record.js';
import { DecidingActor, FoundBy, Ground, StatementSource } from './statement-basis.js';

export const Reason = z.string().max(500).describe('Reason, shown to the sanctioned person');
const Note = z.string().max(2000).describe('Note for moderators; the person never sees it');
/** Sanctions that one may replace: far more than are in force against anybody. */
const replacedMax = 100;
const durationSecondsMax = 10 * 365 * 86_400;
export const Duration = z
  .int()
  .positive()
  .max(durationSecondsMax)
  .meta({ unit: 'seconds' })
  .describe('Seconds; default: until revoked');

/** Asks for a sanction. At least one of `participantId` and `externalUserId` names the target. */
export const CreateSanctionRequest = z
  .object({
    type: SanctionType.describe('Kind of sanction'),
    participantId: Id.optional().describe('Participant to sanction'),
    externalUserId: ExternalUserId.optional().describe("User to sanction, by the project's own id"),
    sessionId: Id.optional().describe('Limit the sanction to this session'),
    duration: Duration.optional(),
    startAt: TimestampInput.optional().describe('Default: now'),
    endAt: TimestampInput.optional().describe('Instead of duration'),
    reason: Reason.optional(),
    template: SanctionName.optional().describe('Use the reason of this template'),
    note: Note.optional(),
    scope: SanctionScope.optional().describe("For the project's own use: text, or an object of at most 4 KiB"),
    metadata: FreeData.optional().describe("For the project's own use: an object"),
    parameters: SanctionParameters.optional().describe('What the type of sanction needs besides'),
    evidence: SanctionEvidence.optional().describe('What it is based on: messages, a rule, a review'),
    source: StatementSource.optional().describe('Who brought it up; default: own_initiative'),
    decidedBy: DecidingActor.optional().describe(
      'Who decided. Default: a person who is signed in decides as a person, and nothing else may be said; an API key is taken for a program, unless it says person',
    ),
    foundBy: FoundBy.optional().describe(
      'Who found it. Default: a program, where the evidence names a rule, a review that a rule asked for or a line that toxicity was found in, or where a program decides on its own initiative; else a person',
    ),
    ground: Ground.optional().describe('The law or the terms that it is against; default: that of the template'),
    replaces: z
      .array(Id)
      .max(replacedMax)
      .optional()
      .describe('Sanctions of the same person that end at once; an undo puts them back'),
  })
  .meta({ id: 'CreateSanctionRequest' });
export type CreateSanctionRequest = z.infer<typeof CreateSanctionRequest>;

export const UpdateSanctionRequest = z
  .object({
    reason: Reason.nullish(),
    note: Note.nullish(),
    duration: Duration.nullish(),
    endAt: TimestampInput.nullish().describe('Instead of duration; null: until revoked'),
    scope: SanctionScope.nullish().describe("For the project's own use; null: none"),
    metadata: FreeData.nullish().describe("For the project's own use, replaced as a whole; null: none"),
    parameters: SanctionParameters.nullish().describe('What the type of sanction needs besides; null: nothing'),
  })
  .meta({ id: 'UpdateSanctionRequest' });
export type UpdateSanctionRequest = z.infer<typeof UpdateSanctionRequest>;

export const RevokeSanctionRequest = z
  .object({ reason: z.string().max(500).optional().describe('Why it is revoked') })
  .meta({ id: 'RevokeSanctionRequest' });
export type RevokeSanctionRequest = z.infer<typeof RevokeSanctionRequest>;

const UndoneSanction = z
  .object({
    sanction: Sanction.describe('Revoked'),
    restored: z.array(Sanction).describe('What it had replaced, in force again'),
  })
  .meta({ id: 'UndoneSanction' });
export type UndoneSanction = z.infer<typeof UndoneSanction>;

/** What one moderator or key did in a time. */
export const UndoActsRequest = z
  .object({
    createdByUserId: Id.describe('Moderator or key whose acts are undone'),
    since: TimestampInput.describe('Only what they did at this time or later'),
    until: TimestampInput.optional().describe('Only what they did before this time'),
    reason: z.string().max(500).optional().describe('Why it is undone'),
    dryRun: z.boolean().default(false).describe('Report what would happen, and change nothing'),
  })
  .meta({ id: 'UndoActsRequest' });
export type UndoActsRequest = z.infer<typeof UndoActsRequest>;

const UndoneActs = z
  .object({
    revoked: z.int().describe('Sanctions that they imposed and that had not ended: revoked'),
    restored: z.int().describe('Sanctions that they revoked and whose time is not over: in force again'),
    dryRun: z.boolean(),
  })
  .meta({ id: 'UndoneActs' });
export type UndoneActs = z.infer<typeof UndoneActs>;

export const SanctionListResponse = PageInfo.extend({ sanctions: z.array(Sanction) }).meta({
  id: 'SanctionListResponse',
});
export type SanctionListResponse = z.infer<typeof SanctionListResponse>;

const group = 'Sanctions';
const auth = ['apiKey', 'bearer'] as const;
const UserPath = ProjectPath.extend({ externalUserId: ExternalUserId });

/** Names that lists accept instead of a type. */
const SanctionListType = z.enum([...SanctionType.options, 'ban']);
export type SanctionListType = z.infer<typeof SanctionListType>;

const SanctionListQuery = PageQuery.extend({
  type: SanctionListType.optional().describe('ban: temp_ban and perm_ban'),
  externalUserId: ExternalUserId.optional().describe('Only sanctions against this user'),
  createdByUserId: Id.optional().describe('Only sanctions that this moderator or key imposed'),
  createdByRuleId: Id.optional().describe('Only sanctions that this rule imposed'),
  bySystem: QueryFlag.optional().describe('Only sanctions that neither a person, a key nor a rule imposed'),
  status: SanctionStatus.optional().describe('Only these'),
  activeOnly: QueryFlag.optional().describe('Only sanctions in force now'),
  endsBefore: TimestampInput.optional().describe('Only sanctions in force that end before this time'),
  batchId: SanctionName.optional().describe('Only sanctions of this batch'),
  ...madeQuery('sanctions imposed'),
});
export type SanctionListQuery = z.output<typeof SanctionListQuery>;

export const sanctionRoutes = {
  create: defineRoute({
    operationId: 'createSanction',
    summary: 'Issue a sanction against a participant or a user.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/sanctions',
    auth,
    scope: 'sanctions',
    role: 'moderator',
    params: ProjectPath,
    body: CreateSanctionRequest,
    success: { status: 201, body: Sanction },
    errors: [
      'sanction_not_found',
      'sanction_target_required',
      'sanction_target_mismatch',
      'sanction_time_invalid',
      'sanction_parameters_invalid',
      'provider_unsupported',
      'participant_not_found',
      'session_not_found',
      'sanction_template_not_found',
      'ban_needs_second_person',
    ],
  }),
  list: defineRoute({
    operationId: 'listSanctions',
    summary: 'List sanctions, newest first.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/sanctions',
    auth,
    scope: 'sanctions:read',
    role: 'viewer',
    params: ProjectPath,
    query: SanctionListQuery,
    success: { status: 200, body: SanctionListResponse },
    errors: [],
  }),
  get: defineRoute({
    operationId: 'getSanction',
    summary: 'Show a sanction.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/sanctions/{id}',
    auth,
    scope: 'sanctions:read',
    role: 'viewer',
    params: ItemPath,
    success: { status: 200, body: Sanction },
    errors: ['sanction_not_found'],
  }),
  update: defineRoute({
    operationId: 'updateSanction',
    summary: 'Change a sanction while it is active.',
    group,
    method: 'patch',
    path: '/api/projects/{projectId}/sanctions/{id}',
    auth,
    scope: 'sanctions',
    role: 'moderator',
    params: ItemPath,
    body: UpdateSanctionRequest,
    success: { status: 200, body: Sanction },
    errors: [
      ...(['sanction_not_found', 'sanction_not_active', 'sanction_time_invalid'] as const),
      ...(['sanction_parameters_invalid', 'ban_needs_second_person'] as const),
    ],
  }),
  revoke: defineRoute({
    operationId: 'revokeSanction',
    summary: 'Revoke a sanction at once (unmute, unban).',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/sanctions/{id}/revoke',
    auth,
    scope: 'sanctions',
    role: 'moderator',
    params: ItemPath,
    body: RevokeSanctionRequest.optional().default({}),
    success: { status: 200, body: Sanction },
    errors: ['sanction_not_found', 'sanction_not_active'],
  }),
  undo: defineRoute({
    operationId: 'undoSanction',
    summary: 'Undo a sanction: revoke it, and put back what it replaced.',
    description: 'What it replaced is in force again for the rest of its time.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/sanctions/{id}/undo',
    auth,
    scope: 'sanctions',
    role: 'moderator',
    params: ItemPath,
    body: RevokeSanctionRequest.optional().default({}),
    success: { status: 200, body: UndoneSanction },
    errors: ['sanction_not_found', 'sanction_not_active'],
  }),
  undoActs: defineRoute({
    operationId: 'undoActs',
    summary: 'Undo what one moderator or key did: revoke what they imposed, put back what they revoked.',
    description:
      'Sanctions change 1,000 at a time. If the call is interrupted, repeat it: it continues with the rest. Changed reasons and ends of sanctions, and decisions on reviews and cases, stay as they are.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/sanctions/undo',
    auth,
    scope: 'sanctions',
    role: 'moderator',
    params: ProjectPath,
    body: UndoActsRequest,
    success: { status: 200, body: UndoneActs },
    errors: [],
  }),
  ofUser: defineRoute({
    operationId: 'listUserSanctions',
    summary: 'List every sanction against a user, including past ones.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/sanctions/user/{externalUserId}',
    auth,
    scope: 'sanctions:read',
    role: 'viewer',
    params: UserPath,
    query: PartQuery,
    success: { status: 200, body: z.array(Sanction) },
    errors: [],
  }),
  ofParticipant: defineRoute({
    operationId: 'listParticipantSanctions',
    summary: 'List every sanction of a participant.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/sanctions/participant/{participantId}',
    auth,
    scope: 'sanctions:read',
    role: 'viewer',
    params: ProjectPath.extend({ participantId: Id }),
    query: PartQuery,
    success: { status: 200, body: z.array(Sanction) },
    errors: [],
  }),
  activeOfUser: defineRoute({
    operationId: 'listActiveUserSanctions',
    summary: 'List the sanctions in force against a user now.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/sanctions/user/{externalUserId}/active',
    auth,
    scope: 'sanctions:read',
    role: 'viewer',
    params: UserPath,
    query: PartQuery.extend({ type: SanctionType.optional() }),
    success: { status: 200, body: z.array(Sanction) },
    errors: [],
  }),
  liftErasedBans: defineRoute({
    operationId: 'liftErasedBans',
    summary: 'Revoke the bans of somebody whose data was erased.',
    description:
      'After an erasure, all that is kept of an active ban is a keyed hash of the external id, with type and end, so no list shows it.',
    group,
    method: 'delete',
    path: '/api/projects/{projectId}/erased-bans/{externalUserId}',
    auth,
    scope: 'sanctions',
    role: 'moderator',
    params: UserPath,
    success: {
      status: 200,
      body: z.object({ lifted: z.int().describe('Bans revoked') }).meta({ id: 'LiftedBans' }),
    },
    errors: [],
  }),
};
