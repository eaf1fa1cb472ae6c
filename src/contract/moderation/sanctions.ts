/** Sanctions: what moderators and rules impose on people. */
import { z } from 'zod';
import {
  ExternalUserId,
  FreeData,
  Id,
  ItemPath,
  MadeQuery,
  PageInfo,
  PageQuery,
  ProjectPath,
  QueryFlag,
  Timestamp,
  TimestampInput,
} from '../common.js';
import { Participant } from '../people/participants.js';
import { defineRoute } from '../route.js';
import { SanctionParameters } from './sanction-parameters.js';

export const sanctionTypes = [
  'warn',
  'mute',
  'listen_only',
  'text_only',
  'rate_limit',
  'shadow_mute',
  'temp_ban',
  'perm_ban',
  'ranked_restriction',
  'queue_delay',
  'party_restriction',
  'human_review',
] as const;
export const SanctionType = z.enum(sanctionTypes);
export type SanctionType = z.infer<typeof SanctionType>;

export const SanctionEvidence = z
  .object({
    messageIds: z.array(Id).max(100).optional().describe('Messages of the project'),
    ruleId: Id.optional().describe('A rule of the project'),
    ruleVersion: z.int().optional().describe('A version of that rule'),
    score: z.number().optional().describe('The score that the rule found'),
    reviewId: Id.optional().describe('A review of the project'),
  })
  .meta({ id: 'SanctionEvidence' });

const SanctionStatus = z.enum(['active', 'expired', 'revoked']);

export const Sanction = z
  .object({
    id: z.string(),
    tenantId: z.string(),
    projectId: z.string(),
    participantId: z.string().nullable(),
    externalUserId: z.string().nullable(),
    sessionId: z.string().nullable().describe('The sanction holds in this session only'),
    type: SanctionType,
    scope: z.string().nullable(),
    metadata: FreeData.nullable(),
    parameters: SanctionParameters.nullable(),
    evidence: SanctionEvidence.nullable(),
    reason: z.string().nullable().describe('Shown to the person it is against'),
    note: z
      .string()
      .nullable()
      .optional()
      .describe('For moderators and keys with the scope sanctions: left out for everybody else, and in every event'),
    duration: z.int().nullable().describe('Seconds; null: until revoked'),
    startAt: Timestamp,
    endAt: Timestamp.nullable().describe('null: permanent'),
    createdByUserId: z.string().nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revokedAt: Timestamp.nullable(),
    revokedByUserId: z.string().nullable(),
    revokeReason: z.string().nullable(),
    batchId: z.string().nullable().describe('The batch that it came in with'),
    isActive: z.boolean().describe('In force at this moment'),
    status: SanctionStatus,
    participant: Participant.nullable(),
  })
  .meta({ id: 'SanctionResponse' });
export type Sanction = z.infer<typeof Sanction>;

/** As events show it: without what moderators write for each other. */
export const AnnouncedSanction = Sanction.omit({ note: true });

/** The kinds that keep a person out. */
export const banTypes: readonly SanctionType[] = ['temp_ban', 'perm_ban'];

/** Name of a batch or of a template: valid in a path and on a command line. */
export const SanctionName = z
  .string()
  .regex(/^[\w.-]{1,100}$/, 'up to 100 letters, digits, dots, hyphens, underscores');

const Reason = z.string().max(500).describe('Shown to the person it is against');
const Note = z.string().max(2000).describe('For moderators only');
const durationSecondsMax = 10 * 365 * 86_400;
const Duration = z
  .int()
  .positive()
  .max(durationSecondsMax)
  .meta({ unit: 'seconds' })
  .describe('Seconds; left out: until revoked');

/** Asks for a sanction. At least one of `participantId` and `externalUserId` names the target. */
export const CreateSanctionRequest = z
  .object({
    type: SanctionType.describe('Kind of sanction'),
    participantId: Id.optional().describe('Participant to sanction'),
    externalUserId: ExternalUserId.optional().describe("User to sanction, by the project's own id"),
    sessionId: Id.optional().describe('Limits the sanction to this session'),
    duration: Duration.optional(),
    startAt: TimestampInput.optional().describe('Left out: now'),
    endAt: TimestampInput.optional().describe('Instead of duration'),
    reason: Reason.optional(),
    template: SanctionName.optional().describe('Takes the reason from this template'),
    note: Note.optional(),
    scope: z.string().max(200).optional().describe('Free text of the project'),
    metadata: FreeData.optional(),
    parameters: SanctionParameters.optional(),
    evidence: SanctionEvidence.optional(),
  })
  .meta({ id: 'CreateSanctionRequest' });
export type CreateSanctionRequest = z.infer<typeof CreateSanctionRequest>;

export const UpdateSanctionRequest = z
  .object({
    reason: Reason.nullish(),
    note: Note.nullish(),
    duration: Duration.nullish(),
    endAt: TimestampInput.nullish().describe('Instead of duration; null: until revoked'),
    scope: z.string().max(200).nullish(),
    metadata: FreeData.nullish(),
    parameters: SanctionParameters.nullish(),
  })
  .meta({ id: 'UpdateSanctionRequest' });
export type UpdateSanctionRequest = z.infer<typeof UpdateSanctionRequest>;

export const RevokeSanctionRequest = z
  .object({ reason: z.string().max(500).optional().describe('Why it is taken back') })
  .meta({ id: 'RevokeSanctionRequest' });
export type RevokeSanctionRequest = z.infer<typeof RevokeSanctionRequest>;

export const SanctionListResponse = PageInfo.extend({ sanctions: z.array(Sanction) }).meta({
  id: 'SanctionListResponse',
});
export type SanctionListResponse = z.infer<typeof SanctionListResponse>;

const group = 'Sanctions';
const auth = ['apiKey', 'bearer'] as const;
const UserPath = ProjectPath.extend({ externalUserId: ExternalUserId });

/** What lists take in the place of a type. */
const SanctionListType = z.enum([...SanctionType.options, 'ban']);
export type SanctionListType = z.infer<typeof SanctionListType>;

const SanctionListQuery = PageQuery.extend({
  type: SanctionListType.optional().describe('ban: temp_ban and perm_ban'),
  externalUserId: ExternalUserId.optional().describe('Only those against this user'),
  createdByUserId: Id.optional().describe('Only those that this moderator or key imposed'),
  status: SanctionStatus.optional(),
  activeOnly: QueryFlag.optional().describe('Only those in force now'),
  endsBefore: TimestampInput.optional().describe('Only those in force that end before this time'),
  batchId: SanctionName.optional().describe('Only those of this batch'),
  ...MadeQuery.shape,
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
      'sanction_target_required',
      'sanction_target_mismatch',
      'sanction_time_invalid',
      'sanction_parameters_invalid',
      'participant_not_found',
      'session_not_found',
      'sanction_template_not_found',
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
    errors: ['sanction_not_found', 'sanction_not_active', 'sanction_time_invalid', 'sanction_parameters_invalid'],
  }),
  revoke: defineRoute({
    operationId: 'revokeSanction',
    summary: 'End a sanction at once: un-mute, un-ban.',
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
  ofUser: defineRoute({
    operationId: 'listUserSanctions',
    summary: 'List every sanction of a user, past ones included.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/sanctions/user/{externalUserId}',
    auth,
    scope: 'sanctions:read',
    role: 'viewer',
    params: UserPath,
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
    success: { status: 200, body: z.array(Sanction) },
    errors: [],
  }),
  activeOfUser: defineRoute({
    operationId: 'listActiveUserSanctions',
    summary: 'List what is in force against a user now.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/sanctions/user/{externalUserId}/active',
    auth,
    scope: 'sanctions:read',
    role: 'viewer',
    params: UserPath,
    query: z.object({ type: SanctionType.optional() }),
    success: { status: 200, body: z.array(Sanction) },
    errors: [],
  }),
  liftErasedBans: defineRoute({
    operationId: 'liftErasedBans',
    summary: 'Let somebody in again whose bans outlived the erasure of their data.',
    description:
      'Erasing a participant keeps of active bans only a keyed hash of the external id, type and end, so no list shows them.',
    group,
    method: 'delete',
    path: '/api/projects/{projectId}/erased-bans/{externalUserId}',
    auth,
    scope: 'sanctions',
    role: 'moderator',
    params: UserPath,
    success: {
      status: 200,
      body: z.object({ lifted: z.int().describe('Bans taken back') }).meta({ id: 'LiftedBans' }),
    },
    errors: [],
  }),
};
