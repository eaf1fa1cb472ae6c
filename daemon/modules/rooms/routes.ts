import { roomRoutes } from '../../../src/contract/sessions/sessions.js';
import { bind } from '../../platform/http/bind.js';
import type { RoomService } from './service.js';

export const roomApiRouter = (rooms: RoomService) =>
  bind(roomRoutes, {
    list: ({ project }) => rooms.list(project.projectId),
    kick: async ({ project, params }) => {
      await rooms.kick(project.projectId, params.roomId, params.externalUserId);
    },
  });
