/**
 * Events for people in a room: `GET /rooms/{roomId}/events`, server-sent events with the room token as
 * bearer. Each frame has the type as its event name and one of these objects as its data.
 */
import { z } from 'zod';
import { FreeData, Timestamp } from '../common.js';

export const RoomPerson = z
  .object({
    externalUserId: z.string(),
    name: z.string(),
    userData: z.unknown().describe('As the token carried it'),
    publishing: z.boolean().describe('Sends sound'),
    muted: z.boolean().describe('Sends sound, but a moderator has muted it'),
    bot: z.boolean().describe('Listens and transcribes; while one is here, the room is transcribed'),
    observer: z.boolean().describe('Listens for the team that runs the game; not a participant'),
    keepsSeconds: z
      .int()
      .optional()
      .describe('Only of a bot: seconds of sound of each speaker that it holds in memory, and that a report stores'),
  })
  .meta({ id: 'RoomPerson' });
export type RoomPerson = z.infer<typeof RoomPerson>;

/** True if it is somebody of the game, and not the bot or an observer of the team. */
export const isPerson = ({ bot, observer }: Pick<RoomPerson, 'bot' | 'observer'>): boolean => !bot && !observer;

const RoomSlot = z
  .object({
    resourceId: z.string().describe('Subscription, as the last part of its Location'),
    slot: z.int().describe('Number of the m-line, from 0'),
    speaker: z.string().nullable().describe('External user id; null: nobody'),
  })
  .meta({ id: 'RoomSlot' });

/** A line of the transcript, without what only moderators may know. */
export const RoomMessage = z
  .object({
    id: z.string(),
    kind: z.enum(['user', 'system']),
    senderName: z.string(),
    externalUserId: z.string().nullable(),
    content: z.string(),
    timestamp: Timestamp,
  })
  .meta({ id: 'RoomMessage' });
export type RoomMessage = z.infer<typeof RoomMessage>;

/** What somebody is saying, while they say it. */
const RoomPartial = z.object({
  externalUserId: z.string(),
  senderName: z.string(),
  content: z.string().describe('What was said so far; it may still change. Empty: no message follows'),
  timestamp: Timestamp.describe('When it began to be said; the message that replaces it has the same'),
});
export type RoomPartial = z.infer<typeof RoomPartial>;

/** Annotation of a line of the transcript by a plugin. */
const RoomAnnotation = z
  .object({
    id: z.string(),
    messageId: z.string(),
    pluginSlug: z.string(),
    type: z.string().describe('What it says, such as toxicity'),
    content: FreeData,
  })
  .meta({ id: 'RoomAnnotation' });
export type RoomAnnotation = z.infer<typeof RoomAnnotation>;

/** First of all, and everything that is so at this moment; what follows are changes. */
const RoomState = z
  .object({
    type: z.literal('room.state'),
    roomId: z.string(),
    you: z.object({
      externalUserId: z.string(),
      name: z.string(),
      publish: z.boolean().describe('The token lets you speak'),
      subscribe: z.boolean().describe('The token lets you listen; without it, you get only events about yourself'),
      moderate: z.boolean().describe('The token shows annotations of plugins, and shadow-muted people'),
      impose: z.boolean().describe('The token mutes, kicks, bans and notes: POST /rooms/{roomId}/moderation/…'),
      observer: z.boolean().describe('You listen for the team, and everybody sees that'),
    }),
    encryption: z.enum(['disabled', 'manual', 'automatic']).describe('End-to-end encryption of the sound'),
    people: z.array(RoomPerson),
    slots: z.array(RoomSlot),
    reportCategories: z.array(z.string()).describe('Categories that a report of somebody here may have'),
    lostAfterSeconds: z
      .int()
      .describe('Something comes more often than this, if only a comment; a daemon that is silent for so long is lost'),
  })
  .meta({ id: 'RoomStateEvent' });

const StandingUrl = z
  .string()
  .nullable()
  .describe('Page that tells the person why, and takes an appeal; for them alone. null: there is none');

export const RoomStreamEvent = z
  .discriminatedUnion('type', [
    RoomState,
    z
      .object({ type: z.literal('room.peer'), change: z.enum(['joined', 'changed', 'left']), person: RoomPerson })
      .meta({ id: 'RoomPeerEvent' }),
    RoomSlot.extend({ type: z.literal('room.slot') }).meta({ id: 'RoomSlotEvent' }),
    z
      .object({
        type: z.literal('room.muted'),
        muted: z.boolean(),
        reason: z.string().nullable(),
        until: Timestamp.nullable().describe('null: until lifted'),
        standingUrl: StandingUrl,
      })
      .meta({ id: 'RoomMutedEvent' }),
    z
      .object({
        type: z.literal('room.limited'),
        secondsPerMinute: z.int().nullable().describe('Seconds in each minute that others hear you; null: no limit'),
        reason: z.string().nullable(),
        until: Timestamp.nullable().describe('null: until lifted'),
        standingUrl: StandingUrl,
      })
      .meta({ id: 'RoomLimitedEvent' }),
    z
      .object({ type: z.literal('room.blocks'), blocked: z.array(z.string()).describe('External user ids') })
      .meta({ id: 'RoomBlocksEvent', description: 'Whom you block; without such an event, nobody' }),
    z
      .object({
        type: z.literal('room.addresses'),
        otherUrls: z.array(z.string()).describe('Where the room is once this daemon is lost: at one of these'),
      })
      .meta({
        id: 'RoomAddressesEvent',
        description: 'Other daemons; without such an event, there are none',
      }),
    z.object({ type: z.literal('room.warned'), reason: z.string().nullable() }).meta({ id: 'RoomWarnedEvent' }),
    z
      .object({ type: z.literal('room.announced'), id: z.string(), text: z.string(), at: Timestamp })
      .meta({ id: 'RoomAnnouncedEvent', description: 'Announcement of a moderator to everybody in the room' }),
    z
      .object({ type: z.literal('room.notified'), id: z.string(), text: z.string(), at: Timestamp })
      .meta({ id: 'RoomNotifiedEvent', description: 'Message of the team to you alone' }),
    z
      .object({
        type: z.literal('room.removed'),
        reason: z.enum(['kicked', 'banned', 'expired', 'replaced', 'lost', 'flooding', 'closed']),
        resourceId: z.string().nullable().describe('The one resource that was closed; null: all, and this stream'),
        message: z.string().describe('What happened and what to do, for people'),
        because: z.string().nullable().describe('The reason that a moderator gave for it'),
        until: Timestamp.nullable().describe('End of the ban, or of the closing of the room'),
        standingUrl: StandingUrl,
        rejoin: z.boolean().describe('The same token opens the room again'),
      })
      .meta({ id: 'RoomRemovedEvent' }),
    z
      .object({
        type: z.literal('room.closed'),
        reason: z.enum(['restarted', 'stopping', 'room_closed']),
        rejoin: z.boolean(),
      })
      .meta({ id: 'RoomClosedEvent' }),
    z.object({ type: z.literal('message'), message: RoomMessage }).meta({ id: 'RoomMessageEvent' }),
    RoomPartial.extend({ type: z.literal('message.partial') }).meta({
      id: 'RoomPartialEvent',
      description: 'Only for streams with partials=true: at most five per second and speaker, stored nowhere',
    }),
    z
      .object({ type: z.literal('message.annotation'), annotation: RoomAnnotation })
      .meta({ id: 'RoomAnnotationEvent', description: 'Only for tokens with the permission moderate' }),
  ])
  .meta({ id: 'RoomStreamEvent' });
export type RoomStreamEvent = z.infer<typeof RoomStreamEvent>;
