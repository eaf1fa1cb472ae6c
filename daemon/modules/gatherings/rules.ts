/** Pure rules of gatherings: which moves a state allows, what happens by itself and when, whom sanctions keep out. */
import { DomainError } from '../../../src/contract/errors.js';
import type { UpdateMemberRequest } from '../../../src/contract/gatherings/gathering-members.js';
import type { GatheringStatus, GatheringType, StatusFilter } from '../../../src/contract/gatherings/gatherings.js';
import type { SanctionParameters, SanctionType } from '../../../src/contract/moderation/sanctions.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** An empty gathering that nobody starts is kept for this long; so is an appointment without an end (contract, 5). */
const unusedMs = dayMs;
/** After the end of an appointment (contract, 5). */
const overMs = hourMs;

export const isOpen = (status: GatheringStatus): boolean => status === 'CREATED' || status === 'STARTED';

/** `pending` = CREATED, `active` = CREATED or STARTED (contract, 5). */
export const statusesOf = (filter: StatusFilter): GatheringStatus[] => {
  if (filter === 'active') return ['CREATED', 'STARTED'];
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
 * The state that a move leads to; the same one when it was made already. "any | POST start | STARTED", "any | POST end |
 * ENDED" (interface), but nothing leaves a closed state (contract, 5). Throws gathering_closed.
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
 * "CREATED → EXPIRED (without members for 24 h; an appointment 1 h after endsAt, or 24 h after startsAt)" (contract, 5).
 * Choice: an appointment that states neither time is treated like the others.
 */
export function expiresAt({ type, status, startsAt, endsAt, emptySince }: Timing): Date | null {
  if (status !== 'CREATED') return null;
  if (type === 'appointment' && endsAt !== null) return later(endsAt, overMs);
  if (type === 'appointment' && startsAt !== null) return later(startsAt, unusedMs);
  return emptySince === null ? null : later(emptySince, unusedMs);
}

const startsBySelfAt = ({ type, status, startsAt }: Timing): Date | null =>
  type === 'appointment' && status === 'CREATED' ? startsAt : null;

/** Choice: an appointment that nobody ends is over an hour after its stated end, by the same measure as an unused one. */
const endsBySelfAt = ({ type, status, endsAt }: Timing): Date | null =>
  type === 'appointment' && status === 'STARTED' && endsAt !== null ? later(endsAt, overMs) : null;

/** What is to happen by itself at this time. Expiry goes first: an appointment slept through does not start any more. */
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

/** What a change of a member asks for. `joined` takes the ready mark back. Throws member_change_invalid. */
export function seatRequest({ ready, status, role }: UpdateMemberRequest): SeatRequest {
  if (status === 'invited')
    throw new DomainError('member_change_invalid', {
      message: 'Nobody becomes invited by a change; send an invitation.',
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

/** A sanction as far as gatherings ask. */
export interface SanctionInForce {
  readonly type: SanctionType;
  readonly parameters: SanctionParameters | null;
  readonly endAt: string | null;
  readonly sessionId: string | null;
}

const bans: readonly SanctionType[] = ['temp_ban', 'perm_ban'];
const partySizeDefault = 1;
const queueDelaySecondsDefault = 30;

/**
 * Bans keep out of everything; party_restriction out of gatherings with more seats than it allows (contract, 4). Choice:
 * the seats count, not those taken, since a small party grows. Throws participant_banned, party_restricted.
 */
export function refuseSanctioned(inForce: readonly SanctionInForce[], seats: number): void {
  const everywhere = inForce.filter(({ sessionId }) => sessionId === null);
  const ban = everywhere.find(({ type }) => bans.includes(type));
  if (ban !== undefined) {
    const until = ban.endAt === null ? 'for good' : `until ${ban.endAt}`;
    throw new DomainError('participant_banned', { message: `This participant is banned ${until}.` });
  }
  const sizes = everywhere
    .filter(({ type }) => type === 'party_restriction')
    .map(({ parameters }) => parameters?.maxGatheringSize ?? partySizeDefault);
  const sizeMax = Math.min(...sizes);
  if (seats > sizeMax) {
    const message = `This participant may only be in gatherings of up to ${sizeMax}; this one has ${seats} seats.`;
    throw new DomainError('party_restricted', { message });
  }
}

/** How long the ready mark is held back: the longest of the queue_delay in force; 0 without one. */
export const readyDelayMs = (inForce: readonly SanctionInForce[]): number =>
  Math.max(
    0,
    ...inForce
      .filter(({ type, sessionId }) => type === 'queue_delay' && sessionId === null)
      .map(({ parameters }) => 1_000 * (parameters?.delaySeconds ?? queueDelaySecondsDefault)),
  );
