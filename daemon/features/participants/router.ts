import { participantRoutes } from '../../../src/contract/participants.js';
import { bind } from '../../http/bind.js';
import type { ParticipantService } from './service.js';

export const participantRouter = (participants: ParticipantService) =>
  bind(participantRoutes, {
    list: ({ project, query }) => participants.list(project.projectId, query.search ?? '', query.limit, query.offset),
    create: ({ project, body }) => participants.create(project, body),
    get: ({ project, params }) => participants.get(project.projectId, params.id),
    update: ({ project, params, body }) => participants.update(project.projectId, params.id, body),
    remove: async ({ project, params }) => {
      await participants.remove(project.projectId, params.id);
    },
  });
