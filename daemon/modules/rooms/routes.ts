import { roomRoutes } from '../../../src/contract/rooms/rooms.js';
import { bind } from '../../platform/http/bind.js';
import type { RoomService } from './service.js';

export const roomApiRouter = (rooms: RoomService) =>
  bind(roomRoutes, {
    list: ({ project, query }) => rooms.list(project.projectId, query),
    get: ({ project, params }) => rooms.get(project.projectId, params.roomId),
    kick: async ({ project, params }) => {
      await rooms.kick(project.projectId, params.roomId, params.externalUserId);
    },
  });
