/** One person on one page: what moderators look at before they decide. */
import { z } from 'zod';
import { cutParts, ExternalUserId, ProjectPath, Timestamp } from '../common.js';
import { Player } from '../gameplay/players.js';
import { GatheringMember } from '../gatherings/gathering-members.js';
import { Gathering } from '../gatherings/gatherings.js';
import { Sanction } from '../moderation/sanction-record.js';
import { restrictionsOfRoom } from '../rooms/room-restrictions.js';
import { defineRoute } from '../route.js';
import { Message } from '../sessions/sessions.js';
import { ParticipantNote } from './participant-records.js';
import { Participant } from './participants.js';

/** Ended sanctions and messages that the page shows; their own lists have all. */
export const pastMax = 50;
export const lastWordsMax = 10;

const Name = z
  .string()
  .nullable()
  .describe('E-mail address, or the name of an API key; null: unknown, or not visible to you');

const PersonSanction = Sanction.extend({ imposedBy: Name, revokedBy: Name }).meta({ id: 'PersonSanction' });
export type PersonSanction = z.infer<typeof PersonSanction>;

const PersonNote = ParticipantNote.extend({ writtenBy: Name }).meta({ id: 'PersonNote' });

const PersonRoom = z
  .object({
    roomId: z.string(),
    sessionId: z.string().nullable(),
    publishing: z.boolean(),
    muted: z.boolean().describe('Muted by a sanction, or with the whole room'),
    restrictions: z.object(restrictionsOfRoom).describe('Restrictions in the room for everybody but moderators'),
  })
  .meta({ id: 'PersonRoom' });
export type PersonRoom = z.infer<typeof PersonRoom>;

const PersonGathering = Gathering.pick({ id: true, name: true, status: true, joinCode: true, roomId: true })
  .extend({ memberStatus: GatheringMember.shape.status })
  .meta({ id: 'PersonGathering' });
export type PersonGathering = z.infer<typeof PersonGathering>;

const closed = 'null: not visible to the caller';

const LegalHold = z
  .object({
    since: Timestamp.describe('Since the first of the holds'),
    caseIds: z.array(z.string()).describe('Cases on hold that they are part of, up to 50'),
    erasureRequestedAt: Timestamp.nullable().describe(
      'When their erasure was asked for, which runs once the holds are lifted; null: it was not',
    ),
  })
  .meta({ id: 'LegalHold' });
export type LegalHold = z.infer<typeof LegalHold>;

export const Person = z
  .object({
    externalUserId: z.string(),
    formerIds: z.array(z.string()).describe('External user ids that they had before, oldest first'),
    participant: Participant.nullable().describe('null: sanctioned or playing, but never in a room or a gathering'),
    active: z.array(PersonSanction).nullable().describe(`In force now; ${closed}`),
    past: z.array(PersonSanction).nullable().describe(`All others, newest first, up to ${pastMax}; ${closed}`),
    pastTotal: z.int().nullable().describe('Total number of them'),
    notes: z.array(PersonNote).nullable().describe(`For moderators, oldest first; ${closed}`),
    rooms: z.array(PersonRoom).nullable().describe(`Where they are now; ${closed}`),
    gatherings: z.array(PersonGathering).nullable().describe(`Where they have a seat now; ${closed}`),
    lastWords: z.array(Message).nullable().describe(`Newest first, up to ${lastWordsMax}; ${closed}`),
    progress: Player.omit({ leaderboards: true, sanctions: true, cut: true })
      .nullable()
      .describe(`Challenges and battle passes; ${closed}`),
    legalHold: LegalHold.nullable().describe('null: there is none, or it is not visible to the caller'),
    cut: cutParts(
      ['active', 'notes', 'rooms', 'gatherings', 'lastWords', 'past', 'formerIds', 'progress'],
      'Each part has its own operation, which has the rest: listActiveUserSanctions, listParticipantNotes, listRooms, listGatherings, listMessages, listUserSanctions, getPlayer',
    ),
  })
  .meta({ id: 'Person' });
export type Person = z.infer<typeof Person>;

const group = 'Participants';
const path = '/api/projects/{projectId}/people/{user}';
const auth = ['apiKey', 'bearer'] as const;

export const personRoutes = {
  get: defineRoute({
    operationId: 'getPerson',
    summary: 'Show one person: sanctions, notes, current rooms, latest messages, progress.',
    description:
      'By external user id or participant id. An API key sees the parts that its scopes allow: sanctions, sessions (rooms), gatherings, messages, gameplay, users (names of moderators).',
    group,
    method: 'get',
    path,
    auth,
    scope: 'participants:read',
    role: 'viewer',
    params: ProjectPath.extend({
      user: ExternalUserId.describe('External user id or participant id, current or from before a move'),
    }),
    success: { status: 200, body: Person },
    errors: ['participant_not_found'],
  }),
  erase: defineRoute({
    operationId: 'erasePerson',
    summary: 'Erase a person and everything known about them, participant or not.',
    description:
      'Also works for people who were sanctioned, have played, or are named in events and the audit log, but never were in a room or a gathering. The answer is the same if nothing is known, so the call can be repeated; `participant.deleted` is emitted only if something was stored about them. To erase somebody who was moved, use the new external user id. The erasure of somebody on legal hold is refused and remembered: it runs once the hold is lifted.',
    group,
    method: 'delete',
    path,
    auth,
    scope: 'participants',
    role: 'admin',
    params: ProjectPath.extend({ user: ExternalUserId.describe('External user id or participant id') }),
    success: { status: 204 },
    errors: ['person_moved', 'legal_hold'],
  }),
};
