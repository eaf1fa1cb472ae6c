/** Annotations: what plugins found out about messages and sessions. */
import { z } from 'zod';
import { FreeData, Id, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';

const Annotation = z.object({
  id: z.string(),
  type: z.string().describe('What it says, such as sentiment'),
  content: FreeData,
  pluginSlug: z.string(),
  createdAt: Timestamp,
});

export const MessageAnnotation = Annotation.extend({
  messageId: z.string(),
  sessionId: z.string(),
  participantId: z.string().nullable().describe('Who wrote or said the message'),
  externalUserId: z.string().nullable(),
}).meta({ id: 'MessageAnnotation' });
export type MessageAnnotation = z.infer<typeof MessageAnnotation>;

export const SessionAnnotation = Annotation.extend({ sessionId: z.string() }).meta({ id: 'SessionAnnotation' });
export type SessionAnnotation = z.infer<typeof SessionAnnotation>;

const messageIdsMax = 1_000;
const MessageIds = z
  .object({ messageIds: z.array(Id).min(1).max(messageIdsMax).describe('Messages') })
  .meta({ id: 'MessageAnnotationsRequest' });

const group = 'Plugins';
const auth = ['apiKey', 'bearer'] as const;

export const annotationRoutes = {
  ofSession: defineRoute({
    operationId: 'listSessionAnnotations',
    summary: 'Show what plugins said about a session, such as its summary.',
    description: 'Empty for a session that does not exist or that the caller may not read.',
    group,
    method: 'get',
    path: '/api/plugins/annotations/sessions/{sessionId}',
    auth,
    scope: 'messages:read',
    params: z.object({ sessionId: Id }),
    success: { status: 200, body: z.array(SessionAnnotation) },
    errors: [],
  }),
  ofMessages: defineRoute({
    operationId: 'listMessageAnnotations',
    summary: 'Show what plugins said about messages, by message.',
    description:
      'A message without annotations has an empty list. Messages that do not exist or that the caller may not read are omitted. An answer ends at 2 MiB: ask again for the messages it omits, until an answer is empty.',
    group,
    method: 'post',
    path: '/api/plugins/annotations/messages/batch',
    auth,
    scope: 'messages:read',
    body: MessageIds,
    success: { status: 200, body: z.record(z.string(), z.array(MessageAnnotation)) },
    errors: [],
  }),
};
