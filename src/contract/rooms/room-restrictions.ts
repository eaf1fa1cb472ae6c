/** A room that is muted or closed to everybody but moderators: the holders of tokens with the permission `moderate`. */
import { z } from 'zod';
import { ProjectPath, RoomId, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';

const RoomRestriction = z
  .object({ since: Timestamp, until: Timestamp.nullable().describe('null: until lifted') })
  .meta({ id: 'RoomRestriction' });
export type RoomRestriction = z.infer<typeof RoomRestriction>;

export const restrictionsOfRoom = {
  muted: RoomRestriction.nullable().describe('Only moderators are heard; null: everybody is'),
  closed: RoomRestriction.nullable().describe('Only moderators may be in the room; null: it is open'),
};

/** Data of `room.restricted`. */
export const RoomRestrictions = z
  .object({ roomId: z.string(), ...restrictionsOfRoom })
  .meta({ id: 'RoomRestrictions' });
export type RoomRestrictions = z.infer<typeof RoomRestrictions>;

const durationSecondsMax = 10 * 365 * 86_400;

const RestrictRoomRequest = z
  .object({
    duration: z
      .int()
      .positive()
      .max(durationSecondsMax)
      .meta({ unit: 'seconds' })
      .optional()
      .describe('Seconds; default: until the room is opened again'),
  })
  .meta({ id: 'RestrictRoomRequest' });

const shared = {
  group: 'Rooms',
  auth: ['apiKey', 'bearer'],
  scope: 'sessions',
  role: 'moderator',
  params: ProjectPath.extend({ roomId: RoomId }),
  success: { status: 200, body: RoomRestrictions },
} as const;
const refusals = ['settings_not_configured', 'provider_unsupported', 'room_limit_reached'] as const;

export const roomRestrictionRoutes = {
  mute: defineRoute({
    ...shared,
    operationId: 'muteRoom',
    summary: 'Mute everybody in a room but moderators, including people who join later.',
    method: 'put',
    path: '/api/projects/{projectId}/rooms/{roomId}/mute',
    body: RestrictRoomRequest,
    errors: [...refusals],
  }),
  unmute: defineRoute({
    ...shared,
    operationId: 'unmuteRoom',
    summary: 'Let people in a muted room speak again.',
    method: 'delete',
    path: '/api/projects/{projectId}/rooms/{roomId}/mute',
    errors: [],
  }),
  close: defineRoute({
    ...shared,
    operationId: 'closeRoom',
    summary: 'Close a room: everybody but moderators is removed, and nobody else may enter.',
    method: 'put',
    path: '/api/projects/{projectId}/rooms/{roomId}/closure',
    body: RestrictRoomRequest,
    errors: [...refusals],
  }),
  reopen: defineRoute({
    ...shared,
    operationId: 'reopenRoom',
    summary: 'Let people into a closed room again.',
    method: 'delete',
    path: '/api/projects/{projectId}/rooms/{roomId}/closure',
    errors: [],
  }),
};
