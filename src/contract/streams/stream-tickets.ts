/** One-time tickets, by which a browser's own EventSource opens an event stream: it cannot send a credential as a header. */
import { z } from 'zod';
import { ProjectPath, Timestamp } from '../common.js';
import { defineRoute } from '../route.js';
import { StreamQuery } from './event-streams.js';

export const ticketSeconds = 30;

const bound = {
  address: z
    .string()
    .regex(/^(any|(\d{1,3}\.){3}\d{1,3}|[0-9a-fA-F:]{2,39})$/, 'write an IP address, or any')
    .optional()
    .describe('IP address that opens the stream; any: every one. Left out: the one that asks for the ticket'),
};

export const CreateStreamTicket = StreamQuery.omit({ 'last-event-id': true })
  .extend({
    ingested: z
      .boolean()
      .optional()
      .describe(StreamQuery.shape.ingested.description ?? ''),
    partials: z
      .boolean()
      .optional()
      .describe(StreamQuery.shape.partials.description ?? ''),
    ...bound,
  })
  .meta({ id: 'CreateStreamTicket' });
export type CreateStreamTicket = z.infer<typeof CreateStreamTicket>;

/** For the event stream of a room, `POST /rooms/{roomId}/events/stream-tickets`. */
export const CreateRoomStreamTicket = z.object(bound).meta({ id: 'CreateRoomStreamTicket' });

export const StreamTicket = z
  .object({
    url: z.string().describe('Address of the stream with its filters and the ticket, for `new EventSource(url)`'),
    ticket: z.string().describe('Opens this one stream once; the query parameter `ticket` of the address'),
    expiresAt: Timestamp.describe('The stream must be opened before'),
  })
  .meta({ id: 'StreamTicket' });
export type StreamTicket = z.infer<typeof StreamTicket>;

const group = 'Real-time events';
const auth = ['apiKey', 'bearer'] as const;
const made = { status: 201, body: StreamTicket } as const;
const description =
  'The ticket opens one stream with these filters, once, within 30 seconds. The stream ends when the credential that asked for it does.';

export const streamTicketRoutes = {
  createForAll: defineRoute({
    operationId: 'createStreamTicket',
    summary: 'Make a one-time ticket for a stream of every event that you may read.',
    description,
    group,
    method: 'post',
    path: '/api/events/stream-tickets',
    auth,
    scope: 'events:read',
    body: CreateStreamTicket,
    success: made,
    idempotencyKey: false,
    errors: ['rate_limited'],
  }),
  createForProject: defineRoute({
    operationId: 'createProjectStreamTicket',
    summary: 'Make a one-time ticket for a stream of the events of a project.',
    description,
    group,
    method: 'post',
    path: '/api/projects/{projectId}/events/stream-tickets',
    auth,
    scope: 'events:read',
    role: 'viewer',
    params: ProjectPath,
    body: CreateStreamTicket,
    success: made,
    idempotencyKey: false,
    errors: ['rate_limited'],
  }),
};
