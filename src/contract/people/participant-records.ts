/** Records about a participant besides the profile: moderators' notes, and the timeline of everything known. */
import { z } from 'zod';
import { Id, ItemPath, Timestamp, TimestampInput } from '../common.js';
import { defineRoute } from '../route.js';

export const notesMax = 1_000;
const historyMax = 1_000;

export const NoteText = z.string().trim().min(1).max(4000).describe('What other moderators should know');

export const ParticipantNote = z
  .object({
    id: z.string(),
    participantId: z.string(),
    text: z.string(),
    createdByUserId: z.string(),
    createdAt: Timestamp,
  })
  .meta({ id: 'ParticipantNote' });
export type ParticipantNote = z.infer<typeof ParticipantNote>;

const CreateNoteRequest = z.object({ text: NoteText }).meta({ id: 'CreateNoteRequest' });

const historyKinds = ['person', 'voice', 'sanction', 'review', 'report', 'gathering', 'play', 'note'] as const;

/** One thing that happened with a person. */
export const HistoryEntry = z
  .object({
    at: Timestamp,
    kind: z.enum(historyKinds),
    what: z.string().describe('One line'),
    resourceId: z.string().describe('kind:id'),
    partOf: z
      .string()
      .nullable()
      .describe('kind:id of the session of a message, and of the case of a report; null: nothing, or not known'),
  })
  .meta({ id: 'HistoryEntry' });
export type HistoryEntry = z.infer<typeof HistoryEntry>;

const HistoryQuery = z.object({
  limit: z.coerce.number<number>().int().min(1).max(historyMax).default(200).describe(`Entries, up to ${historyMax}`),
  kind: z.enum(historyKinds).optional().describe('Only these'),
  since: TimestampInput.optional().describe('Only what happened at this time or later'),
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;

const group = 'Participants';
const auth = ['apiKey', 'bearer'] as const;

export const participantRecordRoutes = {
  history: defineRoute({
    operationId: 'getParticipantHistory',
    cursor: ['at', 'resourceId', 'what'],
    summary: 'Show what a person said, joined and played, and what was imposed on them.',
    description:
      'The newest entries up to `limit`, oldest first. An API key sees the kinds that its scopes allow: messages, sanctions, plugins (reviews), reports, gatherings, gameplay. Notes and reports are shown from the role moderator on. Accounts and keys that imposed a sanction are named to users and to keys with users:read, and stand by their ids for others.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/participants/{id}/history',
    auth,
    scope: 'participants:read',
    role: 'viewer',
    params: ItemPath,
    query: HistoryQuery,
    success: { status: 200, body: z.array(HistoryEntry) },
    errors: ['participant_not_found'],
  }),
  notes: defineRoute({
    operationId: 'listParticipantNotes',
    summary: 'List the notes about somebody, oldest first.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/participants/{id}/notes',
    auth,
    scope: 'participants:read',
    role: 'moderator',
    params: ItemPath,
    success: { status: 200, body: z.array(ParticipantNote) },
    errors: ['participant_not_found'],
  }),
  addNote: defineRoute({
    operationId: 'createParticipantNote',
    summary: 'Add a note about somebody, for moderators only.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/participants/{id}/notes',
    auth,
    scope: 'participants',
    role: 'moderator',
    params: ItemPath,
    body: CreateNoteRequest,
    success: { status: 201, body: ParticipantNote },
    errors: ['participant_not_found', 'participant_note_limit'],
  }),
  removeNote: defineRoute({
    operationId: 'deleteParticipantNote',
    summary: 'Delete a note.',
    group,
    method: 'delete',
    path: '/api/projects/{projectId}/participants/{id}/notes/{noteId}',
    auth,
    scope: 'participants',
    role: 'moderator',
    params: ItemPath.extend({ noteId: Id }),
    success: { status: 204 },
    errors: ['participant_note_not_found'],
  }),
};
