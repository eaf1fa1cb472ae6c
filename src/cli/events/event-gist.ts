/** An event in words: whom it is about, and what happened and why. */

import { z } from 'zod';
import { annotationLabel } from '../../client/annotation-label.js';
import { confidenceLabel } from '../../client/confidence-label.js';
import { type DomainEvent, type EventData, type OwnEventType, ownEventTypes } from '../../contract/events.js';
import type { Gathering } from '../../contract/gatherings/gatherings.js';
import type { Review } from '../../contract/moderation/reviews.js';
import type { Sanction } from '../../contract/moderation/sanction-record.js';
import type { Message, Session } from '../../contract/sessions/sessions.js';
import { fieldOf } from '../../terminal/output.js';
import { spanOf } from '../../text/span.js';
import type { Names } from '../names/known-names.js';

interface Gist {
  readonly who: string;
  readonly why: string;
}

/** An event of the daemon's own whose data was not erased. */
type WholeEvent = {
  [T in OwnEventType]: Omit<DomainEvent, 'type' | 'payload'> & {
    readonly type: T;
    readonly payload: Omit<DomainEvent['payload'], 'data'> & { readonly data: EventData<T> };
  };
}[OwnEventType];

const ownTypes: ReadonlySet<string> = new Set(ownEventTypes);
/** The data is the daemon's word, as the results of calls are. */
const Whole = z.custom<WholeEvent>((event) => {
  const { type, payload } = event as DomainEvent;
  const { data } = payload;
  return ownTypes.has(type) && typeof data === 'object' && data !== null && !('redacted' in data);
});

/** null: of a platform service, or erased. */
export const wholeEvent = (event: DomainEvent): WholeEvent | null => Whole.safeParse(event).data ?? null;

type GistPart = string | null | undefined | false;
/** Joins the parts that are not empty. */
const joined = (...parts: readonly GistPart[]): string =>
  parts.filter((part) => typeof part === 'string' && part !== '').join(' ');
const quoted = (text: string | null): GistPart => text !== null && text !== '' && `“${text}”`;

/** A few words for the columns of a terminal. */
export function gistOf(event: DomainEvent, names: Names): Gist {
  const whole = wholeEvent(event);
  if (whole !== null) return ownGist(whole, names);
  const { data } = event.payload;
  if (typeof data !== 'object' || data === null) return { who: '', why: JSON.stringify(data) ?? '' };
  if (fieldOf(data, 'redacted') === true) {
    const kind = ['type', 'kind', 'category'].map((name) => fieldOf(data, name)).find((one) => typeof one === 'string');
    return { who: '', why: joined('erased', kind) };
  }
  const user = fieldOf(data, 'externalUserId');
  return { who: typeof user === 'string' ? names.person(user) : '', why: JSON.stringify(data) };
}

const restrictionWords = ({ roomId, muted, closed }: EventData<'room.restricted'>): string => {
  const states = [muted !== null && 'muted', closed !== null && 'closed'].filter((state) => state !== false);
  return `room ${roomId}: ${states.length === 0 ? 'open to everybody' : states.join(' and ')}`;
};

function ownGist(event: WholeEvent, names: Names): Gist {
  const { type, payload } = event;
  const changed = changedFields(event);
  switch (type) {
    case 'message.created':
      return { who: payload.data.type === 'system' ? '' : personOf(payload.data, names), why: wordsOf(payload.data) };
    case 'message.annotation.created':
    case 'session.annotation.created': {
      const { data } = payload;
      const who = 'externalUserId' in data ? personOf(data, names) : '';
      return { who, why: `${data.pluginSlug}: ${annotationLabel(data)}` };
    }
    case 'session.created':
    case 'session.updated':
    case 'bot.status.changed':
      return sessionGist(payload.data, type === 'bot.status.changed');
    case 'participant.joined':
    case 'participant.left': {
      const { externalUserId, displayName, roomId, reason } = payload.data;
      const name = displayName === '' ? names.person(externalUserId) : displayName;
      return { who: name, why: joined(`room ${roomId}`, reason !== null && reason !== 'left' && `(${reason})`) };
    }
    case 'participant.created':
    case 'participant.updated':
      return { who: payload.data.displayName, why: joined(payload.data.externalUserId, changed) };
    case 'participant.moved':
      return {
        who: payload.data.displayName,
        why: `${payload.data.externalUserId}, previously ${payload.data.movedFrom}`,
      };
    case 'room.restricted':
      return { who: '', why: restrictionWords(payload.data) };
    case 'room.announced':
      return { who: '', why: `announced in ${payload.data.roomId}: ${payload.data.text}` };
    case 'sanction.created':
    case 'sanction.updated':
    case 'sanction.revoked':
      return {
        who: personOf(payload.data, names),
        why: joined(sanctionWords(type, payload.data, names), effect(event)),
      };
    case 'review.created':
    case 'review.updated':
      return { who: personOf(payload.data, names), why: reviewWords(payload.data, names) };
    case 'report.created':
    case 'report.updated': {
      const { category, status, outcome, roomId } = payload.data;
      return {
        who: personOf(payload.data, names),
        why: joined(`reported for ${category}`, outcome ?? status, roomId !== null && `in ${roomId}`, changed),
      };
    }
    case 'participant.notified':
      return { who: personOf(payload.data, names), why: `told: ${payload.data.text}` };
    case 'block.created':
    case 'block.deleted':
      return {
        who: personOf(payload.data, names),
        why: type === 'block.created' ? 'blocks somebody' : 'no longer blocks somebody',
      };
    case 'case.created':
    case 'case.updated':
    case 'case.overdue': {
      const { data } = payload;
      const by = data.decidedByUserId ?? data.claimedByUserId;
      return {
        who: personOf(data, names),
        why: joined(
          `case of ${data.category}:`,
          data.decision ?? data.status,
          data.reasonCode !== null && `(${data.reasonCode})`,
          by !== null && `by ${names.moderator(by)}`,
          type === 'case.overdue' && 'missed its service goal',
        ),
      };
    }
    case 'misuse.proposed': {
      const { of, decided, unfounded, proposedUntil } = payload.data;
      return {
        who: personOf(payload.data, names),
        why: `unfounded ${of}: ${unfounded} of ${decided}; suspend until ${proposedUntil}?`,
      };
    }
    case 'misuse.warned':
    case 'misuse.suspended':
    case 'misuse.lifted': {
      const { of, suspendedUntil } = payload.data;
      const what = {
        'misuse.warned': 'warned',
        'misuse.suspended': 'suspended',
        'misuse.lifted': 'may send them again',
      };
      return {
        who: personOf(payload.data, names),
        why: joined(`unfounded ${of}:`, what[type], suspendedUntil !== null && `until ${suspendedUntil}`),
      };
    }
    case 'order.created':
    case 'order.updated': {
      const { kind, memberState, category, outcome, status } = payload.data;
      const what = kind === 'act' ? 'act' : 'give information';
      return { who: '', why: joined(`order to ${what} (${memberState}, ${category}):`, outcome ?? status) };
    }
    case 'rule.matched': {
      const { ruleName, label, sanctionIds } = payload.data;
      const imposed = sanctionIds.length > 0 && `(${sanctionIds.length} imposed)`;
      return { who: personOf(payload.data, names), why: joined(`${ruleName}:`, label, imposed) };
    }
    case 'rule.created':
    case 'rule.updated':
      return { who: '', why: joined(`rule ${payload.data.name}`, !payload.data.enabled && '(off)', changed) };
    case 'gathering.member.joined':
    case 'gathering.member.ready':
    case 'gathering.member.left':
      return { who: payload.data.member.displayName, why: `${payload.data.memberCount} seats taken` };
    case 'gathering.invitation.sent':
    case 'gathering.invitation.accepted':
    case 'gathering.invitation.declined':
      return { who: names.participant(payload.data.participantId), why: payload.data.status };
    case 'gathering.created':
    case 'gathering.updated':
    case 'gathering.started':
    case 'gathering.ended':
    case 'gathering.cancelled':
    case 'gathering.expired':
      return gatheringGist(payload.data);
    case 'session.deleted':
    case 'participant.deleted':
    case 'rule.deleted':
      return { who: '', why: payload.data.id };
    default:
      return otherGist(event, names);
  }
}

function otherGist({ type, payload }: WholeEvent, names: Names): Gist {
  switch (type) {
    case 'challenge.changed':
      return progress(payload.data.new_challenge, payload.data.reason, names);
    case 'battlepass.challenge.changed':
      return progress(payload.data.new_battle_pass_challenge, payload.data.reason, names);
    case 'battlepass.level.claimed': {
      const { user_id, level_position_index, reward_amount } = payload.data.battle_pass_level_reward_claimed;
      const track = payload.data.track === 'premium' ? ', premium track' : '';
      return { who: names.person(user_id), why: joined(`level ${level_position_index}${track}`, reward_amount) };
    }
    case 'battlepass.expired':
      return { who: '', why: `battle pass ${payload.data.new_battle_pass.battle_pass_id}` };
    case 'leaderboard.changed': {
      const { member_data, leaderboard_data, new_leaderboard_ranking: now } = payload.data;
      const { member_id, additional_info } = member_data;
      const place = now.rank === -1 ? 'off the board' : `rank ${now.rank}, ${now.score}`;
      return { who: additional_info.username ?? names.person(member_id), why: `${leaderboard_data.name}: ${place}` };
    }
    case 'webhook.delivery.updated': {
      const { status, eventType, lastError } = payload.data;
      return { who: '', why: joined(`${eventType}:`, status, lastError) };
    }
    case 'webhook.subscription.disabled':
      return { who: '', why: joined(payload.data.url, `(${payload.data.disabledReason})`) };
    case 'webhook.test':
      return { who: '', why: payload.data.message };
    case 'consumer.gap':
      return { who: payload.data.id, why: `${payload.data.missed} events were no longer kept` };
    case 'audit.recorded': {
      const { actor, action, targets, outcome } = payload.data;
      const shown = targets.map(({ kind, id, name }) => `${kind} ${name ?? id}`).join(', ');
      return { who: actor.name ?? actor.kind, why: joined(action, outcome !== 'done' && `(${outcome})`, shown) };
    }
    default:
      return { who: '', why: JSON.stringify(payload.data) };
  }
}

type EventPerson = { readonly externalUserId: string | null };
const personOf = ({ externalUserId }: EventPerson, names: Names): string =>
  externalUserId === null ? '' : names.person(externalUserId);

const wordsOf = ({ content, status, shadowMuted, asr }: Message): string =>
  joined(
    shadowMuted && '(heard by nobody)',
    status !== null && status !== 'recognised' && `(${status})`,
    (asr?.unheard ?? null) !== null && `(${confidenceLabel({ asr })})`,
    content,
  );

const sessionGist = ({ externalRoomId, title, status, bot }: Session, ofBot: boolean): Gist => ({
  who: `room ${externalRoomId}`,
  why: ofBot ? joined(bot.state, bot.cause !== null && `(${bot.cause})`) : `${title}, ${status}`,
});

const gatheringGist = ({ name, status, memberCount, maxMembers, roomId }: Gathering): Gist => ({
  who: name,
  why: `${status.toLowerCase()}, ${memberCount} of ${maxMembers} seats, room ${roomId}`,
});

/** `mute for 10m “shouting” by ann@example.com`. */
function sanctionWords(type: WholeEvent['type'], sanction: Omit<Sanction, 'note' | 'createdBy'>, names: Names): string {
  const { type: kind, duration, reason, revokedByUserId, revokeReason, sessionId } = sanction;
  const author = sanction.createdByUserId ?? sanction.evidence?.ruleId ?? null;
  const by = (id: string | null): GistPart => id !== null && `by ${names.moderator(id)}`;
  if (type === 'sanction.revoked') return joined(kind, 'revoked', quoted(revokeReason), by(revokedByUserId));
  const length = duration !== null && `for ${spanOf(duration)}`;
  return joined(kind, length, sessionId !== null && 'in one room', quoted(reason), by(author));
}

function reviewWords(review: Omit<Review, 'note'>, names: Names): string {
  const { kind, status, decision, statement, claimedByUserId, decidedByUserId } = review;
  const by = decidedByUserId ?? claimedByUserId;
  return joined(kind, decision ?? status, quoted(statement), by !== null && `by ${names.moderator(by)}`);
}

function progress(
  one:
    | EventData<'challenge.changed'>['new_challenge']
    | EventData<'battlepass.challenge.changed'>['new_battle_pass_challenge'],
  reason: string | undefined,
  names: Names,
): Gist {
  const { user_id, type, user_challenge_current_score: score, challenge_goal: goal } = one;
  return { who: names.person(user_id), why: joined(`${type}, ${score} of ${goal}`, quoted(reason ?? null)) };
}

/**
 * Describes what an event about a sanction changed; fields that say only that it was revoked, or is in force again,
 * are left out.
 */
function effect(event: WholeEvent): string {
  if (event.type === 'sanction.revoked') return '';
  return event.payload.changes?.status === 'revoked' ? '(in force again)' : changedFields(event);
}

function changedFields({ payload: { action, changes } }: WholeEvent): string {
  const fields = action === 'updated' ? Object.keys(changes ?? {}).filter((field) => field !== 'updatedAt') : [];
  return fields.length === 0 ? '' : `(changed: ${fields.join(', ')})`;
}
