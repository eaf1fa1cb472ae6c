/** People who may be the same person under another id. Hints for moderators: nothing acts upon them. */
import { z } from 'zod';
import { ItemPath } from '../common.js';
import { defineRoute } from '../route.js';

/** Fields of `userData` by which a game tells the daemon of a device or a network. */
export const deviceFields = ['deviceId', 'device'] as const;
export const addressFields = ['ipAddress', 'ip', 'address'] as const;

/** Only the people who came last are compared. */
export const alikeComparedMax = 20_000;
export const alikeShownMax = 50;

const AlikeHint = z
  .object({
    kind: z
      .enum(['device', 'address', 'look_alike_name', 'similar_name', 'joined'])
      .describe(
        'look_alike_name: people cannot tell the names apart; similar_name: a slip of the finger lies between them',
      ),
    says: z.string().describe('One sentence; it never shows the device or address itself'),
  })
  .meta({ id: 'AlikeHint' });
export type AlikeHint = z.infer<typeof AlikeHint>;

const AlikePerson = z
  .object({
    participantId: z.string(),
    externalUserId: z.string(),
    displayName: z.string(),
    hints: z.array(AlikeHint).describe('Why the two may be one'),
  })
  .meta({ id: 'AlikePerson' });
export type AlikePerson = z.infer<typeof AlikePerson>;

export const alikeRoutes = {
  list: defineRoute({
    operationId: 'listAlikePeople',
    cursor: ['participantId'],
    summary: 'List people who may be the same person: hints, never acted upon.',
    description: `By the same device or address, names that look alike, and joining together. Nothing acts upon it, and it proves nothing: families share devices, and networks are shared by many. Device and address are compared where the game stores them in \`userData\` (${[...deviceFields, ...addressFields].join(', ')}). Compared are the ${alikeComparedMax.toLocaleString('en')} people who came last; joining together is read from the event log, for API keys with sessions:read. At most ${alikeShownMax} people, those with the most hints first.`,
    group: 'Participants',
    method: 'get',
    path: '/api/projects/{projectId}/participants/{id}/alike',
    auth: ['apiKey', 'bearer'],
    scope: 'participants:read',
    role: 'moderator',
    params: ItemPath,
    success: { status: 200, body: z.array(AlikePerson) },
    errors: ['participant_not_found'],
  }),
};
