/** Pure rules of sanctions: when one is in force, which times are allowed, and what it means in a room. */
import { DomainError } from '../../../../src/contract/errors.js';
import {
  parameterDefaults,
  type SanctionParameters,
  type SanctionType,
} from '../../../../src/contract/moderation/sanctions.js';

export interface Term {
  readonly startAt: Date;
  /** What has begun stays begun, and what was told to have ended stays ended, wherever the clock goes. */
  readonly begunAt: Date | null;
  readonly endAt: Date | null;
  readonly expiredAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Active until it is revoked or its end has come; one whose start lies ahead is active but not in force. */
export const statusOf = ({ endAt, expiredAt, revokedAt }: Term, now: Date): 'active' | 'expired' | 'revoked' => {
  if (revokedAt !== null) return 'revoked';
  return expiredAt !== null || (endAt !== null && endAt <= now) ? 'expired' : 'active';
};

export const isInForce = (term: Term, now: Date): boolean =>
  statusOf(term, now) === 'active' && (term.begunAt !== null || term.startAt <= now);

export interface RequestedTerm {
  readonly startAt: Date;
  readonly durationSeconds: number | null;
  readonly endAt: Date | null;
}

/**
 * Duration or end, not both; temp_ban needs one, perm_ban takes none; the end lies after the start.
 * Throws sanction_time_invalid.
 */
export function termOf(
  type: SanctionType,
  { startAt, durationSeconds, endAt }: RequestedTerm,
): { startAt: Date; endAt: Date | null; duration: number | null } {
  const refuse = (message: string) => new DomainError('sanction_time_invalid', { message });
  if (durationSeconds !== null && endAt !== null) throw refuse('Send duration or endAt, not both.');
  const end = endAt ?? (durationSeconds === null ? null : new Date(startAt.getTime() + durationSeconds * 1000));
  if (type === 'temp_ban' && end === null)
    throw refuse('A temp_ban needs duration or endAt; use perm_ban for one without end.');
  if (type === 'perm_ban' && end !== null)
    throw refuse('A perm_ban takes neither duration nor endAt; use temp_ban for one that ends.');
  if (end !== null && end <= startAt) throw refuse('The end must lie after the start.');
  return {
    startAt,
    endAt: end,
    duration: end === null ? null : Math.round((end.getTime() - startAt.getTime()) / 1000),
  };
}

const parameterOf: Partial<Record<SanctionType, keyof SanctionParameters>> = {
  rate_limit: 'speakingSecondsPerMinute',
  party_restriction: 'maxGatheringSize',
  queue_delay: 'delaySeconds',
};

/** What the sanction will go by; null for kinds without parameters. Throws sanction_parameters_invalid. */
export function parametersOf(type: SanctionType, requested: SanctionParameters = {}): SanctionParameters | null {
  const own = parameterOf[type];
  const foreign = Object.keys(requested).filter((name) => name !== own);
  if (foreign.length > 0)
    throw new DomainError('sanction_parameters_invalid', {
      message: `${foreign.join(', ')}: ${type} has no such parameter. Leave it out.`,
    });
  return own === undefined ? null : { [own]: requested[own] ?? parameterDefaults[own] };
}

/** What a person is told of a sanction against them: why, and until when (null: until it is revoked). */
export interface SanctionNotice {
  readonly reason: string;
  readonly until: Date | null;
}

/** What somebody may do in a room, and what they are told of it. */
export interface RoomPolicy {
  /** Their packets are taken at all. */
  readonly publish: boolean;
  /** Others hear them; the bot hears whoever publishes. */
  readonly audible: boolean;
  /** They are heard for so long a minute; null: without limit. */
  readonly speakingSecondsPerMinute: number | null;
  /** Why they may not publish; never a shadow mute. */
  readonly silenced: SanctionNotice | null;
  readonly banned: SanctionNotice | null;
}

/** What the policy asks of a sanction in force. */
export interface ActiveSanction {
  readonly type: SanctionType;
  readonly endAt: Date | null;
  readonly reason: string | null;
  readonly parameters: SanctionParameters | null;
  /** Holds in the room of this session alone. */
  readonly sessionId: string | null;
}

const silencing: readonly SanctionType[] = ['mute', 'listen_only', 'text_only'];
export const bans: readonly SanctionType[] = ['temp_ban', 'perm_ban'];

/** Of these kinds the one that ends last. */
function longest(inForce: readonly ActiveSanction[], types: readonly SanctionType[]): SanctionNotice | null {
  const [last] = inForce
    .filter(({ type }) => types.includes(type))
    .sort((a, b) => (b.endAt?.getTime() ?? Infinity) - (a.endAt?.getTime() ?? Infinity));
  return last === undefined ? null : { reason: last.reason ?? '', until: last.endAt };
}

/** The sum of what is in force against one person in one place; of two limits the stricter one holds. */
export function policyOf(inForce: readonly ActiveSanction[]): RoomPolicy {
  const silenced = longest(inForce, silencing);
  const limits = inForce
    .filter(({ type }) => type === 'rate_limit')
    .map(({ parameters }) => parameters?.speakingSecondsPerMinute ?? parameterDefaults.speakingSecondsPerMinute);
  return {
    publish: silenced === null,
    audible: !inForce.some(({ type }) => type === 'shadow_mute'),
    speakingSecondsPerMinute: limits.length === 0 ? null : Math.min(...limits),
    silenced,
    banned: longest(inForce, bans),
  };
}

/** One person's policies in all rooms of the project. */
export interface RoomPolicies {
  readonly everywhere: RoomPolicy;
  /** Rooms whose session has sanctions of its own, by room id. */
  readonly inRooms: ReadonlyMap<string, RoomPolicy>;
}

/** What holds in one room. */
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
    if (room !== undefined) rooms.set(room, [...(rooms.get(room) ?? []), sanction]);
  }
  return {
    everywhere: policyOf(everywhere),
    inRooms: new Map([...rooms].map(([room, own]) => [room, policyOf([...everywhere, ...own])])),
  };
}
