/** Members of gatherings: who has a seat, who is ready, who was invited. */
import { z } from 'zod';
import { Id, ItemPath, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';

export const memberStatuses = ['invited', 'joined', 'ready', 'left'] as const;
export const MemberStatus = z.enum(memberStatuses);
export type MemberStatus = z.infer<typeof MemberStatus>;
export const MemberRole = z.enum(['owner', 'member']);
export type MemberRole = z.infer<typeof MemberRole>;

export const GatheringMember = z
  .object({
    id: z.string(),
    gatheringId: z.string(),
    participantId: z.string(),
    displayName: z.string(),
    role: MemberRole,
    status: MemberStatus.describe('invited takes no seat; left is past'),
    ready: z.boolean(),
    readyAt: Timestamp.nullable().describe('When a ready mark that a queue_delay holds back takes effect'),
    joinedAt: Timestamp.nullable(),
    leftAt: Timestamp.nullable(),
  })
  .meta({ id: 'GatheringMember' });
export type GatheringMember = z.infer<typeof GatheringMember>;

export const AddMemberRequest = z
  .object({
    participantId: Id.describe('Who gets a seat'),
    role: MemberRole.default('member').describe('owner: takes over from the present one'),
  })
  .meta({ id: 'AddMemberRequest' });
export type AddMemberRequest = z.infer<typeof AddMemberRequest>;

export const UpdateMemberRequest = z
  .object({
    ready: z.boolean().optional().describe('Ready mark'),
    status: MemberStatus.optional().describe('joined, ready or left'),
    role: MemberRole.optional().describe(
      'owner: takes over; member: the owner hands over to the longest-standing member',
    ),
  })
  .meta({ id: 'UpdateMemberRequest' });
export type UpdateMemberRequest = z.infer<typeof UpdateMemberRequest>;

const MoveMemberRequest = z
  .object({ gatheringId: Id.describe('The gathering in which the member gets a seat') })
  .meta({ id: 'MoveMemberRequest' });

const group = 'Gatherings';
const auth = ['apiKey', 'bearer'] as const;
const members = '/api/projects/{projectId}/gatherings/{id}/members';
const MemberPath = ItemPath.extend({ memberId: Id.describe('Member or participant') });
/** Errors that keep a person from a seat. */
export const seatErrors = ['participant_banned', 'party_restricted', 'gathering_full'] as const;

export const gatheringMemberRoutes = {
  add: defineRoute({
    operationId: 'addGatheringMember',
    summary: 'Give a participant a seat, whatever the access policy.',
    group,
    method: 'post',
    path: members,
    auth,
    scope: 'gatherings',
    role: 'moderator',
    params: ItemPath,
    body: AddMemberRequest,
    success: { status: 201, body: GatheringMember },
    errors: ['gathering_not_found', 'gathering_closed', 'participant_not_found', ...seatErrors],
  }),
  list: defineRoute({
    operationId: 'listGatheringMembers',
    summary: 'List the members, longest-standing first, and the people invited.',
    group,
    method: 'get',
    path: members,
    auth,
    scope: 'gatherings:read',
    role: 'viewer',
    params: ItemPath,
    query: z.object({
      status: MemberStatus.optional().describe(
        'Only members with this status; those who left are shown by `left` alone',
      ),
    }),
    success: { status: 200, body: z.array(GatheringMember) },
    errors: ['gathering_not_found'],
  }),
  update: defineRoute({
    operationId: 'updateGatheringMember',
    summary: 'Set the ready mark, the status or the role of a member.',
    group,
    method: 'patch',
    path: `${members}/{memberId}`,
    auth,
    scope: 'gatherings',
    role: 'moderator',
    params: MemberPath,
    body: UpdateMemberRequest,
    success: { status: 200, body: GatheringMember },
    errors: [
      'gathering_not_found',
      'gathering_closed',
      'member_not_found',
      'member_change_invalid',
      'owner_required',
      ...seatErrors,
    ],
  }),
  move: defineRoute({
    operationId: 'moveGatheringMember',
    summary: 'Move a member to a seat in another gathering, whatever its access policy.',
    description:
      'All or nothing: if the other gathering has no free seat, the member stays. An owner hands over to the longest-standing member.',
    group,
    method: 'post',
    path: `${members}/{memberId}/move`,
    auth,
    scope: 'gatherings',
    role: 'moderator',
    params: MemberPath,
    body: MoveMemberRequest,
    success: { status: 200, body: GatheringMember },
    errors: ['gathering_not_found', 'gathering_closed', 'member_not_found', 'member_change_invalid', ...seatErrors],
  }),
  remove: defineRoute({
    operationId: 'removeGatheringMember',
    summary: 'Remove a member; an owner hands over to the longest-standing member.',
    group,
    method: 'delete',
    path: `${members}/{memberId}`,
    auth,
    scope: 'gatherings',
    role: 'moderator',
    params: MemberPath,
    success: { status: 204 },
    errors: ['gathering_not_found', 'member_not_found', 'gathering_closed'],
  }),
};
