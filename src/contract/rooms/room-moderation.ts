/** Actions of the holder of a moderator's link on people in their room, with the room token as bearer. */
import { z } from 'zod';
import { ExternalUserId, Id, RoomId } from '../common.js';
import { Duration, Reason } from '../moderation/sanctions.js';
import { NoteText } from '../people/participant-records.js';
import { defineRoute } from '../route.js';

const muteSecondsDefault = 600;

const Whom = z.object({ externalUserId: ExternalUserId.describe('Somebody who is in the room') });

const RoomMuteRequest = Whom.extend({
  duration: Duration.nullable().default(muteSecondsDefault).describe('Seconds; null: until revoked'),
  reason: Reason.optional(),
}).meta({ id: 'RoomMuteRequest' });

const RoomBanRequest = Whom.extend({
  duration: Duration.nullable().describe('Seconds; null: until revoked'),
  reason: Reason.optional(),
}).meta({ id: 'RoomBanRequest' });

const RoomNoteRequest = Whom.extend({ text: NoteText }).meta({ id: 'RoomNoteRequest' });

const UndoInRoomRequest = Whom.extend({
  externalUserId: ExternalUserId.describe('As in the act'),
  sanctionId: Id.nullable().default(null).describe('As the answer to the act named it'),
  noteId: Id.nullable().default(null).describe('As the answer to the act named it'),
}).meta({ id: 'UndoInRoomRequest' });

/** Names what can be undone. */
const RoomAct = z
  .object({
    sanctionId: z.string().nullable().describe('Of a mute or a ban'),
    noteId: z.string().nullable().describe('Of a note'),
  })
  .meta({ id: 'RoomAct' });
export type RoomAct = z.infer<typeof RoomAct>;

const shared = {
  group: 'Rooms',
  method: 'post',
  auth: ['roomToken'],
  role: 'moderator',
  params: z.object({ roomId: RoomId }),
} as const;
const errors = ['room_token_invalid', 'room_token_forbids', 'participant_banned', 'peer_not_found'] as const;
const holder =
  "The room token must have the permission `moderate`, created by somebody who may impose sanctions. The token's holder is recorded as the author.";

export const roomModerationRoutes = {
  mute: defineRoute({
    ...shared,
    operationId: 'muteInRoom',
    summary: 'Mute somebody in your room, in every room of the project.',
    description: holder,
    path: '/rooms/{roomId}/moderation/mute',
    body: RoomMuteRequest,
    success: { status: 201, body: RoomAct },
    errors,
  }),
  kick: defineRoute({
    ...shared,
    operationId: 'kickFromRoom',
    summary: 'Remove somebody from your room; their token stops working.',
    description: holder,
    path: '/rooms/{roomId}/moderation/kick',
    body: Whom.meta({ id: 'RoomKickRequest' }),
    success: { status: 204 },
    errors,
  }),
  ban: defineRoute({
    ...shared,
    operationId: 'banFromRoom',
    summary: 'Ban somebody in your room from every room of the project.',
    description: holder,
    path: '/rooms/{roomId}/moderation/ban',
    body: RoomBanRequest,
    success: { status: 201, body: RoomAct },
    errors: [...errors, 'ban_needs_second_person'],
  }),
  note: defineRoute({
    ...shared,
    operationId: 'noteInRoom',
    summary: 'Write a note for moderators about somebody in your room.',
    description: holder,
    path: '/rooms/{roomId}/moderation/note',
    body: RoomNoteRequest,
    success: { status: 201, body: RoomAct },
    errors: [...errors, 'participant_note_limit'],
  }),
  undo: defineRoute({
    ...shared,
    operationId: 'undoInRoom',
    summary: 'Take back a mute, a ban or a note of your own.',
    description: `${holder} Acts of others are not found.`,
    path: '/rooms/{roomId}/moderation/undo',
    body: UndoInRoomRequest,
    success: { status: 204 },
    errors: [
      ...(['room_token_invalid', 'room_token_forbids', 'participant_banned'] as const),
      ...(['sanction_not_found', 'sanction_not_active', 'participant_note_not_found'] as const),
    ],
  }),
};
