import { sanctionRoutes } from '../../../src/contract/sanctions.js';
import { bind } from '../../http/bind.js';
import type { SanctionService } from './service.js';

export const sanctionRouter = (sanctions: SanctionService) =>
  bind(sanctionRoutes, {
    create: ({ project, caller, body }) => sanctions.create(project, caller.id, body),
    list: ({ project, query }) => sanctions.list(project.projectId, query),
    get: ({ project, params }) => sanctions.get(project.projectId, params.id),
    update: ({ project, params, body }) => sanctions.update(project.projectId, params.id, body),
    revoke: ({ project, caller, params, body }) =>
      sanctions.revoke(project.projectId, params.id, caller.id, body.reason ?? null),
    ofUser: ({ project, params }) => sanctions.ofUser(project.projectId, params.externalUserId),
    ofParticipant: ({ project, params }) => sanctions.ofParticipant(project.projectId, params.participantId),
    activeOfUser: ({ project, params, query }) =>
      sanctions.activeOfUser(project.projectId, params.externalUserId, query.type),
  });
