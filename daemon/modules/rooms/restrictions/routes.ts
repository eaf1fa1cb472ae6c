import { roomRestrictionRoutes } from '../../../../src/contract/rooms/room-restrictions.js';
import { bind } from '../../../platform/http/bind.js';
import type { RestrictionService } from './service.js';

export const restrictionRouter = (rooms: RestrictionService) =>
  bind(roomRestrictionRoutes, {
    mute: ({ project, params, body }) => rooms.impose({ ...project, roomId: params.roomId }, 'mute', body.duration),
    unmute: ({ project, params }) => rooms.lift({ ...project, roomId: params.roomId }, 'mute'),
    close: ({ project, params, body }) => rooms.impose({ ...project, roomId: params.roomId }, 'close', body.duration),
    reopen: ({ project, params }) => rooms.lift({ ...project, roomId: params.roomId }, 'close'),
  });
