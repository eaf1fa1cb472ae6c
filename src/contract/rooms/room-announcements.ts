/** A text for everybody in a room: shown on the page, told on the room's stream, written into the transcript. */
import { z } from 'zod';
import { ProjectPath, RoomId, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';

const textMax = 500;

const announced = {
  id: z.string(),
  roomId: z.string(),
  text: z.string(),
  sessionId: z.string().nullable().describe('The session whose transcript has it; null: the room is not transcribed'),
  createdAt: Timestamp,
};

/** Data of `room.announced`. */
export const AnnouncedText = z.object(announced).meta({ id: 'AnnouncedText' });
export type AnnouncedText = z.infer<typeof AnnouncedText>;

const RoomAnnouncement = z
  .object({ ...announced, people: z.int().describe('How many people were in the room') })
  .meta({ id: 'RoomAnnouncement' });
export type RoomAnnouncement = z.infer<typeof RoomAnnouncement>;

export const roomAnnouncementRoutes = {
  announce: defineRoute({
    operationId: 'announceInRoom',
    summary: 'Show a text to everybody who is in a room.',
    group: 'Rooms',
    method: 'post',
    path: '/api/projects/{projectId}/rooms/{roomId}/announcements',
    auth: ['apiKey', 'bearer'],
    scope: 'sessions',
    role: 'moderator',
    params: ProjectPath.extend({ roomId: RoomId }),
    body: z.object({ text: z.string().trim().min(1).max(textMax) }).meta({ id: 'RoomAnnouncementRequest' }),
    success: { status: 201, body: RoomAnnouncement },
    errors: ['settings_not_configured', 'provider_unsupported'],
  }),
};
