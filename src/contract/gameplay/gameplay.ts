/**
 * Operations for games and their clients under `/api/v1`: player tokens, user info, topics and events. Paths, names
 * and models are exactly those of the public JavaScript SDK, `@scillgame/scill-js`.
 */
import { z } from 'zod';
import { ExternalUserId, Id, isVisible, notVisible, TeamId, TimestampInput, undocumented } from '../common.js';
import { defineRoute } from '../route.js';

export const eventBatchMax = 1000;
export const eventBatchBytesMax = 4 * 1024 * 1024;

const ForeignUserIdentifier = z.object({ user_id: ExternalUserId }).meta({ id: 'ForeignUserIdentifier' });
export const AccessToken = z
  .object({ token: z.string().describe('Player token, valid for 24 hours') })
  .meta({ id: 'AccessToken' });
export type AccessToken = z.infer<typeof AccessToken>;

export const UserInfoRequest = z
  .object({
    username: z
      .string()
      .max(200)
      .refine((text) => text === '' || isVisible(text), notVisible)
      .nullish()
      .describe('Shown in rankings; no personal data'),
    avatarImage: z.string().max(2000).nullish().describe('Reference to an avatar: a sprite name or an address'),
  })
  .meta({ id: 'UserInfoRequest' });
export type UserInfoRequest = z.infer<typeof UserInfoRequest>;
export const UserInfo = z
  .object({ username: z.string().nullable(), avatarImage: z.string().nullable() })
  .meta({ id: 'UserInfo' });
export type UserInfo = z.infer<typeof UserInfo>;

export const NotificationTopic = z
  .object({ topic: z.string().describe('MQTT topic to subscribe to') })
  .meta({ id: 'NotificationTopic' });
export type NotificationTopic = z.infer<typeof NotificationTopic>;

const SocketToken = z
  .object({ socket_token: z.string().describe('Player token for the connection; topics do not need one') })
  .meta({ id: 'SocketToken' });

export const GameEventType = z.enum(['single', 'group']);
export type GameEventType = z.infer<typeof GameEventType>;

const MetaData = z.record(z.string(), z.unknown());

export const EventPayload = z
  .object({
    user_id: ExternalUserId.nullish().describe('Player; omit it with a player token, which names the player'),
    event_name: z.string().min(1).max(100).describe('Event of the catalogue'),
    event_type: GameEventType.nullish().describe('single adds to the counter (default), group sets it'),
    team_id: TeamId.nullish(),
    session_id: z.string().max(200).nullish().describe('Level or match; default: persistent'),
    metadata: MetaData.nullish().describe('Properties of the event'),
    meta_data: MetaData.nullish().describe('Other name of metadata').meta(undocumented),
    occurred_at: TimestampInput.nullish().describe(
      'When it happened, of an event that is sent later; default, and for a time to come: now',
    ),
    idempotency_key: z
      .string()
      .min(1)
      .max(300)
      .nullish()
      .describe(
        'Key of this event in whichever batch it goes; default: the header Idempotency-Key with # and its place',
      ),
  })
  .meta({ id: 'EventPayload' });
export type EventPayload = z.infer<typeof EventPayload>;

export const EventAcknowledgement = z
  .object({ status: z.literal(200), message: z.literal('OK') })
  .meta({ id: 'EventAcknowledgement' });
export type EventAcknowledgement = z.infer<typeof EventAcknowledgement>;

export const EventBatch = z
  .object({
    events: z.array(z.unknown()).min(1).max(eventBatchMax).describe('Events, each in the form of the single operation'),
    sent_at: TimestampInput.nullish().describe(
      "The sender's clock as it sends this: what it is wrong by is taken off every `occurred_at`",
    ),
  })
  .meta({ id: 'EventBatch' });

/** How late events may be: what happened earlier is treated as if its period were closed. */
export const lateDaysMax = 7;
export const Lateness = z.enum(['now', 'ignored']);
export type Lateness = z.infer<typeof Lateness>;

export const EventBatchResult = z
  .object({
    status: z.int().describe('Status that the single operation would have returned'),
    message: z.string(),
    code: z.string().nullable().describe('What went wrong; null for an accepted event'),
    details: z.array(z.object({ path: z.string(), message: z.string() })),
    late: Lateness.nullable().describe(
      'The event came after a leaderboard had closed the period in which it happened: it counts there now, or is ignored; null: it did not',
    ),
  })
  .meta({ id: 'EventBatchResult' });
export type EventBatchResult = z.infer<typeof EventBatchResult>;
export const EventBatchAnswer = z
  .object({ results: z.array(EventBatchResult).describe('In the order of the events') })
  .meta({ id: 'EventBatchAnswer' });
export type EventBatchAnswer = z.infer<typeof EventBatchAnswer>;

const EventProperty = z
  .object({ property_name: z.string(), property_type: z.enum(['number', 'string']) })
  .meta({ id: 'EventProperty' });
export const EventDescription = z
  .object({
    event_name: z.string(),
    required_properties: z.array(EventProperty),
    optional_properties: z.array(EventProperty),
  })
  .meta({ id: 'EventDescription' });
export type EventDescription = z.infer<typeof EventDescription>;

/** Kind of credential that the caller states that it sends; absent or empty means api_key. */
const AuthQuery = z.object({
  auth: z.enum(['api_key', 'access_token', '']).default('api_key').describe('Kind of the credential'),
});
export const EventHeaders = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('The same event with a known key has no second effect; another event with it is refused'),
});

const group = 'Gameplay';
const player = { group, auth: ['playerToken'], projectIn: 'gameplay', errors: ['player_token_invalid'] } as const;
const event = { group, method: 'post', auth: ['apiKey', 'playerToken'], projectIn: 'gameplay', hot: true } as const;
const eventErrors = ['player_token_invalid', 'project_required', 'rate_limited', 'credential_kind'] as const;

const userInfoRoutes = <Name extends string, Path extends `/${string}`>(suffix: Name, path: Path) => ({
  get: defineRoute({
    ...player,
    operationId: `getUserInfo${suffix}`,
    summary: 'Show the display name and avatar of the player.',
    method: 'get',
    path,
    success: { status: 200, body: UserInfo },
  }),
  set: defineRoute({
    ...player,
    operationId: `setUserInfo${suffix}`,
    summary: 'Set the display name and avatar of the player.',
    method: 'put',
    path,
    body: UserInfoRequest,
    success: { status: 200, body: UserInfo },
  }),
});
const documentedInfo = userInfoRoutes('', '/api/v1/auth/user-additional-info');
const sdkInfo = userInfoRoutes('ForSdk', '/api/v1/user-additional-info');

export const gameplayRoutes = {
  generateAccessToken: defineRoute({
    operationId: 'generateAccessToken',
    summary: 'Create a player token: a short-lived credential of one player.',
    group,
    method: 'post',
    path: '/api/v1/auth/access-token',
    auth: ['apiKey'],
    scope: 'tokens',
    projectIn: 'gameplay',
    body: ForeignUserIdentifier,
    success: { status: 200, body: AccessToken },
    errors: ['project_required', 'player_token_invalid'],
    idempotencyKey: false,
  }),
  getUserInfo: documentedInfo.get,
  setUserInfo: documentedInfo.set,
  getUserInfoForSdk: sdkInfo.get,
  setUserInfoForSdk: sdkInfo.set,
  challengesTopic: defineRoute({
    ...player,
    operationId: 'getUserChallengesNotificationTopic',
    summary: 'Get the topic on which every challenge of the player is announced.',
    method: 'get',
    path: '/api/v1/auth/user-challenges-topic-link',
    success: { status: 200, body: NotificationTopic },
  }),
  challengeTopic: defineRoute({
    ...player,
    operationId: 'getUserChallengeNotificationTopic',
    summary: 'Get the topic on which one challenge of the player is announced.',
    method: 'get',
    path: '/api/v1/auth/user-challenge-topic-link',
    query: z.object({ challenge_id: Id }),
    success: { status: 200, body: NotificationTopic },
    errors: ['player_token_invalid', 'challenge_not_found'],
  }),
  generateSocketToken: defineRoute({
    ...player,
    operationId: 'generateWebsocketAccessToken',
    summary: 'Create a token for the connection to the topics.',
    method: 'get',
    path: '/api/v1/challenges/web-socket/generate-token',
    success: { status: 200, body: SocketToken },
  }),
  getAvailableEvents: defineRoute({
    operationId: 'getAvailableEvents',
    cursor: ['event_name'],
    summary: 'List the predefined events and their properties.',
    group,
    method: 'get',
    path: '/api/v1/public/documentation',
    auth: [],
    success: { status: 200, body: z.array(EventDescription) },
    errors: [],
  }),
  sendEvent: defineRoute({
    ...event,
    operationId: 'sendEvent',
    summary: 'Submit a game event.',
    path: '/api/v1/events',
    scope: 'gameplay',
    query: AuthQuery,
    headers: EventHeaders,
    body: EventPayload,
    success: { status: 200, body: EventAcknowledgement },
    errors: [
      ...eventErrors,
      'overloaded',
      'unknown_event',
      'game_event_invalid',
      'user_mismatch',
      'idempotency_mismatch',
    ],
    idempotencyKey: 'each',
  }),
  sendEvents: defineRoute({
    ...event,
    operationId: 'sendEvents',
    summary: `Submit up to ${eventBatchMax} game events; each gets its own result.`,
    path: '/api/v1/events/batch',
    scope: 'gameplay',
    query: AuthQuery,
    headers: EventHeaders,
    body: EventBatch,
    success: { status: 200, body: EventBatchAnswer },
    errors: [...eventErrors, 'overloaded'],
    bodyLimitBytes: eventBatchBytesMax,
    idempotencyKey: 'each',
  }),
};
