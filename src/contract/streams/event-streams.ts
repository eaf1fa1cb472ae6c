/** Server-sent events: following the log live, or from a place in the past. */
import { z } from 'zod';
import { EventIdOrTime, ExternalUserId, ProjectPath, pageLimit, QueryFlag, undocumented } from '../common.js';
import { DomainEvent } from '../events.js';
import { defineRoute } from '../route.js';
import { PartialMessage } from '../sessions/partial-messages.js';

/** Stream, event `stream.gap`: the event that the client saw last is no longer kept. */
export const StreamGap = z
  .object({
    lastEventId: z.string().describe('The event that the client saw last'),
    oldestId: z.string().nullable().describe('The oldest event that is kept; null: none'),
  })
  .meta({ id: 'StreamGap' });

/** Stream, event `stream.closed`: the daemon ends the stream. */
export const StreamClosed = z
  .object({
    reason: z.enum(['access_gone', 'slow_consumer', 'shutting_down']),
    message: z.string().describe('What happened and what to do, for people'),
  })
  .meta({ id: 'StreamClosed' });

/** An event of a stream that was opened with `fields`. */
const EventFields = z
  .record(z.string(), z.json())
  .describe('The fields of a domain event that the stream was asked for')
  .meta({ id: 'EventFields' });

/** The data of everything that a stream sends: domain events without an event name, the others under theirs. */
const EventStreamData = z
  .union([DomainEvent, StreamGap, StreamClosed, PartialMessage, EventFields])
  .meta({ id: 'EventStreamData' });

/** An id that is none would replay the whole log. */
const LastEventId = z
  .string()
  .max(100)
  .regex(/^(earliest|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})?$/i, 'write earliest, or the id of an event');

export const StreamQuery = z.object({
  ingested: QueryFlag.optional().describe('Accept event types that only platform services publish'),
  types: z
    .string()
    .max(2000)
    .regex(
      /^[a-z0-9_.\s-]*(\*\s*)?(,[a-z0-9_.\s-]*(\*\s*)?)*$/,
      'write types such as sanction.created; a * is allowed at the end only',
    )
    .optional()
    .describe('Event types, comma-separated; a trailing * is a wildcard'),
  resources: z.string().max(4000).optional().describe('Resources, comma-separated: kind:id or bare id'),
  user: ExternalUserId.optional().describe(
    'Only events about this person, by external user id or participant id; in a stream of every project, by external user id only',
  ),
  fields: z
    .string()
    .max(1000)
    .regex(/^(\w+(\.\w+)*(\s*,\s*\w+(\.\w+)*)*)?$/, 'write fields such as type,payload.data.status')
    .optional()
    .describe(
      'Send only these fields of an event, comma-separated, such as type,payload.data.status; the SSE id comes with each',
    ),
  partials: QueryFlag.optional().describe(
    'Also send what people are saying while they say it, as frames message.partial; they are not stored',
  ),
  since: z
    .union([z.enum(['earliest', '']), EventIdOrTime], {
      error: 'write earliest, the id of an event, or a time such as 2026-01-31T12:00:00Z',
    })
    .optional()
    .describe('Replay from here: earliest, an event id or a time'),
  'last-event-id': LastEventId.optional()
    .describe('As the header of this name, which takes precedence')
    .meta(undocumented),
});
/**
 * A stream refuses names that it does not know: under a misspelt `last-event-id` it would silently begin with what comes next.
 */
const OpenedStream = StreamQuery.extend({
  ticket: z.string().max(200).optional().describe('Ticket, which stands for the credential').meta(undocumented),
  _: z.string().max(200).optional().describe('Ignored: web clients add it so that no cache answers').meta(undocumented),
}).strict();

const StreamHeaders = z.object({
  'last-event-id': LastEventId.optional().describe(
    'Replay the events after this one; earliest: all. An event that you may not read counts as unknown',
  ),
});

const EventListQuery = StreamQuery.pick({ ingested: true, types: true, resources: true, user: true }).extend({
  limit: pageLimit('Events'),
  after: z
    .string()
    .regex(/^\d{1,18}$/, 'is no cursor; send the `next` of an answer')
    .optional()
    .describe('Continue after this cursor: `next` of the previous answer'),
});
export type EventListQuery = z.output<typeof EventListQuery>;

export const ListedEvents = z
  .object({
    events: z.array(DomainEvent).describe('Newest first'),
    next: z.string().nullable().describe('Pass this as `after` to continue with earlier ones; null: there are none'),
  })
  .meta({ id: 'ListedEvents' });
export type ListedEvents = z.infer<typeof ListedEvents>;

const group = 'Real-time events';
const auth = ['apiKey', 'bearer'] as const;
const streamAuth = [...auth, 'streamTicket'] as const;
const stream = { status: 200, contentType: 'text/event-stream', item: EventStreamData } as const;

export const eventRoutes = {
  streamAll: defineRoute({
    operationId: 'streamEvents',
    summary: 'Follow every event of the tenant that you may read.',
    group,
    method: 'get',
    path: '/api/events/stream',
    auth: streamAuth,
    scope: 'events:read',
    query: OpenedStream,
    headers: StreamHeaders,
    success: stream,
    hot: true,
    errors: ['rate_limited', 'overloaded', 'stream_ticket_invalid'],
  }),
  streamProject: defineRoute({
    operationId: 'streamProjectEvents',
    summary: 'Follow the events of a project.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/events/stream',
    auth: streamAuth,
    scope: 'events:read',
    role: 'viewer',
    params: ProjectPath,
    query: OpenedStream,
    headers: StreamHeaders,
    success: stream,
    hot: true,
    errors: ['rate_limited', 'overloaded', 'stream_ticket_invalid'],
  }),
  list: defineRoute({
    operationId: 'listEvents',
    summary: 'List the events of a project, newest first.',
    description: 'An answer may hold fewer events than `limit` and still have a `next`.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/events',
    auth,
    scope: 'events:read',
    role: 'viewer',
    params: ProjectPath,
    query: EventListQuery,
    success: { status: 200, body: ListedEvents },
    errors: [],
  }),
  schema: defineRoute({
    operationId: 'getEventSchema',
    summary: 'Show the JSON Schema of every event envelope.',
    group,
    method: 'get',
    path: '/api/events/schema',
    auth,
    scope: 'events:read',
    success: { status: 200, body: z.record(z.string(), z.json()).describe('Event type → JSON Schema') },
    errors: [],
  }),
};
