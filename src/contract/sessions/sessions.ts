/** Voice sessions, their transcripts, and the rooms they listen to. */
import { z } from 'zod';
import {
  ExternalUserId,
  Id,
  ItemPath,
  PageQuery,
  ProjectPath,
  pageLimit,
  pageLimitMax,
  RoomId,
  searchQuery,
  Timestamp,
  TimestampInput,
} from '../common.js';
import { Language } from '../language.js';
import { MessageAnnotation } from '../plugins/annotations.js';
import { defineRoute } from '../route.js';
import { Bot, BotPast } from './bots.js';

export const Session = z
  .object({
    id: z.string(),
    tenantId: z.string(),
    projectId: z.string(),
    externalRoomId: z.string(),
    gateway: z.string(),
    title: z.string(),
    createdByUserId: z.string(),
    createdAt: Timestamp,
    status: z.enum(['active', 'ended']),
    idleTimeout: z.int().describe('Seconds without participants; 0: never'),
    language: z.string().nullable().default(null).describe('Language that is spoken; null: that of the project'),
    endedAt: Timestamp.nullable(),
    bot: Bot,
  })
  .meta({ id: 'SessionResponse' });
export type Session = z.infer<typeof Session>;

export const idleTimeoutDefaultSeconds = 300;

export const CreateSessionRequest = z
  .object({
    title: z.string().trim().min(1).max(200).describe('What the session is about'),
    externalRoomId: RoomId,
    gateway: z.string().max(500).optional().describe('Address of the voice gateway; default: that of the provider'),
    idleTimeout: z
      .int()
      .min(0)
      .max(86_400)
      .default(idleTimeoutDefaultSeconds)
      .meta({ unit: 'seconds' })
      .describe('Seconds without participants; 0: never'),
    language: Language.optional().describe('Language that is spoken; default: that of the project'),
    autoStart: z.boolean().default(true).describe('Start the bot at once'),
  })
  .meta({ id: 'CreateSessionRequest' });
export type CreateSessionRequest = z.infer<typeof CreateSessionRequest>;

export const SessionStarted = z
  .object({ sessionId: z.string(), status: z.enum(['active', 'ended']), bot: Bot })
  .meta({ id: 'StartSessionResponse' });
const SessionStopped = SessionStarted.meta({ id: 'StopSessionResponse' });
export type SessionStarted = z.infer<typeof SessionStarted>;

const Share = z.number().min(0).max(1);
/** Alternatives that an utterance carries. */
export const alternativesMax = 5;
/** Words that an utterance carries; an utterance lasts up to 20 seconds. */
export const asrWordsMax = 200;

/** Why plugins and rules do not read a line. */
export const UnheardReason = z
  .enum(['low_confidence', 'no_speech', 'phantom', 'repetition'])
  .meta({ id: 'UnheardReason' });
export type UnheardReason = z.infer<typeof UnheardReason>;

const AsrWord = z
  .object({
    text: z.string(),
    startMs: z.int().nullable().describe('Since the bot joined'),
    endMs: z.int().nullable(),
    confidence: Share.nullable().describe('0–1; null: the recogniser states none'),
  })
  .meta({ id: 'AsrWord' });

const AsrSignal = z
  .object({
    levelDbfs: z.number().describe('Level of the speech, RMS; 0 is full scale'),
    clippedShare: Share.describe('Share of its samples at full scale'),
    overlapShare: Share.describe('Share of its time in which others were speaking, too'),
    echo: Share.default(0).describe(
      'How alike its loudness is to that of another up to half a second before; from 0.85 on, an echo',
    ),
  })
  .meta({ id: 'AsrSignal' });

/** Fields that earlier messages lack have defaults: their events are still read. */
export const AsrReport = z
  .object({
    engine: z.string(),
    quality: z.string(),
    confidence: Share.nullable().default(null).describe('0–1, the mean of its words; null: not stated'),
    noSpeechProbability: Share.nullable().default(null).describe('0–1; null: not stated'),
    words: z.array(AsrWord).default([]).describe(`With times, where the recogniser has them, at most ${asrWordsMax}`),
    alternatives: z
      .array(
        z
          .object({ text: z.string(), confidence: Share.nullable().describe('0–1; null: not stated') })
          .meta({ id: 'AsrAlternative' }),
      )
      .default([])
      .describe(`What else it may have been, the likeliest first, at most ${alternativesMax}`),
    signal: AsrSignal.nullable().default(null).describe('How good the sound was; null: an earlier message'),
    unheard: UnheardReason.nullable()
      .default(null)
      .describe('Why plugins and rules do not read this line; null: they do'),
  })
  .meta({ id: 'AsrReport' });
export type AsrReport = z.infer<typeof AsrReport>;

export const Message = z
  .object({
    id: z.string(),
    sessionId: z.string(),
    type: z.enum(['user', 'system']),
    senderName: z.string(),
    content: z.string(),
    timestamp: Timestamp.describe('When it was written, or began to be said'),
    hasDebugAudio: z.boolean(),
    participantId: z.string().nullable(),
    externalUserId: z.string().nullable(),
    origin: z.enum(['speech', 'text']).nullable(),
    startMs: z.int().nullable().describe('Since the bot joined'),
    endMs: z.int().nullable(),
    language: z.string().nullable(),
    status: z.enum(['recognised', 'dropped', 'failed']).nullable(),
    asr: AsrReport.nullable(),
    shadowMuted: z.boolean(),
    annotations: z
      .array(MessageAnnotation)
      .optional()
      .describe('Annotations of plugins; in transcripts and reviews only, absent in events'),
  })
  .meta({ id: 'Message' });
export type Message = z.infer<typeof Message>;

export const CreateMessageRequest = z
  .object({
    externalUserId: ExternalUserId,
    content: z.string().min(1).max(4000).describe('What was written'),
    judged: z
      .boolean()
      .optional()
      .describe('The caller has judged the line: it is stored even if the person is muted, banned or limited'),
  })
  .meta({ id: 'CreateMessageRequest' });
export type CreateMessageRequest = z.infer<typeof CreateMessageRequest>;

/** Messages of one page of a transcript. */
export const transcriptPageMax = 1_000;
export const TranscriptQuery = z.object({
  limit: z.coerce
    .number<number>()
    .int()
    .min(1)
    .max(transcriptPageMax)
    .optional()
    .describe(`Messages, up to ${transcriptPageMax}; default: as many as fit in 2 MiB`),
  order: z
    .enum(['spoken', 'stored'])
    .default('spoken')
    .describe(
      'As they were spoken, or as they were stored: a line is stored when it has been recognised, which may be after lines that were spoken later',
    ),
  after: Id.optional().describe(
    'Continue after this message, the last one of the previous page. While a session goes on, pages in the order `stored` repeat and miss none',
  ),
});
export type TranscriptQuery = z.output<typeof TranscriptQuery>;

const group = 'Sessions and messages';
const auth = ['apiKey', 'bearer'] as const;

export const SessionListQuery = PageQuery.extend({
  limit: PageQuery.shape.limit.default(pageLimitMax),
  externalRoomId: RoomId.optional().describe('Only sessions of this room'),
  search: searchQuery('the name or id of somebody who said something in it'),
  status: z.enum(['active', 'ended']).optional().describe('Only these'),
  since: TimestampInput.optional().describe('Only sessions that were running at this time or began later'),
  until: TimestampInput.optional().describe('Only sessions that began before this time'),
});
export type SessionListQuery = z.output<typeof SessionListQuery>;

export const sessionRoutes = {
  create: defineRoute({
    operationId: 'createSession',
    summary: 'Create a voice session; the bot joins the room unless autoStart is false.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/sessions',
    auth,
    scope: 'sessions',
    role: 'moderator',
    params: ProjectPath,
    body: CreateSessionRequest,
    success: { status: 201, body: Session },
    errors: ['settings_not_configured', 'room_has_session', 'bot_limit_reached'],
  }),
  list: defineRoute({
    operationId: 'listSessions',
    summary: 'List sessions, newest first.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/sessions',
    auth,
    scope: 'sessions:read',
    role: 'viewer',
    params: ProjectPath,
    query: SessionListQuery,
    success: { status: 200, body: z.array(Session) },
    errors: [],
  }),
  get: defineRoute({
    operationId: 'getSession',
    summary: 'Show a session and what its bot does.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/sessions/{id}',
    auth,
    scope: 'sessions:read',
    role: 'viewer',
    params: ItemPath,
    success: { status: 200, body: Session },
    errors: ['session_not_found'],
  }),
  botPast: defineRoute({
    operationId: 'listBotStates',
    cursor: ['since', 'state'],
    summary: 'List what the bot of a session did and why, newest first, as long as events are kept.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/sessions/{id}/bot',
    auth,
    scope: 'sessions:read',
    role: 'viewer',
    params: ItemPath,
    query: z.object({ limit: pageLimit('States') }),
    success: { status: 200, body: BotPast },
    errors: ['session_not_found'],
  }),
  start: defineRoute({
    operationId: 'startSession',
    summary: 'Send the bot into the room; an ended session continues.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/sessions/{id}/start',
    auth,
    scope: 'sessions',
    role: 'moderator',
    params: ItemPath,
    success: { status: 201, body: SessionStarted },
    errors: ['session_not_found', 'settings_not_configured', 'room_has_session', 'bot_limit_reached'],
  }),
  stop: defineRoute({
    operationId: 'stopSession',
    summary: 'Stop the bot; speech in progress is still transcribed.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/sessions/{id}/stop',
    auth,
    scope: 'sessions',
    role: 'moderator',
    params: ItemPath,
    success: { status: 201, body: SessionStopped },
    errors: ['session_not_found'],
  }),
  remove: defineRoute({
    operationId: 'deleteSession',
    summary: 'Delete a session with its transcript.',
    group,
    method: 'delete',
    path: '/api/projects/{projectId}/sessions/{id}',
    auth,
    scope: 'sessions',
    role: 'moderator',
    params: ItemPath,
    success: { status: 204 },
    errors: ['session_not_found', 'legal_hold'],
  }),
  messages: defineRoute({
    operationId: 'listMessages',
    summary: 'Show the whole transcript, oldest first.',
    description:
      'Read a long transcript in pages: `limit`, then `after`. X-Total-Count is the number of messages. An answer ends at 2 MiB; its header Link then names the next page. To follow a session that goes on, ask with `order=stored` and `after`, or take `message.created` from the event stream; sort by `timestamp` to show it.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/sessions/{id}/messages',
    auth,
    scope: 'messages:read',
    role: 'viewer',
    params: ItemPath,
    query: TranscriptQuery,
    success: { status: 200, body: z.array(Message) },
    errors: ['session_not_found'],
  }),
  say: defineRoute({
    operationId: 'createMessage',
    summary: 'Add a text message of a participant (game chat); rules read it like speech.',
    group,
    method: 'post',
    path: '/api/projects/{projectId}/sessions/{id}/messages',
    auth,
    scope: 'messages',
    role: 'moderator',
    params: ItemPath,
    body: CreateMessageRequest,
    success: { status: 201, body: Message },
    errors: ['session_not_found', 'participant_banned', 'participant_muted', 'participant_limited'],
  }),
  debugAudio: defineRoute({
    operationId: 'getDebugAudio',
    summary: 'Fetch the recorded WAV of a message, while it is kept.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/sessions/{id}/messages/{messageId}/debug-audio',
    auth,
    scope: 'messages:read',
    role: 'viewer',
    params: ItemPath.extend({ messageId: Id }),
    success: { status: 200, contentType: 'audio/wav' },
    errors: ['debug_audio_not_found'],
  }),
};
