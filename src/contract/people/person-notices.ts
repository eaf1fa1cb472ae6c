/** Messages of the team to people whom something concerns, as after a mistake that hit many of them. */
import { z } from 'zod';
import { ExternalUserId, ProjectPath, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';

export const noticePeopleMax = 1_000;
/** How many of a person are shown to them. */
export const noticesShownMax = 20;

const Notice = { id: z.string(), text: z.string(), createdAt: Timestamp };

/** A message as the person reads it. */
export const PersonNotice = z.object(Notice).meta({ id: 'PersonNotice' });
export type PersonNotice = z.infer<typeof PersonNotice>;

/** Data of `participant.notified`. */
export const AnnouncedNotice = z.object({ ...Notice, externalUserId: z.string() });
export type AnnouncedNotice = z.infer<typeof AnnouncedNotice>;

export const NotifyPeopleRequest = z
  .object({
    text: z.string().trim().min(1).max(1000).describe('What they read'),
    externalUserIds: z.array(ExternalUserId).min(1).max(noticePeopleMax).describe('Who reads it; each once'),
  })
  .meta({ id: 'NotifyPeopleRequest' });
export type NotifyPeopleRequest = z.infer<typeof NotifyPeopleRequest>;

const NotifiedPeople = z
  .object({
    createdAt: Timestamp,
    notified: z.int().describe('How many people it is for'),
    unknown: z.array(z.string()).describe('Those of them whom the project has never seen; they read it if they come'),
  })
  .meta({ id: 'NotifiedPeople' });
export type NotifiedPeople = z.infer<typeof NotifiedPeople>;

export const personNoticeRoutes = {
  notify: defineRoute({
    operationId: 'notifyPeople',
    summary: 'Write to people: in their rooms, on their standing page and as an event.',
    description:
      'People who are in a room read it at once. It stands in their standing for 30 days. `participant.notified` lets the game show it elsewhere.',
    group: 'Participants',
    method: 'post',
    path: '/api/projects/{projectId}/notices',
    auth: ['apiKey', 'bearer'],
    scope: 'participants',
    role: 'moderator',
    params: ProjectPath,
    body: NotifyPeopleRequest,
    success: { status: 201, body: NotifiedPeople },
    errors: [],
  }),
};
