/** Frequent steps of the tests of gatherings, by the contract's own routes. */
import type { z } from 'zod';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { gatheringInvitationRoutes } from '../../src/contract/gatherings/gathering-invitations.js';
import {
  gatheringMemberRoutes,
  type MemberStatus,
  type UpdateMemberRequest,
} from '../../src/contract/gatherings/gathering-members.js';
import {
  type CreateGatheringRequest,
  type Gathering,
  gatheringRoutes,
  type UpdateGatheringRequest,
} from '../../src/contract/gatherings/gatherings.js';
import { type Participant, participantRoutes } from '../../src/contract/people/participants.js';

type GatheringFields = Partial<z.input<typeof CreateGatheringRequest>>;

export interface Operator {
  readonly client: EarshotClient;
  readonly projectId: string;
}

/** Calls of one operator; each resolves to the answer's body and rejects with the refusal. */
export const gatheringsOf = ({ client, projectId }: Operator) => {
  const at = (id: string) => ({ projectId, id });
  const params = { projectId };
  return {
    person: (externalUserId: string): Promise<Participant> =>
      client.call(participantRoutes.create, { params, body: { externalUserId } }),
    create: (body: GatheringFields = {}): Promise<Gathering> =>
      client.call(gatheringRoutes.create, { params, body: { name: 'Friday', ...body } }),
    get: (id: string) => client.call(gatheringRoutes.get, { params: at(id), query: { includeMembers: 'true' } }),
    list: (query: z.input<typeof gatheringRoutes.list.query> = {}) =>
      client.call(gatheringRoutes.list, { params, query }),
    lookup: (joinCode: string) => client.call(gatheringRoutes.lookup, { params: { projectId, joinCode } }),
    update: (id: string, body: z.input<typeof UpdateGatheringRequest>) =>
      client.call(gatheringRoutes.update, { params: at(id), body }),
    start: (id: string, roomId?: string) =>
      client.call(gatheringRoutes.start, { params: at(id), body: roomId === undefined ? {} : { roomId } }),
    end: (id: string) => client.call(gatheringRoutes.end, { params: at(id) }),
    cancel: (id: string) => client.call(gatheringRoutes.cancel, { params: at(id) }),
    join: (joinCode: string, participantId: string) =>
      client.call(gatheringRoutes.join, { params, body: { joinCode, participantId } }),
    add: (id: string, participantId: string, role?: 'owner' | 'member') =>
      client.call(gatheringMemberRoutes.add, { params: at(id), body: { participantId, role } }),
    members: (id: string, status?: MemberStatus) =>
      client.call(gatheringMemberRoutes.list, { params: at(id), query: { status } }),
    change: (id: string, memberId: string, body: UpdateMemberRequest) =>
      client.call(gatheringMemberRoutes.update, { params: { ...at(id), memberId }, body }),
    leave: (id: string, memberId: string) =>
      client.call(gatheringMemberRoutes.remove, { params: { ...at(id), memberId } }),
    move: (id: string, memberId: string, gatheringId: string) =>
      client.call(gatheringMemberRoutes.move, { params: { ...at(id), memberId }, body: { gatheringId } }),
    invite: (id: string, participantIds: string[], expiresAt?: string) =>
      client.call(gatheringInvitationRoutes.send, { params: at(id), body: { participantIds, expiresAt } }),
    invitations: (id: string) => client.call(gatheringInvitationRoutes.list, { params: at(id) }),
    pending: (participantId: string) =>
      client.call(gatheringInvitationRoutes.pending, { params, query: { participantId } }),
    accept: (invitationId: string, participantId: string) =>
      client.call(gatheringInvitationRoutes.accept, { params: { projectId, invitationId }, body: { participantId } }),
    decline: (invitationId: string) =>
      client.call(gatheringInvitationRoutes.decline, { params: { projectId, invitationId } }),
  };
};
export type Gatherings = ReturnType<typeof gatheringsOf>;
