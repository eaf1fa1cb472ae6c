import { gatheringInvitationRoutes } from '../../../src/contract/gatherings/gathering-invitations.js';
import { gatheringMemberRoutes } from '../../../src/contract/gatherings/gathering-members.js';
import { gatheringRoutes } from '../../../src/contract/gatherings/gatherings.js';
import { bind } from '../../platform/http/bind.js';
import type { InvitationService } from './invitations.js';
import type { GatheringMemberService } from './members.js';
import type { GatheringMoves } from './moves.js';
import type { GatheringService } from './service.js';

export interface GatheringServices {
  readonly gatherings: GatheringService;
  readonly moves: GatheringMoves;
  readonly members: GatheringMemberService;
  readonly invitations: InvitationService;
}

export const gatheringRouter = ({ gatherings, moves, members, invitations }: GatheringServices) => [
  ...bind(gatheringRoutes, {
    create: ({ project, caller, body }) => gatherings.create(project, caller.id, body),
    list: ({ project, query }) => gatherings.list(project.projectId, query),
    get: ({ project, params, query }) => gatherings.get(project.projectId, params.id, query.includeMembers ?? false),
    update: ({ project, params, body }) => gatherings.update(project, params.id, body),
    cancel: ({ project, params }) => moves.cancel(project.projectId, params.id),
    start: ({ project, params, body }) => moves.start(project.projectId, params.id, body.roomId),
    end: ({ project, params }) => moves.end(project.projectId, params.id),
    join: ({ project, body }) => members.join(project.projectId, body),
    lookup: ({ project, caller, params, query }) =>
      gatherings.lookup(project.projectId, caller.id, params.joinCode, query.participantId),
  }),
  ...bind(gatheringMemberRoutes, {
    add: ({ project, params, body }) => members.add(project.projectId, params.id, body),
    list: ({ project, params, query }) => members.list(project.projectId, params.id, query.status),
    update: ({ project, params, body }) => members.update(project.projectId, params.id, params.memberId, body),
    move: ({ project, params, body }) =>
      members.moveMember(project.projectId, params.id, params.memberId, body.gatheringId),
    remove: async ({ project, params }) => {
      await members.remove(project.projectId, params.id, params.memberId);
    },
  }),
  ...bind(gatheringInvitationRoutes, {
    send: ({ project, params, body }) => invitations.send(project.projectId, params.id, body),
    list: ({ project, params, query }) => invitations.list(project.projectId, params.id, query.status),
    pending: ({ project, query }) => invitations.pending(project.projectId, query.participantId),
    accept: ({ project, params, body }) => invitations.accept(project.projectId, params.invitationId, body),
    decline: async ({ project, params }) => {
      await invitations.decline(project.projectId, params.invitationId);
    },
  }),
];
