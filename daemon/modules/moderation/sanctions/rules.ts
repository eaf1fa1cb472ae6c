/** Pure rules of sanctions: when one is in force, which times are allowed, and what it means in a room. */
import { isStorableTime } from '../../../../src/contract/common.js';
import { DomainError } from '../../../../src/contract/errors.js';
import { type HinderedAct, kindOf } from '../../../../src/contract/moderation/sanction-kinds.js';
import { parameterDefaults, type SanctionParameters } from '../../../../src/contract/moderation/sanction-parameters.js';
import type { SanctionType } from '../../../../src/contract/moderation/sanction-record.js';
import { addTo } from '../../../platform/collections/add-to.js';

/** Revoke reason of a sanction that a review overturned. */
export const revokedByReview = 'The review overturned it.';

/** Revoke reason of a sanction that this one replaced. An undo finds it by that. */
export const replacementBy = (id: string): string => `replaced by ${id}`;

const replacement = new RegExp(`^${replacementBy('([0-9a-f-]{36})')}$`);

/** The sanction that replaced this one; null: none did. It is newer, so that nobody can write a circle of reasons. */
export function replacementOf({ id, revokeReason }: { readonly id: string; readonly revokeReason: string | null }) {
  const by = replacement.exec(revokeReason ?? '')?.[1];
  return by !== undefined && by > id ? by : null;
}

interface SanctionPeriod {
  readonly startAt: Date;
  /**
   * Time at which the sanction was announced as begun. A begun sanction stays begun and an ended one ended, even if the
   * clock is set back.
   */
  readonly begunAt: Date | null;
  readonly endAt: Date | null;
  readonly expiredAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Active until revoked or ended; one whose start is in the future is active but not in force. */
export const statusOf = (
  { endAt, expiredAt, revokedAt }: SanctionPeriod,
  now: Date,
): 'active' | 'expired' | 'revoked' => {
  if (revokedAt !== null) return 'revoked';
  return expiredAt !== null || (endAt !== null && endAt <= now) ? 'expired' : 'active';
};

export const isInForce = (term: SanctionPeriod, now: Date): boolean =>
  statusOf(term, now) === 'active' && (term.begunAt !== null || term.startAt <= now);

/** An end that has passed when it is set is announced with it, and by the clock no more. */
export const endedBy = ({ endAt }: Pick<SanctionPeriod, 'endAt'>, now: Date): { expiredAt: Date | null } => ({
  expiredAt: endAt !== null && endAt <= now ? now : null,
});

interface RequestedTerm {
  readonly startAt: Date;
  readonly durationSeconds: number | null;
  readonly endAt: Date | null;
}

/**
 * Duration or end, not both; temp_ban needs one, perm_ban takes none; the end lies after the start, and in a year that databases hold.
 * Throws sanction_time_invalid.
 */
export function termOf(
  type: SanctionType,
  { startAt, durationSeconds, endAt }: RequestedTerm,
): { startAt: Date; endAt: Date | null; duration: number | null } {
  const refuse = (message: string) => new DomainError('sanction_time_invalid', { message });
  if (durationSeconds !== null && endAt !== null) throw refuse('Send duration or endAt, not both.');
  const end = endAt ?? (durationSeconds === null ? null : new Date(startAt.getTime() + durationSeconds * 1000));
  if (end !== null && !isStorableTime(end)) throw refuse('The end must lie before the year 10000.');
  const { end: ending } = kindOf(type);
  if (ending === 'required' && end === null)
    throw refuse('A temp_ban needs duration or endAt; use perm_ban for a ban without an end.');
  if (ending === 'refused' && end !== null)
    throw refuse('A perm_ban takes neither duration nor endAt; use temp_ban for a ban that ends.');
  if (end !== null && end <= startAt) throw refuse('The end must lie after the start.');
  return {
    startAt,
    endAt: end,
    duration: end === null ? null : Math.round((end.getTime() - startAt.getTime()) / 1000),
  };
}

/** The parameters of the sanction; null for kinds without parameters. Throws sanction_parameters_invalid. */
export function parametersOf(type: SanctionType, requested: SanctionParameters = {}): SanctionParameters | null {
  const own = kindOf(type).parameter;
  const foreign = Object.keys(requested).filter((name) => name !== own);
  if (foreign.length > 0)
    throw new DomainError('sanction_parameters_invalid', {
      message: `${foreign.join(', ')}: ${type} has no such parameter. Omit it.`,
    });
  if (own === null) return null;
  const value = requested[own] ?? parameterDefaults[own];
  return value === false ? null : { [own]: value };
}

/** Notice to a person about a sanction against them: why, and until when (null: until it is revoked). */
export interface SanctionNotice {
  /** The page of the person about it; null: there is none, as of a restriction of the room. */
  readonly standingUrl: string | null;
  readonly reason: string;
  readonly until: Date | null;
}

/** Rights of a person in a room, and the notices about them. */
export interface RoomPolicy {
  /** True if their packets are accepted at all. */
  readonly publish: boolean;
  /** True if others hear them; the bot hears everybody who publishes. */
  readonly audible: boolean;
  /** Seconds of speech per minute that others hear; null: without limit. */
  readonly speakingSecondsPerMinute: number | null;
  /** Why they may not publish; never mentions a shadow mute. */
  readonly silenced: SanctionNotice | null;
  /** Why they may not write; who is to use text alone may. */
  readonly textSilenced: SanctionNotice | null;
  /** Why their speech is limited. */
  readonly limited: SanctionNotice | null;
  readonly banned: SanctionNotice | null;
}

/** The part of a sanction in force that policies need. */
export interface ActiveSanction {
  /** The page of the person about it; null: it is not known here, or its person was erased. */
  readonly standingUrl: string | null;
  readonly type: SanctionType;
  readonly endAt: Date | null;
  readonly reason: string | null;
  readonly parameters: SanctionParameters | null;
  /** Holds only in the room of this session. */
  readonly sessionId: string | null;
}

/** Returns the sanctions under which they may not do this. */
const against = (inForce: readonly ActiveSanction[], act: HinderedAct): ActiveSanction[] =>
  inForce.filter(({ type }) => kindOf(type).inRooms.includes(act));

/** Tells of the one that ends last. */
function longest(inForce: readonly ActiveSanction[]): SanctionNotice | null {
  const [last] = inForce.toSorted((a, b) => (b.endAt?.getTime() ?? Infinity) - (a.endAt?.getTime() ?? Infinity));
  return last === undefined ? null : { standingUrl: last.standingUrl, reason: last.reason ?? '', until: last.endAt };
}

const secondsOf = ({ parameters }: ActiveSanction): number =>
  parameters?.speakingSecondsPerMinute ?? parameterDefaults.speakingSecondsPerMinute;

/** Everything in force against one person in one place; of two limits the stricter one holds. */
export function policyOf(inForce: readonly ActiveSanction[]): RoomPolicy {
  const silenced = longest(against(inForce, 'speak'));
  const limits = against(inForce, 'speak_at_length');
  const strictest = limits.length === 0 ? null : Math.min(...limits.map(secondsOf));
  return {
    publish: silenced === null,
    audible: against(inForce, 'be_heard').length === 0,
    speakingSecondsPerMinute: strictest,
    silenced,
    textSilenced: longest(against(inForce, 'write')),
    limited: longest(limits.filter((one) => secondsOf(one) === strictest)),
    banned: longest(against(inForce, 'enter')),
  };
}

/** One person's policies in all rooms of the project. */
export interface RoomPolicies {
  readonly everywhere: RoomPolicy;
  /** Rooms whose session has sanctions of its own, by room id. */
  readonly inRooms: ReadonlyMap<string, RoomPolicy>;
}

/** The policy in one room. */
export const policyIn = ({ everywhere, inRooms }: RoomPolicies, roomId: string): RoomPolicy =>
  inRooms.get(roomId) ?? everywhere;

/** A sanction of a session holds in that session's room, while the session has one. */
export function roomPoliciesOf(
  inForce: readonly ActiveSanction[],
  roomOfSession: ReadonlyMap<string, string>,
): RoomPolicies {
  const everywhere = inForce.filter(({ sessionId }) => sessionId === null);
  const rooms = new Map<string, ActiveSanction[]>();
  for (const sanction of inForce) {
    const room = sanction.sessionId === null ? undefined : roomOfSession.get(sanction.sessionId);
    if (room !== undefined) addTo(rooms, room, sanction);
  }
  return {
    everywhere: policyOf(everywhere),
    inRooms: new Map([...rooms].map(([room, own]) => [room, policyOf([...everywhere, ...own])])),
  };
}
