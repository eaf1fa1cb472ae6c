/** The open rooms of a project: who is in them, who speaks, and removing somebody. */
import { z } from 'zod';
import { ExternalUserId, ProjectPath, RoomId, searchQuery } from '../common.js';
import { defineRoute } from '../route.js';
import { restrictionsOfRoom } from './room-restrictions.js';

export const Room = z
  .object({
    roomId: z.string(),
    peers: z.array(
      z.object({
        externalUserId: z.string(),
        displayName: z.string(),
        publishing: z.boolean(),
        speaking: z.boolean().describe('Said something within the last second'),
        muted: z.boolean(),
        bot: z.boolean().describe('Listens and transcribes; the room is transcribed'),
        observer: z.boolean().describe('Listens for the team; not a participant'),
      }),
    ),
    sessionId: z.string().nullable().describe('The active session that listens here'),
    ...restrictionsOfRoom,
  })
  .meta({ id: 'Room' });
export type Room = z.infer<typeof Room>;

const RoomListQuery = z.object({
  search: searchQuery("the room's id, or of the name or id of somebody in it"),
  externalUserId: ExternalUserId.optional().describe('Only rooms that this person is in'),
});
export type RoomListQuery = z.infer<typeof RoomListQuery>;

const auth = ['apiKey', 'bearer'] as const;
const group = 'Rooms';

export const roomRoutes = {
  list: defineRoute({
    operationId: 'listRooms',
    cursor: ['roomId'],
    summary: 'List the open rooms and who is in them, and those that are muted or closed.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/rooms',
    auth,
    scope: 'sessions:read',
    role: 'viewer',
    params: ProjectPath,
    query: RoomListQuery,
    success: { status: 200, body: z.array(Room) },
    errors: [],
  }),
  get: defineRoute({
    operationId: 'getRoom',
    summary: 'Show who is in a room, and who speaks.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/rooms/{roomId}',
    auth,
    scope: 'sessions:read',
    role: 'viewer',
    params: ProjectPath.extend({ roomId: RoomId }),
    success: { status: 200, body: Room },
    errors: [],
  }),
  kick: defineRoute({
    operationId: 'kickPeer',
    summary: 'Remove somebody from a room; their token stops working.',
    group,
    method: 'delete',
    path: '/api/projects/{projectId}/rooms/{roomId}/peers/{externalUserId}',
    auth,
    scope: 'sessions',
    role: 'moderator',
    params: ProjectPath.extend({ roomId: RoomId, externalUserId: ExternalUserId }),
    success: { status: 204 },
    errors: ['peer_not_found'],
  }),
};
