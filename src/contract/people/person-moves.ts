/** A person whose external user id has changed: everything known of them goes to the new one. */
import { z } from 'zod';
import { ExternalUserId, ProjectPath } from '../common.js';
import { PersonId } from '../rooms/reserved-ids.js';
import { defineRoute } from '../route.js';
import { Participant } from './participants.js';

/** Reasons that are named; there may be more of them. */
export const conflictsMax = 20;

export const MovedCounts = z
  .object({
    sanctions: z.int(),
    activeSanctions: z.int().describe('Those that apply to the new id from now on'),
    reviews: z.int(),
    notes: z.int(),
    messages: z.int(),
    gatherings: z.int().describe('Gatherings that they are or were in'),
    invitations: z.int(),
    challenges: z.int(),
    battlePasses: z.int(),
    leaderboards: z.int().describe('Leaderboards on which they have a score'),
    gameEvents: z.int(),
  })
  .meta({ id: 'MovedCounts' });
export type MovedCounts = z.infer<typeof MovedCounts>;

const MoveConflict = z
  .object({
    resourceId: z.string().describe('kind:id'),
    message: z.string().describe('What both have in it'),
  })
  .meta({ id: 'MoveConflict' });
export type MoveConflict = z.infer<typeof MoveConflict>;

const JoinedField = z
  .object({
    field: z.string().describe('displayName, language, minor, or userData. and a key of it'),
    kept: z.json().describe('Value of the person after the move'),
    dropped: z.json().describe('Value of the other one'),
  })
  .meta({ id: 'JoinedField' });
export type JoinedField = z.infer<typeof JoinedField>;

/** Data of `participant.moved`. */
export const MovedParticipant = Participant.extend({
  movedFrom: z.string().describe('Previous external user id'),
  joinedId: z.string().nullable().describe('Participant who was merged into them; null: nobody'),
});

const PersonMove = z
  .object({
    from: z.string().describe('Previous external user id'),
    to: z.string().describe('New external user id'),
    participant: Participant.describe('The person after the move; they keep their participant id'),
    joined: Participant.nullable().describe('Who had the new id before and is merged into them; null: nobody'),
    isNew: z.boolean().describe('false: the new id has data of its own already, and moving back would take it along'),
    moved: MovedCounts,
    differing: z
      .array(JoinedField)
      .describe(
        'Fields that the two people who become one had different values of: true is kept of `minor`, and otherwise the value of the person who moves',
      ),
  })
  .meta({ id: 'PersonMove' });
export type PersonMove = z.infer<typeof PersonMove>;

const PersonMovePreview = PersonMove.extend({
  conflicts: z
    .array(MoveConflict)
    .describe(`What both have and prevents the move; the first ${conflictsMax}. Empty: the move is possible`),
}).meta({ id: 'PersonMovePreview' });
export type PersonMovePreview = z.infer<typeof PersonMovePreview>;

const MovePersonRequest = z
  .object({ externalUserId: PersonId.describe('New external user id') })
  .meta({ id: 'MovePersonRequest' });

const path = '/api/projects/{projectId}/people/{user}/move';
const params = ProjectPath.extend({ user: ExternalUserId.describe('External user id or participant id') });
const group = 'Participants';
const auth = ['apiKey', 'bearer'] as const;

export const personMoveRoutes = {
  preview: defineRoute({
    operationId: 'previewPersonMove',
    summary: 'Show what would move to another external user id, and what stands in the way.',
    group,
    method: 'get',
    path,
    auth,
    scope: 'participants',
    role: 'moderator',
    params,
    query: z.object({ externalUserId: ExternalUserId.describe('New external user id') }),
    success: { status: 200, body: PersonMovePreview },
    errors: ['participant_not_found', 'person_move_to_self'],
  }),
  move: defineRoute({
    operationId: 'movePerson',
    summary: 'Move everything known about a person to another external user id.',
    description:
      'All or nothing. Sanctions apply to the new id at once, in rooms too. Whoever is in a room under the old id is removed from it and can return with a token for the new one. A person who already has the new id is merged into the moved one, unless both have progress in the same challenge or battle pass, seats in the same gathering, or together more than 1,000 notes: then nothing moves. A field that one of them lacks is taken from the other; `differing` lists fields with two values. The old id is free afterwards.',
    group,
    method: 'post',
    path,
    auth,
    scope: 'participants',
    role: 'moderator',
    params,
    body: MovePersonRequest,
    success: { status: 200, body: PersonMove },
    errors: ['participant_not_found', 'person_move_to_self', 'person_move_conflict'],
  }),
};
