/** The sentences of the OpenAPI document: how to use the API, its groups, and its credentials. */
import type { RouteGroup } from './route.js';
import type { Json } from './tidy-schema.js';

export const description = `**Credentials.** Each operation names those that it takes. \`x-scope\` is what an API key must hold, \`x-role\` the least role
in the project. A project that the caller has no access to is 403, whether it exists or not.

**Errors.** One body, \`ErrorBody\`, for every refusal (under \`/api/v1\`: \`GameplayErrorBody\`): \`code\` is for programs,
\`message\` says what to do. Each operation lists its codes. Beside them any request can meet 400 \`malformed_request\`, 404 \`route_not_found\`, 405
\`method_not_allowed\` (with \`Allow\`), 408 \`request_timeout\`, 431 \`headers_too_large\`, 503 \`shutting_down\` and
503 \`being_moved\`.
\`X-Request-Id\` and \`X-Earshot-Version\` are on every answer.

**Rates.** Answers carry \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`; 429 and 503 also \`Retry-After\`, in
seconds.

**Lists.** \`X-Total-Count\` is the number of rows in all, where an answer holds a page of them or all.

**Changes.** In a PATCH a field that is left out stays, and \`null\` clears it. Times are RFC 3339; answers are in UTC with
milliseconds.

**Streams.** \`text/event-stream\` is documented by the form of the JSON in the \`data\` of each event. A client that was cut off
connects again with the header \`Last-Event-ID\`.

**Webhooks.** What is sent to subscriptions stands under \`webhooks\`: \`X-Signature\` is the hex HMAC-SHA256 over
\`X-Timestamp\` and the raw body, keyed with the secret of the subscription.

**MQTT.** Events are also published on MQTT 3.1.1 topics: over WebSocket at \`/mqtt\` of this server, over TCP on the port of
\`EARSHOT_MQTT_PORT\` (1883). Operators sign in with the project id as user name and an API key as password, and follow
\`projects/{projectId}/events/{type}\`; the topics of players need no credential.`;

/** Groups of the operations outside the contract. */
export type FurtherGroup = 'Voice rooms' | 'Pages';

const tagDescriptions: Readonly<Record<RouteGroup | FurtherGroup, string>> = {
  'Health and login': 'Which daemon answers, and signing in as a person.',
  'Sessions and messages': 'Voice sessions, in which a bot listens to a room, and their transcripts.',
  Rooms: 'Rooms that are open now, and who is in them.',
  'Voice rooms': 'What clients with a room token do: speak (WHIP), listen (WHEP) and follow what happens.',
  Webhooks: 'Addresses that events are sent to, and the log of what was sent.',
  Plugins: 'Plugins of a project.',
  'API keys': 'Keys for scripts and game servers.',
  'Projects, project users and tokens': 'Projects, who works in them, and tokens for rooms.',
  'Project settings': 'Where room tokens come from, the bot, encryption, and the project secret.',
  'Real-time events': 'Everything that happens, as it happens.',
  Sanctions: 'Sanctions against people, one by one or by the thousand.',
  Reviews: 'Reviews: cases for a moderator to decide, appeals among them.',
  Reports: 'Reports of players about others, with the transcript around, and what came of them.',
  Blocks: 'Blocks: whom people do not want to hear in rooms.',
  Cases: 'Cases for moderators: reports, reviews and orders of authorities about one person, by priority.',
  Statistics: 'Figures of moderation: reports, decisions, sanctions, and what was overturned.',
  Statements: 'Statements of reasons: what sanctioned people are told, and their appeals.',
  Rules: 'Rules that impose sanctions automatically, and every decision with the facts that it read.',
  Participants: 'People of a project, what is known about them, and erasing it.',
  Gatherings: 'Lobbies, appointments and groups: who is in, who is ready, who is invited.',
  'Functions settings': 'Settings of functions.',
  Gameplay: 'What games and their clients call: events, challenges and battle passes of a player, topics.',
  'Gameplay configuration': 'Challenges, battle passes, and what operators do for a player.',
  'Audit log': 'Who did what to whom, when and from where.',
  Watching: 'For monitoring: health and metrics for programs, live figures for people.',
  Pages: 'For browsers.',
};

export const tagsOf = (groups: ReadonlySet<string>): Json[] =>
  Object.entries(tagDescriptions)
    .filter(([name]) => groups.has(name))
    .map(([name, text]) => ({ name, description: text }));

export const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description:
      'An API key (`earshot_live_…`). `Authorization: ApiKey <key>` does the same, under `/api/v1` also `Bearer <key>`.',
  },
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A user token, from one of the logins.' },
  playerToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'player token',
    description: 'A player token, from `POST /api/v1/auth/access-token`.',
  },
  roomToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'room token',
    description:
      'A room token, from `POST /api/projects/{projectId}/token`. It opens the one room that it was made for.',
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Signature',
    description:
      'Hex HMAC-SHA256 over the header `X-Timestamp` immediately followed by the raw body, keyed with the project secret; at most 5 minutes old.',
  },
  streamTicket: {
    type: 'apiKey',
    in: 'query',
    name: 'ticket',
    description: 'A one-time ticket, from `POST …/stream-tickets`. It opens the one stream that it was made for.',
  },
} as const satisfies Record<string, Json>;
