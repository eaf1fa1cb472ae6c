/** Participants: a person in a project, unique by project and external user id. */
import { z } from 'zod';
import {
  DisplayName,
  FreeData,
  ItemPath,
  PageInfo,
  PageQuery,
  ProjectPath,
  QueryFlag,
  searchQuery,
  Timestamp,
  TimestampInput,
} from '../common.js';
import { Language } from '../language.js';
import { sanctionTypes } from '../moderation/sanction-kinds.js';
import { PersonId } from '../rooms/reserved-ids.js';
import { defineRoute } from '../route.js';

export const Participant = z
  .object({
    id: z.string(),
    tenantId: z.string(),
    projectId: z.string(),
    externalUserId: z.string(),
    displayName: z.string(),
    userData: FreeData,
    language: z.string().nullable().describe('Language of texts for this person, and of their speech; null: unknown'),
    minor: z.boolean().nullable().describe('Under age, as the game says; null: unknown'),
    joinedAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Participant' });
export type Participant = z.infer<typeof Participant>;

export const CreateParticipantRequest = z
  .object({
    externalUserId: PersonId,
    displayName: DisplayName.optional().describe('Default: the external user id'),
    userData: FreeData.optional().describe("For the project's own use: an object"),
    language: Language.optional().describe('Language of texts for this person, and of their speech: en, de, …'),
    minor: z.boolean().optional().describe('Under age'),
  })
  .meta({ id: 'CreateParticipantRequest' });
export type CreateParticipantRequest = z.infer<typeof CreateParticipantRequest>;

export const UpdateParticipantRequest = z
  .object({
    displayName: DisplayName.nullish().describe('null: back to the external user id'),
    userData: FreeData.nullish().describe('Replaced as a whole; null: empty'),
    language: Language.nullish().describe('Language of texts for this person, and of their speech; null: unknown'),
    minor: z.boolean().optional().describe('Under age'),
  })
  .meta({ id: 'UpdateParticipantRequest' });
export type UpdateParticipantRequest = z.infer<typeof UpdateParticipantRequest>;

/** Days after joining for which somebody counts as new. */
export const newDays = 7;

/** What is shown beside the name of a person. */
export const PersonMarks = z
  .object({
    sanctions: z
      .array(
        z.object({
          id: z.string(),
          type: z.enum(sanctionTypes),
          endAt: Timestamp.nullable().describe('null: until revoked'),
        }),
      )
      .nullable()
      .describe('In force now; null: not visible to the caller'),
    rooms: z
      .array(z.object({ roomId: z.string(), speaking: z.boolean() }))
      .nullable()
      .describe('Where they are now; null: not visible to the caller'),
    reports: z.int().min(0).nullable().describe('Number of reports about them; null: not visible to the caller'),
    lastSeenAt: Timestamp.nullable().describe(
      'When they were last in a room, as far as the event log reaches back; null: not within it, or not visible to the caller',
    ),
  })
  .meta({ id: 'PersonMarks' });
export type PersonMarks = z.infer<typeof PersonMarks>;

const ListedParticipant = Participant.extend({
  marks: PersonMarks.optional().describe('Only where the list was asked for them'),
}).meta({ id: 'ListedParticipant' });
export type ListedParticipant = z.infer<typeof ListedParticipant>;

/** People that a list can be limited to. */
export const ListedState = z.enum(['sanctioned', 'muted', 'banned', 'reported', 'here', 'new']);
export type ListedState = z.infer<typeof ListedState>;

export const ParticipantListResponse = PageInfo.extend({ participants: z.array(ListedParticipant) }).meta({
  id: 'ParticipantListResponse',
});
export type ParticipantListResponse = z.infer<typeof ParticipantListResponse>;

const ParticipantListQuery = PageQuery.extend({
  search: searchQuery('the display name or user id').describe(
    'Part of the display name or user id; case and accents are ignored',
  ),
  since: TimestampInput.optional().describe('Only people who joined at this time or later'),
  until: TimestampInput.optional().describe('Only people who joined before this time'),
  externalUserIds: z
    .string()
    .max(12_000)
    .optional()
    .describe('Only people with these external user ids, separated by commas and percent-encoded'),
  state: ListedState.optional().describe(
    `Only people who are sanctioned, muted or banned now, were reported, are in a room (here), or joined within ${newDays} days (new)`,
  ),
  marks: QueryFlag.optional().describe(
    'Adds to each their sanctions in force, rooms, reports, and when they were last seen',
  ),
});
export type ParticipantListQuery = z.output<typeof ParticipantListQuery>;

const group = 'Participants';
const auth = ['apiKey', 'bearer'] as const;

export const participantRoutes = {
  list: defineRoute({
    operationId: 'listParticipants',
    summary: 'List or search participants.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/participants',
    auth,
    scope: 'participants:read',
    role: 'viewer',
    params: ProjectPath,
    query: ParticipantListQuery,
    success: { status: 200, body: ParticipantListResponse },
    errors: [],
  }),
  create: defineRoute({
    operationId: 'createParticipant',
    summary: 'Create a participant, or return the one that exists.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/participants',
    auth,
    scope: 'participants',
    role: 'moderator',
    params: ProjectPath,
    body: CreateParticipantRequest,
    success: { status: 201, body: Participant },
    errors: [],
  }),
  get: defineRoute({
    operationId: 'getParticipant',
    summary: 'Show a participant.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/participants/{id}',
    auth,
    scope: 'participants:read',
    role: 'viewer',
    params: ItemPath,
    success: { status: 200, body: Participant },
    errors: ['participant_not_found'],
  }),
  update: defineRoute({
    operationId: 'updateParticipant',
    summary: 'Change display name or user data.',
    group,
    method: 'patch',
    path: '/api/projects/{projectId}/participants/{id}',
    auth,
    scope: 'participants',
    role: 'moderator',
    params: ItemPath,
    body: UpdateParticipantRequest,
    success: { status: 200, body: Participant },
    errors: ['participant_not_found'],
  }),
  remove: defineRoute({
    operationId: 'deleteParticipant',
    summary: 'Erase a participant and everything known about them.',
    group,
    method: 'delete',
    path: '/api/projects/{projectId}/participants/{id}',
    auth,
    scope: 'participants',
    role: 'admin',
    params: ItemPath,
    success: { status: 204 },
    errors: ['participant_not_found', 'legal_hold'],
  }),
};
