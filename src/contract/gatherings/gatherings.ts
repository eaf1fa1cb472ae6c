/** Gatherings: lobbies, appointments and open groups that people join by code or invitation. */
import { z } from 'zod';
import {
  Email,
  FreeData,
  Id,
  ItemPath,
  isTimeZone,
  isVisible,
  notVisible,
  PageInfo,
  PathPart,
  ProjectPath,
  QueryFlag,
  RoomId,
  Timestamp,
  TimestampInput,
} from '../common.js';
import { defineRoute } from '../route.js';
import { GatheringMember, seatErrors } from './gathering-members.js';
import { GatheringListQuery, GatheringType, SearchProperties } from './gathering-search.js';

/** Upper case in JSON. */
export const gatheringStatuses = ['CREATED', 'STARTED', 'ENDED', 'CANCELLED', 'EXPIRED'] as const;
export const GatheringStatus = z.enum(gatheringStatuses);
export type GatheringStatus = z.infer<typeof GatheringStatus>;
export const accessPolicies = ['public', 'private', 'invite-only'] as const;
const AccessPolicy = z.enum(accessPolicies);

const maxMembersDefault = 8;
const mailedMax = 100;

export const Gathering = z
  .object({
    id: z.string(),
    tenantId: z.string(),
    projectId: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    type: GatheringType,
    status: GatheringStatus,
    maxMembers: z.int(),
    memberCount: z.int().describe('Seats taken'),
    accessPolicy: AccessPolicy,
    listed: z.boolean(),
    startsAt: Timestamp.nullable(),
    endsAt: Timestamp.nullable(),
    timezone: z.string().nullable(),
    roomId: z.string(),
    autoStartSession: z.boolean(),
    sessionId: z.string().nullable().describe('The session that was started with it'),
    joinCode: z.string().describe('8 characters; case and hyphens are ignored'),
    properties: FreeData.nullable(),
    searchProperties: SearchProperties.nullable(),
    ownerId: z.string().nullable().describe('Participant'),
    inviterName: z.string().nullable(),
    inviterEmail: z.string().nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    expiresAt: Timestamp.nullable().describe('When it will expire if nothing changes'),
    members: z.array(GatheringMember).optional().describe('With includeMembers'),
  })
  .meta({ id: 'GatheringResponse' });
export type Gathering = z.infer<typeof Gathering>;

const GatheringName = z.string().trim().min(1).max(200).refine(isVisible, notVisible).describe('Name');
const Description = z.string().max(2000);
const Timezone = z
  .string()
  .max(100)
  .refine(isTimeZone, 'name a zone of the IANA list, such as Europe/Berlin')
  .describe('IANA zone in which the times are shown');
const MaxMembers = z.int().min(2).max(100).describe('Seats');
const InvitationUrl = z.url({ protocol: /^https?$/ }).max(2000);
const Mailed = z.array(z.object({ email: Email })).max(mailedMax);

export const CreateGatheringRequest = z
  .object({
    name: GatheringName,
    description: Description.optional().describe('For people who look for a gathering'),
    type: GatheringType.default('lobby').describe('Kind of gathering'),
    maxMembers: MaxMembers.default(maxMembersDefault),
    accessPolicy: AccessPolicy.default('public').describe(
      'private: never listed; invite-only: a join code alone is not enough',
    ),
    listed: z.boolean().default(false).describe('Include it in lists of listed gatherings'),
    startsAt: TimestampInput.optional().describe('Time at which an appointment starts by itself'),
    endsAt: TimestampInput.optional(),
    timezone: Timezone.optional(),
    roomId: RoomId.optional().describe('Room of the gathering; default: named after the join code'),
    autoStartSession: z.boolean().default(false).describe('Start a transcribed session with the gathering'),
    properties: FreeData.optional().describe("The game's own data"),
    searchProperties: SearchProperties.optional().describe('Properties that searches match'),
    ownerId: Id.optional().describe('Participant who takes the first seat; default: the first to join'),
    inviterName: z.string().trim().min(1).max(200).optional().describe('Name of the inviter in mails'),
    inviterEmail: Email.optional().describe('Reply-to address of mails'),
    invitationUrl: InvitationUrl.optional().describe('Link in mails; {joinCode} in it becomes the code'),
    participants: Mailed.optional().describe('Addresses that get a mail with the join code, when mail is set up'),
  })
  .meta({ id: 'CreateGatheringRequest' });
export type CreateGatheringRequest = z.infer<typeof CreateGatheringRequest>;

export const UpdateGatheringRequest = z
  .object({
    name: GatheringName.optional(),
    description: Description.nullish().describe('For people who look for a gathering; null: none'),
    type: GatheringType.optional().describe('Kind of gathering'),
    maxMembers: MaxMembers.optional(),
    accessPolicy: AccessPolicy.optional().describe('Who may join'),
    listed: z.boolean().optional().describe('Include it in lists of listed gatherings'),
    startsAt: TimestampInput.nullish(),
    endsAt: TimestampInput.nullish(),
    timezone: Timezone.nullish(),
    roomId: RoomId.nullish().describe('null: named after the join code'),
    autoStartSession: z.boolean().optional().describe('Start a transcribed session with the gathering'),
    properties: FreeData.nullish().describe('Replaced as a whole'),
    searchProperties: SearchProperties.nullish().describe('Replaced as a whole'),
    ownerId: Id.optional().describe('Member who takes over'),
    inviterName: z.string().trim().min(1).max(200).nullish().describe('Name of the inviter in mails'),
    inviterEmail: Email.nullish(),
    invitationUrl: InvitationUrl.nullish().describe('Link in mails; {joinCode} in it becomes the code'),
    participants: Mailed.optional().describe('Further addresses that get a mail'),
  })
  .meta({ id: 'UpdateGatheringRequest' });
export type UpdateGatheringRequest = z.infer<typeof UpdateGatheringRequest>;

const StartGatheringRequest = z
  .object({ roomId: RoomId.optional().describe('Room to bind; default: the one it has') })
  .meta({ id: 'StartGatheringRequest' });

const JoinCode = PathPart(100).describe('Join code; case and hyphens are ignored');
export const JoinGatheringRequest = z
  .object({ joinCode: JoinCode, participantId: Id.describe('Who joins') })
  .meta({ id: 'JoinGatheringRequest' });
export type JoinGatheringRequest = z.infer<typeof JoinGatheringRequest>;

/** A refusal is an error answer; clients of the hosted service expect `success` and `error`. */
export const JoinGatheringResponse = z
  .object({ success: z.literal(true), gathering: Gathering, member: GatheringMember, error: z.null() })
  .meta({ id: 'JoinGatheringResponse' });
export type JoinGatheringResponse = z.infer<typeof JoinGatheringResponse>;

export const GatheringListResponse = PageInfo.extend({ gatherings: z.array(Gathering) }).meta({
  id: 'GatheringListResponse',
});
export type GatheringListResponse = z.infer<typeof GatheringListResponse>;

const group = 'Gatherings';
const auth = ['apiKey', 'bearer'] as const;
const gatherings = '/api/projects/{projectId}/gatherings';
const write = { group, auth, scope: 'gatherings', role: 'moderator' } as const;
const read = { group, auth, scope: 'gatherings:read', role: 'viewer' } as const;
const answer = { status: 200, body: Gathering } as const;

export const gatheringRoutes = {
  create: defineRoute({
    operationId: 'createGathering',
    summary: 'Create a gathering with a join code of its own.',
    ...write,
    method: 'post',
    path: gatherings,
    params: ProjectPath,
    body: CreateGatheringRequest,
    success: { status: 201, body: Gathering },
    errors: [
      'gathering_time_invalid',
      'participant_not_found',
      'participant_banned',
      'party_restricted',
      'rate_limited',
    ],
  }),
  list: defineRoute({
    operationId: 'listGatherings',
    summary: 'List or search gatherings, newest first.',
    ...read,
    method: 'get',
    path: gatherings,
    params: ProjectPath,
    query: GatheringListQuery,
    success: { status: 200, body: GatheringListResponse },
    errors: [],
  }),
  get: defineRoute({
    operationId: 'getGathering',
    summary: 'Show a gathering.',
    ...read,
    method: 'get',
    path: `${gatherings}/{id}`,
    params: ItemPath,
    query: z.object({ includeMembers: QueryFlag.optional().describe('With its members') }),
    success: answer,
    errors: ['gathering_not_found'],
  }),
  update: defineRoute({
    operationId: 'updateGathering',
    summary: 'Change the given fields of a gathering that is not over.',
    ...write,
    method: 'patch',
    path: `${gatherings}/{id}`,
    params: ItemPath,
    body: UpdateGatheringRequest,
    success: answer,
    errors: [
      'gathering_not_found',
      'gathering_closed',
      'gathering_too_small',
      'gathering_time_invalid',
      'member_not_found',
      'participant_banned',
      'party_restricted',
      'rate_limited',
    ],
  }),
  cancel: defineRoute({
    operationId: 'deleteGathering',
    summary: 'Cancel a gathering; open invitations are declined.',
    ...write,
    method: 'delete',
    path: `${gatherings}/{id}`,
    params: ItemPath,
    success: answer,
    errors: ['gathering_not_found', 'gathering_closed'],
  }),
  start: defineRoute({
    operationId: 'startGathering',
    summary: 'Start a gathering; one that has started stays as it is.',
    ...write,
    method: 'post',
    path: `${gatherings}/{id}/start`,
    params: ItemPath,
    body: StartGatheringRequest.optional().default({}),
    success: answer,
    errors: ['gathering_not_found', 'gathering_closed', 'settings_not_configured'],
  }),
  end: defineRoute({
    operationId: 'endGathering',
    summary: 'End a gathering; one that has ended stays as it is.',
    ...write,
    method: 'post',
    path: `${gatherings}/{id}/end`,
    params: ItemPath,
    success: answer,
    errors: ['gathering_not_found', 'gathering_closed'],
  }),
  join: defineRoute({
    operationId: 'joinGathering',
    summary: 'Join a gathering by join code; members keep their seats.',
    ...write,
    method: 'post',
    path: `${gatherings}/join`,
    params: ProjectPath,
    body: JoinGatheringRequest,
    success: { status: 200, body: JoinGatheringResponse },
    errors: [
      'join_code_unknown',
      'gathering_closed',
      'gathering_invite_only',
      'participant_not_found',
      'rate_limited',
      ...seatErrors,
    ],
  }),
  lookup: defineRoute({
    operationId: 'lookupGathering',
    summary: 'Show the gathering of a join code without joining.',
    ...read,
    method: 'get',
    path: `${gatherings}/lookup/{joinCode}`,
    params: ProjectPath.extend({ joinCode: JoinCode }),
    query: z.object({
      participantId: Id.optional().describe(
        'Who typed the code: unknown codes then count for them, not for the caller',
      ),
    }),
    success: answer,
    errors: ['join_code_unknown', 'participant_not_found', 'rate_limited'],
  }),
};
