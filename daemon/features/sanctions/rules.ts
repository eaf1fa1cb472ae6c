/** Pure rules of sanctions: when one is in force, which times are allowed, and what it means in a room (contract, 4 to 6). */
import { DomainError } from '../../../src/contract/errors.js';
import type { SanctionType } from '../../../src/contract/sanctions.js';

export interface Term {
  readonly startAt: Date;
  readonly endAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Active until it is revoked or its end has come; one whose start lies ahead is active but not in force. */
export const statusOf = ({ endAt, revokedAt }: Term, now: Date): 'active' | 'expired' | 'revoked' => {
  if (revokedAt !== null) return 'revoked';
  return endAt !== null && endAt <= now ? 'expired' : 'active';
};

export const isInForce = (term: Term, now: Date): boolean => statusOf(term, now) === 'active' && term.startAt <= now;

export interface WishedTerm {
  readonly startAt: Date;
  readonly durationSeconds: number | null;
  readonly endAt: Date | null;
}

/**
 * Duration or end, not both; temp_ban needs one, perm_ban takes none; the end lies after the start (contract, 4).
 * Throws sanction_time_invalid.
 */
export function termOf(
  type: SanctionType,
  { startAt, durationSeconds, endAt }: WishedTerm,
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

/** What somebody may do in a room. */
export interface RoomPolicy {
  /** Their packets are taken at all. */
  readonly publish: boolean;
  /** Others hear them; the bot hears whoever publishes. */
  readonly audible: boolean;
  readonly banned: { readonly until: Date | null } | null;
}

const silencing: readonly SanctionType[] = ['mute', 'listen_only', 'text_only'];

const banning: readonly SanctionType[] = ['temp_ban', 'perm_ban'];

/** What a person is told of a sanction: why, and until when (null: until it is revoked). */
export interface Told {
  readonly reason: string;
  readonly until: Date | null;
}

/** What a person is told of those in force that keep them silent, and out: of each the one that ends last. */
export function toldOf(inForce: readonly { type: SanctionType; endAt: Date | null; reason: string | null }[]): {
  silenced: Told | null;
  banned: Told | null;
} {
  const last = (types: readonly SanctionType[]): Told | null => {
    const [longest] = inForce
      .filter(({ type }) => types.includes(type))
      .sort((a, b) => (b.endAt?.getTime() ?? Infinity) - (a.endAt?.getTime() ?? Infinity));
    return longest === undefined ? null : { reason: longest.reason ?? '', until: longest.endAt };
  };
  return { silenced: last(silencing), banned: last(banning) };
}

/** The sum of what is in force against one person. */
export function policyOf(inForce: readonly { type: SanctionType; endAt: Date | null }[]): RoomPolicy {
  const bans = inForce.filter(({ type }) => banning.includes(type));
  const forGood = bans.some(({ endAt }) => endAt === null);
  const lastEnd = bans.reduce<Date | null>(
    (last, { endAt }) => (endAt !== null && (last === null || endAt > last) ? endAt : last),
    null,
  );
  return {
    publish: !inForce.some(({ type }) => silencing.includes(type)),
    audible: !inForce.some(({ type }) => type === 'shadow_mute'),
    banned: bans.length === 0 ? null : { until: forGood ? null : lastEnd },
  };
}
