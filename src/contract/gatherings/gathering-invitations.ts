/** Invitations to gatherings: sent, accepted, declined, run out. */
import { z } from 'zod';
import { Id, ItemPath, ProjectPath, Timestamp, TimestampInput } from '../common.js';
import { defineRoute } from '../route.js';
import { seatErrors } from './gathering-members.js';
import { JoinGatheringResponse } from './gatherings.js';

export const invitationStatuses = ['pending', 'accepted', 'declined'] as const;
export const InvitationStatus = z.enum(invitationStatuses);
export type InvitationStatus = z.infer<typeof InvitationStatus>;

export const Invitation = z
  .object({
    id: z.string(),
    gatheringId: z.string(),
    participantId: z.string(),
    status: InvitationStatus,
    createdAt: Timestamp,
    respondedAt: Timestamp.nullable().describe('null for a declined invitation: it expired'),
    expiresAt: Timestamp.nullable(),
  })
  .meta({ id: 'InvitationResponse' });
export type Invitation = z.infer<typeof Invitation>;

/** Largest number of people invited by one call. */
export const invitedMax = 100;
export const SendInvitationsRequest = z
  .object({
    participantIds: z.array(Id).min(1).max(invitedMax).describe('Whom to invite'),
    expiresAt: TimestampInput.optional().describe('Until when they may accept; default: 7 days'),
  })
  .meta({ id: 'SendInvitationsRequest' });
export type SendInvitationsRequest = z.infer<typeof SendInvitationsRequest>;

export const AcceptInvitationRequest = z
  .object({ participantId: Id.describe('The one who was invited') })
  .meta({ id: 'AcceptInvitationRequest' });
export type AcceptInvitationRequest = z.infer<typeof AcceptInvitationRequest>;

const group = 'Gatherings';
const auth = ['apiKey', 'bearer'] as const;
const gatherings = '/api/projects/{projectId}/gatherings';
const write = { group, auth, scope: 'gatherings', role: 'moderator' } as const;
const read = { group, auth, scope: 'gatherings:read', role: 'viewer' } as const;
const InvitationPath = ProjectPath.extend({ invitationId: Id });

export const gatheringInvitationRoutes = {
  send: defineRoute({
    operationId: 'sendGatheringInvitations',
    summary: 'Invite participants, one invitation each; an open one is kept.',
    ...write,
    method: 'post',
    path: `${gatherings}/{id}/invite`,
    params: ItemPath,
    body: SendInvitationsRequest,
    success: { status: 201, body: z.array(Invitation) },
    errors: [
      'gathering_not_found',
      'gathering_closed',
      'gathering_time_invalid',
      'participant_not_found',
      'invitation_limit_reached',
    ],
  }),
  list: defineRoute({
    operationId: 'listGatheringInvitations',
    summary: 'List the invitations to a gathering, newest first.',
    ...read,
    method: 'get',
    path: `${gatherings}/{id}/invitations`,
    params: ItemPath,
    query: z.object({ status: InvitationStatus.optional().describe('Only these') }),
    success: { status: 200, body: z.array(Invitation) },
    errors: ['gathering_not_found'],
  }),
  pending: defineRoute({
    operationId: 'listPendingInvitations',
    summary: 'List the open invitations of a participant, newest first.',
    ...read,
    method: 'get',
    path: `${gatherings}/invitations/pending`,
    params: ProjectPath,
    query: z.object({ participantId: Id.describe('Who was invited') }),
    success: { status: 200, body: z.array(Invitation) },
    errors: [],
  }),
  accept: defineRoute({
    operationId: 'acceptGatheringInvitation',
    summary: 'Accept an invitation and take a seat.',
    ...write,
    method: 'post',
    path: `${gatherings}/invitations/{invitationId}/accept`,
    params: InvitationPath,
    body: AcceptInvitationRequest,
    success: { status: 200, body: JoinGatheringResponse },
    errors: ['invitation_not_found', 'invitation_not_yours', 'invitation_closed', ...seatErrors],
  }),
  decline: defineRoute({
    operationId: 'declineGatheringInvitation',
    summary: 'Decline an invitation.',
    ...write,
    method: 'post',
    path: `${gatherings}/invitations/{invitationId}/decline`,
    params: InvitationPath,
    success: { status: 204 },
    errors: ['invitation_not_found', 'invitation_closed'],
  }),
};
