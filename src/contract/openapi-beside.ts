/** Operations outside the contract in the OpenAPI document: voice rooms, monitoring, pages. */
import { z } from 'zod';
import type { ErrorCode } from './error-catalogue.js';
import { Greeting } from './identity/accounts.js';
import { statementMax } from './moderation/review-decision.js';
import { CodePath } from './moderation/statements.js';
import type { NamedSchemas } from './named-schemas.js';
import { parametersIn, reference, refusals } from './openapi-parts.js';
import type { FurtherGroup } from './openapi-texts.js';
import { RoomPath, RoomResourcePath, RoomStreamQuery } from './room-media.js';
import { RoomStreamEvent } from './rooms/room-events.js';
import type { RouteGroup } from './route.js';
import { CreateRoomStreamTicket, StreamTicket } from './streams/stream-tickets.js';
import type { Json } from './tidy-schema.js';

const roomToken = [{ roomToken: [] }];
const sdp = (description: string): Json => ({ 'application/sdp': { schema: { type: 'string', description } } });
const tokenErrors = [
  'room_token_invalid',
  'rate_limited',
  'internal',
  'database_unavailable',
] as const satisfies ErrorCode[];
const joinErrors: readonly ErrorCode[] = [
  ...tokenErrors,
  'sdp_invalid',
  'idempotency_key_refused',
  'participant_banned',
  'room_closed',
  'room_token_forbids',
  'not_acceptable',
  'unsupported_media_type',
  'body_too_large',
  'offer_in_progress',
  'room_full',
  'room_limit_reached',
  'room_unavailable',
  'overloaded',
];

interface SchemaWords {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: FurtherGroup | RouteGroup;
}
const operation = ({ tag, ...words }: SchemaWords, security: Json[], parameters: Json[], rest: Json): Json => ({
  ...words,
  tags: [tag],
  security,
  parameters,
  ...rest,
});

export function besideThePaths(schemas: NamedSchemas): Record<string, Json> {
  return { ...roomPaths(schemas), ...watchPaths(schemas), ...pagePaths(schemas) };
}

function roomPaths(schemas: NamedSchemas): Record<string, Json> {
  const room = parametersIn('path', RoomPath, schemas);
  const resource = parametersIn('path', RoomResourcePath, schemas);
  const join = (kind: 'whip' | 'whep', errors: readonly ErrorCode[], words: Omit<SchemaWords, 'tag'>): Json => ({
    post: operation({ ...words, tag: 'Voice rooms' }, roomToken, room, {
      requestBody: { required: true, content: sdp('Offer') },
      responses: {
        201: {
          description: 'Joined',
          headers: {
            Location: { description: `\`/rooms/{roomId}/${kind}/{resourceId}\``, schema: { type: 'string' } },
          },
          content: sdp('Answer'),
        },
        ...refusals(errors),
      },
    }),
  });
  const leave = (operationId: string, summary: string): Json => ({
    delete: operation({ operationId, summary, tag: 'Voice rooms' }, roomToken, resource, {
      responses: {
        200: { description: 'Left, or out already for less than a minute' },
        ...refusals([...tokenErrors, 'peer_not_found']),
      },
    }),
  });
  return {
    '/rooms/{roomId}/whip': join('whip', [...joinErrors, 'already_publishing'], {
      operationId: 'publishSound',
      summary: 'Speak in a room (WHIP, RFC 9725): send an SDP offer with Opus, get an answer.',
    }),
    '/rooms/{roomId}/whip/{resourceId}': leave('stopPublishing', 'Stop speaking.'),
    '/rooms/{roomId}/whep': join('whep', joinErrors, {
      operationId: 'subscribeSound',
      summary: 'Listen to a room (WHEP): send an SDP offer with one to eight lines that receive Opus, get an answer.',
    }),
    '/rooms/{roomId}/whep/{resourceId}': leave('stopSubscribing', 'Stop listening.'),
    '/rooms/{roomId}/events': {
      get: operation(
        {
          operationId: 'streamRoomEvents',
          summary: 'Follow what happens in a room: people, slots, mutes, the transcript.',
          description: 'The first event is `room.state`; changes follow. A stream takes no seat in the room.',
          tag: 'Voice rooms',
        },
        [...roomToken, { streamTicket: [] }],
        [...room, ...parametersIn('query', RoomStreamQuery, schemas)],
        {
          responses: {
            200: {
              description: 'Server-sent events, each named like the `type` of its data',
              content: { 'text/event-stream': { schema: schemas.schemaOf(RoomStreamEvent, 'output') } },
            },
            ...refusals([
              ...([
                ...tokenErrors,
                'stream_ticket_invalid',
                'participant_banned',
                'room_closed',
                'overloaded',
              ] as const),
            ]),
          },
        },
      ),
    },
    '/rooms/{roomId}/events/stream-tickets': {
      post: operation(
        {
          operationId: 'createRoomStreamTicket',
          summary: 'Make a one-time ticket for the event stream of a room.',
          description:
            'The ticket opens one stream, once, within 30 seconds. The stream ends when the room token does.',
          tag: 'Voice rooms',
        },
        roomToken,
        room,
        {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemas.schemaOf(CreateRoomStreamTicket, 'input') } },
          },
          responses: {
            201: {
              description: 'The ticket',
              content: { 'application/json': { schema: schemas.schemaOf(StreamTicket, 'output') } },
            },
            ...refusals([
              ...tokenErrors,
              ...(['validation_failed', 'malformed_json', 'text_not_allowed', 'unsupported_media_type'] as const),
              ...(['body_too_large', 'overloaded', 'idempotency_key_refused'] as const),
            ]),
          },
        },
      ),
    },
  };
}

const state = (description: string, status: string): Json => ({
  description,
  content: { 'application/json': { schema: reference('schemas', status) } },
});

/** Schemas of the answers below; they are not in the contract, because only monitoring reads them. */
export const watchSchemas: Record<string, Json> = {
  Liveness: {
    type: 'object',
    properties: { status: { type: 'string', const: 'ok' } },
    required: ['status'],
    examples: [{ status: 'ok' }],
  },
  Readiness: {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['ok', 'not ready'] },
      problems: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            part: { type: 'string' },
            problem: { type: 'string', description: 'The problem and what to do' },
          },
          required: ['part', 'problem'],
        },
      },
    },
    required: ['status', 'problems'],
    examples: [{ status: 'ok', problems: [] }],
  },
};

const watch = (operationId: string, summary: string, responses: Json, security: Json[] = []): Json => ({
  get: operation({ operationId, summary, tag: 'Watching' }, security, [], { responses }),
});

/** Query of the document itself. */
export const OpenApiQuery = z.object({
  version: z
    .enum(['3.1', '3.0'])
    .default('3.1')
    .describe('Version of OpenAPI. 3.0 is for generators that do not read 3.1; it has no webhooks'),
});

const watchPaths = (schemas: NamedSchemas): Record<string, Json> => ({
  '/health/live': watch('getLiveness', 'Report that the process answers.', { 200: state('It does', 'Liveness') }),
  '/health/ready': watch('getReadiness', 'Report whether the daemon can work: database, rooms.', {
    200: state('It can', 'Readiness'),
    503: state('The daemon cannot work; `problems` says why', 'Readiness'),
  }),
  '/metrics': watch(
    'getMetrics',
    'Metrics for Prometheus, readable by administrators, by tenant-wide keys with `projects:read`, and by direct requests from the same machine. `EARSHOT_METRICS_PORT` serves them on a separate port, open to all.',
    {
      200: { description: 'Prometheus text format', content: { 'text/plain': { schema: { type: 'string' } } } },
      ...refusals([
        'credential_missing',
        'credential_invalid',
        'insufficient_scope',
        'insufficient_role',
        'rate_limited',
      ]),
    },
    [{ apiKey: [] }, { bearer: [] }, {}],
  ),
  '/api/openapi.json': {
    get: operation(
      { operationId: 'getOpenApiDocument', summary: 'This document.', tag: 'Watching' },
      [],
      parametersIn('query', OpenApiQuery, schemas),
      {
        responses: {
          200: { description: 'OpenAPI', content: { 'application/json': { schema: { type: 'object' } } } },
          304: { description: 'Unchanged since the version that `If-None-Match` names' },
          ...refusals(['validation_failed', 'rate_limited']),
        },
      },
    ),
  },
});

function pagePaths(schemas: NamedSchemas): Record<string, Json> {
  const page = (operationId: string, summary: string, parameters: Json[] = []): Json => ({
    get: operation({ operationId, summary, tag: 'Pages' }, [], parameters, {
      responses: { 200: { description: 'A page', content: { 'text/html': { schema: { type: 'string' } } } } },
    }),
  });
  const html = { 'text/html': { schema: { type: 'string' } } };
  /** A page with a form that works without JavaScript. */
  const formPage = (operationId: string, sendId: string, [summary, sends]: readonly [string, string]): Json => {
    const parameters = parametersIn('path', CodePath, schemas);
    const statement = { type: 'string', maxLength: statementMax, description: 'What the person writes' };
    const schema = { type: 'object', properties: { statement }, required: ['statement'] };
    return {
      ...page(operationId, summary, parameters),
      post: operation({ operationId: sendId, summary: sends, tag: 'Pages' }, [], parameters, {
        requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema } } },
        responses: {
          303: { description: 'It was sent: the page shows it' },
          400: { description: 'The page, with the reason why it was not taken', content: html },
        },
      }),
    };
  };
  return {
    '/': {
      get: operation(
        { operationId: 'openStartPage', summary: 'Show which program and version answers.', tag: 'Pages' },
        [],
        [],
        {
          responses: {
            200: {
              description: 'A page where the client prefers HTML, JSON otherwise',
              content: {
                'application/json': { schema: schemas.schemaOf(Greeting, 'output') },
                'text/html': { schema: { type: 'string' } },
              },
            },
          },
        },
      ),
    },
    '/rooms/{roomId}': page(
      'openRoomPage',
      'The page of a room; it takes a room token behind `#token=` in its address.',
      parametersIn('path', RoomPath, schemas),
    ),
    '/standing/{code}': formPage('openStandingPage', 'sendStandingPage', [
      'The page of a sanctioned person: the statement of reasons, and a form to appeal.',
      'Appeal, by the form of the page.',
    ]),
    '/receipts/{code}': formPage('openReceiptPage', 'sendReceiptPage', [
      'The page of a reporter: the receipt, the outcome, and a form to complain.',
      'Complain, by the form of the page.',
    ]),
    '/invitation': page('openInvitationPage', 'The page to accept an invitation to a project.'),
    '/docs': page('openApiPage', 'This document as a page to read and to try.'),
  };
}
