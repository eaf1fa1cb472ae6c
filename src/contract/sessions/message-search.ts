/** Full-text search over transcripts. */
import { z } from 'zod';
import { ExternalUserId, Id, ProjectPath, QueryFlag, RoomId, TimestampInput } from '../common.js';
import { defineRoute } from '../route.js';
import { Message } from './sessions.js';

const hitsDefault = 20;
const hitsMax = 100;

export const MessageSearchQuery = z.object({
  q: z
    .string()
    .min(1)
    .max(200)
    .describe(
      'Words that all occur, ignoring case and accents; "a phrase" in quotes; beginnings of words with a trailing *',
    ),
  sessionId: Id.optional().describe('Only messages of this session'),
  roomId: RoomId.optional().describe('Only messages in this room'),
  externalUserId: ExternalUserId.optional().describe('Only messages of this person'),
  annotation: z.string().min(1).max(100).optional().describe('Only messages with an annotation of this type or plugin'),
  since: TimestampInput.optional().describe('Only messages from this time on'),
  until: TimestampInput.optional().describe('Only messages before this time'),
  context: QueryFlag.optional().describe('Include what was said in the half minute before and after'),
  limit: z.coerce
    .number<number>()
    .int()
    .min(1)
    .max(hitsMax)
    .default(hitsDefault)
    .describe(`Messages, up to ${hitsMax}`),
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'is no cursor; send the `next` of an answer')
    .optional()
    .describe('Continue after this cursor: `next` of the previous answer'),
});
export type MessageSearchQuery = z.output<typeof MessageSearchQuery>;

export const MessageHit = z
  .object({
    message: Message,
    roomId: z.string(),
    marks: z
      .array(z.object({ start: z.int(), end: z.int() }))
      .describe('Where the words are in `content`, in UTF-16 code units; end is exclusive'),
    context: z
      .array(Message)
      .optional()
      .describe('The minute around the message, oldest first, including the message itself'),
  })
  .meta({ id: 'MessageHit' });
export type MessageHit = z.infer<typeof MessageHit>;

export const MessageSearchPage = z
  .object({
    hits: z.array(MessageHit),
    next: z.string().nullable().describe('Pass this as `after` to continue; null: there is no more'),
  })
  .meta({ id: 'MessageSearchPage' });
export type MessageSearchPage = z.infer<typeof MessageSearchPage>;

export const messageRoutes = {
  search: defineRoute({
    operationId: 'searchMessages',
    summary: 'Search transcripts, the newest message first.',
    description:
      'Without stemming. In scripts without spaces (Chinese, Japanese, Thai and others) any part of a sentence is found. An answer with `annotation` may hold fewer messages than `limit` and still have a `next`.',
    group: 'Sessions and messages',
    method: 'get',
    path: '/api/projects/{projectId}/messages/search',
    auth: ['apiKey', 'bearer'],
    scope: 'messages:read',
    role: 'viewer',
    params: ProjectPath,
    query: MessageSearchQuery,
    success: { status: 200, body: MessageSearchPage },
    errors: [],
  }),
};
