/** Participants: a person in a project, unique by project and external user id. */
import { z } from 'zod';
import {
  DisplayName,
  FreeData,
  ItemPath,
  PageInfo,
  PageQuery,
  ProjectPath,
  searchQuery,
  Timestamp,
  TimestampInput,
} from '../common.js';
import { Language } from '../language.js';
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

export const ParticipantListResponse = PageInfo.extend({ participants: z.array(Participant) }).meta({
  id: 'ParticipantListResponse',
});
export type ParticipantListResponse = z.infer<typeof ParticipantListResponse>;

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
    query: PageQuery.extend({
      search: searchQuery('the display name or user id').describe(
        'Part of the display name or user id; case and accents are ignored',
      ),
      since: TimestampInput.optional().describe('Only people who joined at this time or later'),
      until: TimestampInput.optional().describe('Only people who joined before this time'),
    }),
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
