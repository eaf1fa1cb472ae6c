/**
 * Pure rules of gatherings: which moves a state allows, what happens without a call and when, and which sanctions keep
 * people out.
 */
import { DomainError } from '../../../src/contract/errors.js';
import type { MemberStatus, UpdateMemberRequest } from '../../../src/contract/gatherings/gathering-members.js';
import type { GatheringType, StatusFilter } from '../../../src/contract/gatherings/gathering-search.js';
import type { GatheringStatus } from '../../../src/contract/gatherings/gatherings.js';
import { banTypes } from '../../../src/contract/moderation/sanction-kinds.js';
import { parameterDefaults } from '../../../src/contract/moderation/sanction-parameters.js';
import { dayMs, hourMs } from '../../platform/time/spans.js';
import type { SanctionInForce } from '../moderation/sanctions/in-force.js';

/** An empty gathering that nobody starts is kept for this long; so is an appointment without an end. */
const unusedMs = dayMs;
/** After the end of an appointment. */
const overMs = hourMs;

/** States of gatherings that still go on. */
export const openStates: GatheringStatus[] = ['CREATED', 'STARTED'];
export const isOpen = (status: GatheringStatus): boolean => openStates.includes(status);
/** States of members with a seat. */
export const seatedStates: MemberStatus[] = ['joined', 'ready'];

/** `pending` = CREATED, `active` = CREATED or STARTED. */
export const statusesOf = (filter: StatusFilter): GatheringStatus[] => {
  if (filter === 'active') return openStates;
  return filter === 'pending' ? ['CREATED'] : [filter.toUpperCase() as Uppercase<typeof filter>];
};

export type Move = 'start' | 'end' | 'cancel' | 'expire';
const target: Readonly<Record<Move, GatheringStatus>> = {
  start: 'STARTED',
  end: 'ENDED',
  cancel: 'CANCELLED',
  expire: 'EXPIRED',
};

/**
 * The state that a move leads to; the same state when the move was made before. `start` leads to STARTED and `end` to
 * ENDED, but nothing leaves a closed state. Throws gathering_closed.
 */
export function afterMove(status: GatheringStatus, move: Move): GatheringStatus {
  if (status === target[move] && (move === 'start' || move === 'end')) return status;
  if (!isOpen(status)) throw new DomainError('gathering_closed');
  return target[move];
}

export interface Timing {
  readonly type: GatheringType;
  readonly status: GatheringStatus;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  /** null while somebody is in. */
  readonly emptySince: Date | null;
}

const later = (time: Date, byMs: number): Date => new Date(time.getTime() + byMs);

/**
 * When a gathering that was not started expires: without members after 24 h, an appointment 1 h after its end or 24 h
 * after its start.
 * Choice: an appointment without either time is treated like any other gathering.
 */
export function expiresAt({ type, status, startsAt, endsAt, emptySince }: Timing): Date | null {
  if (status !== 'CREATED') return null;
  if (type === 'appointment' && endsAt !== null) return later(endsAt, overMs);
  if (type === 'appointment' && startsAt !== null) return later(startsAt, unusedMs);
  return emptySince === null ? null : later(emptySince, unusedMs);
}

const startsBySelfAt = ({ type, status, startsAt }: Timing): Date | null =>
  type === 'appointment' && status === 'CREATED' ? startsAt : null;

/**
 * Choice: an appointment that nobody ends is over one hour after its stated end, the same time as for one that nobody
 * started.
 */
const endsBySelfAt = ({ type, status, endsAt }: Timing): Date | null =>
  type === 'appointment' && status === 'STARTED' && endsAt !== null ? later(endsAt, overMs) : null;

/**
 * Returns the transition that is due without a call at this time. Expiry comes first: an appointment that was missed
 * does not start any more.
 */
export function dueMove(timing: Timing, now: Date): Move | null {
  const isDue = (time: Date | null): boolean => time !== null && time <= now;
  if (isDue(expiresAt(timing))) return 'expire';
  if (isDue(startsBySelfAt(timing))) return 'start';
  return isDue(endsBySelfAt(timing)) ? 'end' : null;
}

/** When to look at the gathering again; null: never. */
export function dueAt(timing: Timing): Date | null {
  const times = [expiresAt(timing), startsBySelfAt(timing), endsBySelfAt(timing)].filter((time) => time !== null);
  return times.length === 0 ? null : new Date(Math.min(...times.map((time) => time.getTime())));
}

/** Throws gathering_time_invalid. */
export function refuseBackwards(startsAt: Date | null, endsAt: Date | null): void {
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt) throw new DomainError('gathering_time_invalid');
}

export interface SeatRequest {
  readonly seat: 'take' | 'leave' | 'keep';
  /** null: leave the mark as it is. */
  readonly ready: boolean | null;
}

/** Interprets a change of a member. `joined` clears the ready mark. Throws member_change_invalid. */
export function seatRequest({ ready, status, role }: UpdateMemberRequest): SeatRequest {
  if (status === 'invited')
    throw new DomainError('member_change_invalid', {
      message: 'The status cannot be changed to invited; send an invitation.',
    });
  const contradicts =
    (status === 'left' && (ready === true || role === 'owner')) ||
    (status === 'ready' && ready === false) ||
    (status === 'joined' && ready === true);
  if (contradicts) throw new DomainError('member_change_invalid');
  if (status === 'left') return { seat: 'leave', ready: null };
  if (status === undefined) return { seat: 'keep', ready: ready ?? null };
  return { seat: 'take', ready: status === 'ready' };
}

const banAmong = (inForce: readonly SanctionInForce[]): SanctionInForce | undefined =>
  inForce.find(({ type, sessionId }) => sessionId === null && banTypes.includes(type));

export const isBanned = (inForce: readonly SanctionInForce[]): boolean => banAmong(inForce) !== undefined;

/** Who was banned since they took their seat neither owns a gathering nor is ready. Throws participant_banned. */
export function refuseBanned(inForce: readonly SanctionInForce[]): void {
  const ban = banAmong(inForce);
  if (ban === undefined) return;
  const until = ban.endAt === null ? 'for good' : `until ${ban.endAt}`;
  throw new DomainError('participant_banned', { message: `This participant is banned ${until}.` });
}

/**
 * Bans keep people out of every gathering; party_restriction keeps them out of gatherings with more seats than it
 * allows.
 * Choice: all seats count, not only those taken, because a small party can grow. Throws participant_banned,
 * party_restricted.
 */
export function refuseSanctioned(inForce: readonly SanctionInForce[], seats: number): void {
  refuseBanned(inForce);
  const sizes = inForce
    .filter(({ type, sessionId }) => sessionId === null && type === 'party_restriction')
    .map(({ parameters }) => parameters?.maxGatheringSize ?? parameterDefaults.maxGatheringSize);
  const sizeMax = Math.min(...sizes);
  if (seats > sizeMax) {
    const message = `This participant may only be in gatherings of up to ${sizeMax}; this one has ${seats} seats.`;
    throw new DomainError('party_restricted', { message });
  }
}

/** How long the ready mark is delayed: by the longest queue_delay in force; 0 without one. */
export const readyDelayMs = (inForce: readonly SanctionInForce[]): number =>
  Math.max(
    0,
    ...inForce
      .filter(({ type, sessionId }) => type === 'queue_delay' && sessionId === null)
      .map(({ parameters }) => 1_000 * (parameters?.delaySeconds ?? parameterDefaults.delaySeconds)),
  );
