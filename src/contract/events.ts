/**
 * Domain events: one envelope, discriminated by `type`, the same on the stream, in webhooks, on MQTT and in the log.
 * `payload.data` is the resource as the API returns it.
 */
import { z } from 'zod';
import { AuditEntry } from './audit/audit.js';
import { Timestamp } from './common.js';
import {
  BattlePassChallengeChangedPayload,
  BattlePassExpiredPayload,
  BattlePassLevelClaimedPayload,
} from './gameplay/player-battle-passes.js';
import { ChallengeWebhookPayload } from './gameplay/player-challenges.js';
import { LeaderboardUpdatePayload } from './gameplay/player-leaderboards.js';
import { Invitation } from './gatherings/gathering-invitations.js';
import { GatheringMember } from './gatherings/gathering-members.js';
import { Gathering } from './gatherings/gatherings.js';
import { AnnouncedReview } from './moderation/reviews.js';
import { AnnouncedSanction } from './moderation/sanction-record.js';
import { AnnouncedBlock } from './people/blocks.js';
import { Participant } from './people/participants.js';
import { MovedParticipant } from './people/person-moves.js';
import { AnnouncedNotice } from './people/person-notices.js';
import { MessageAnnotation, SessionAnnotation } from './plugins/annotations.js';
import { AnnouncedCase } from './reports/cases.js';
import { Misuse, MisuseProposal } from './reports/misuse.js';
import { AnnouncedOrder } from './reports/orders.js';
import { AnnouncedReport } from './reports/reports.js';
import { AnnouncedText } from './rooms/room-announcements.js';
import { RoomRestrictions } from './rooms/room-restrictions.js';
import { RuleMatch } from './rules/rule-decisions.js';
import { AnnouncedRule } from './rules/rules.js';
import { Message, Session } from './sessions/sessions.js';
import { WebhookDelivery } from './webhooks/webhook-events.js';
import { WebhookSubscription } from './webhooks/webhooks.js';

const ownSources = ['cortex:api', 'cortex:bot', 'cortex:plugin', 'earshot:gameplay'] as const;
export const ingestSources = ['voice:server', 'voice:gateway', 'fleet:api', 'fleet:server'] as const;
export const EventSource = z.enum([...ownSources, ...ingestSources]);
export type EventSource = z.infer<typeof EventSource>;

export const EventAction = z.enum(['created', 'updated', 'deleted', 'occurred']);
export type EventAction = z.infer<typeof EventAction>;

/** Stands in for data that was erased, with the `remainingFields` of its type. */
export const RedactedData = z.looseObject({ id: z.string(), redacted: z.literal(true) });
type RedactedData = z.infer<typeof RedactedData>;

/** A person present in a room, for `participant.joined` and `participant.left`. */
export const Presence = z.object({
  id: z.string().describe('Participant'),
  externalUserId: z.string(),
  displayName: z.string(),
  roomId: z.string(),
  sessionId: z.string().nullable(),
  reason: z.string().nullable().describe('Why they left'),
  occurredAt: Timestamp.nullable().describe(
    'When they came or left, which is stored a little later; null in earlier events',
  ),
});
export type Presence = z.infer<typeof Presence>;

/** Returns when somebody came or left. */
export const timeOfPresence = ({ occurredAt }: Presence, { timestamp }: Pick<DomainEvent, 'timestamp'>): string =>
  occurredAt ?? timestamp;

/** Wraps the member, as clients of the hosted service expect. */
export const Membership = z.object({
  gatheringId: z.string(),
  memberCount: z.int().describe('Seats taken after the event'),
  member: GatheringMember,
});
export type Membership = z.infer<typeof Membership>;

/** Data of a test delivery. */
const WebhookTest = z.object({ id: z.string().describe('Subscription'), message: z.string() });

/** A durable subscriber was moved forward past events that are no longer kept. */
const ConsumerGap = z.object({ id: z.string().describe('Subscriber'), missed: z.int().describe('Events') });

const Deletion = z.object({ id: z.string() });

/** Every type that the daemon emits, with the schema of its data. All other types arrive through ingest. */
export const eventData = {
  'session.created': Session,
  'session.updated': Session,
  'session.deleted': Deletion,
  'message.created': Message,
  'message.annotation.created': MessageAnnotation,
  'session.annotation.created': SessionAnnotation,
  'webhook.delivery.updated': WebhookDelivery,
  'webhook.subscription.disabled': WebhookSubscription,
  'webhook.test': WebhookTest,
  'consumer.gap': ConsumerGap,
  'participant.created': Participant,
  'participant.updated': Participant,
  'participant.deleted': Deletion,
  'participant.moved': MovedParticipant,
  'participant.notified': AnnouncedNotice,
  'participant.joined': Presence,
  'participant.left': Presence,
  'block.created': AnnouncedBlock,
  'block.deleted': AnnouncedBlock,
  'room.restricted': RoomRestrictions,
  'room.announced': AnnouncedText,
  'sanction.created': AnnouncedSanction,
  'sanction.updated': AnnouncedSanction,
  'sanction.revoked': AnnouncedSanction,
  'gathering.created': Gathering,
  'gathering.updated': Gathering,
  'gathering.started': Gathering,
  'gathering.ended': Gathering,
  'gathering.cancelled': Gathering,
  'gathering.expired': Gathering,
  'gathering.member.joined': Membership,
  'gathering.member.ready': Membership,
  'gathering.member.left': Membership,
  'gathering.invitation.sent': Invitation,
  'gathering.invitation.accepted': Invitation,
  'gathering.invitation.declined': Invitation,
  'review.created': AnnouncedReview,
  'review.updated': AnnouncedReview,
  'report.created': AnnouncedReport,
  'report.updated': AnnouncedReport,
  'case.created': AnnouncedCase,
  'case.updated': AnnouncedCase,
  'case.overdue': AnnouncedCase,
  'order.created': AnnouncedOrder,
  'order.updated': AnnouncedOrder,
  'misuse.warned': Misuse,
  'misuse.proposed': MisuseProposal,
  'misuse.suspended': Misuse,
  'misuse.lifted': Misuse,
  'rule.created': AnnouncedRule,
  'rule.updated': AnnouncedRule,
  'rule.deleted': Deletion,
  'rule.matched': RuleMatch,
  'bot.status.changed': Session,
  'challenge.changed': ChallengeWebhookPayload,
  'battlepass.challenge.changed': BattlePassChallengeChangedPayload,
  'battlepass.level.claimed': BattlePassLevelClaimedPayload,
  'battlepass.expired': BattlePassExpiredPayload,
  'leaderboard.changed': LeaderboardUpdatePayload,
  'audit.recorded': AuditEntry,
} as const satisfies Record<string, z.ZodType>;
export type OwnEventType = keyof typeof eventData;
export const ownEventTypes = Object.keys(eventData) as OwnEventType[];
export type EventData<T extends OwnEventType> = z.infer<(typeof eventData)[T]>;

export const EventType = z
  .string()
  .max(100)
  .regex(/^[a-z][a-z0-9_-]*(\.[a-z][a-z0-9_-]*)+$/, 'a type is written like room.opened');

export const DomainEvent = z
  .object({
    id: z.string().describe('UUIDv7, the same on streams, topics and webhooks'),
    type: z.string(),
    source: EventSource,
    tenantId: z.string(),
    projectId: z.string().optional(),
    resourceId: z.string().describe('kind:id'),
    timestamp: Timestamp,
    payload: z.object({
      action: EventAction,
      data: z.unknown(),
      changes: z.record(z.string(), z.unknown()).optional().describe('Previous values of the changed fields'),
    }),
  })
  .meta({ id: 'DomainEvent' });
export type DomainEvent = z.infer<typeof DomainEvent>;

/** Event of this type. `redacted` is set where the person was erased that the data was about. */
export interface EventOf<T extends OwnEventType> extends Omit<DomainEvent, 'type' | 'payload'> {
  type: T;
  payload: Omit<DomainEvent['payload'], 'data'> & {
    data: (EventData<T> & { redacted?: undefined }) | Pick<RedactedData, 'id' | 'redacted'>;
  };
}

/**
 * An event that a daemon makes; its `type` says what `payload.data` is. Platform services and newer daemons send further
 * types: leave room for them (a `default` branch).
 */
export type EarshotEvent = { [T in OwnEventType]: EventOf<T> }[OwnEventType];

/** An event filter of a webhook: exact, `domain.*` or `*` (also inside: `gathering.member.*`). */
export const EventPattern = z
  .string()
  .max(100)
  .regex(/^(\*|[a-z][a-z0-9_-]*(\.[a-z][a-z0-9_-]*)*(\.\*)?)$/, 'write an event type, or a domain followed by .*');

/** Exact, or the beginning of the type with a trailing `*`. */
export const matchesPattern = (type: string, pattern: string): boolean =>
  pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type;

/** True if one of the patterns matches. */
export const matchesSome = (type: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => matchesPattern(type, pattern));

/**
 * True if only the daemon makes events of the type. They cannot be published through ingest, so that a subscriber can
 * trust them to come from the daemon.
 */
export const isReserved = (type: string): boolean => ownEventTypes.some((own) => own === type);

const neverByPattern = /^webhook\.(delivery\.|test$)/;

/**
 * True if a webhook with these patterns gets events of the type. Events about deliveries are never sent by webhook:
 * each would cause the next. A test goes only to the subscription that it names.
 */
export const webhookHears = (patterns: readonly string[], type: string): boolean =>
  !neverByPattern.test(type) && matchesSome(type, patterns);
