/**
 * Leaves users with a ranked restriction out of rankings. Their scores are stored and counted as before, so they stand where
 * they belong as soon as the restriction ends, on boards of closed periods too.
 */
import type { DatabaseClient } from '../../platform/database/database.js';
import type { RankedRestrictions } from '../moderation/sanctions/ranked-restriction-store.js';
import { compareKeys } from './ranked-list.js';
import type { ScoreStore, StoredScore } from './score-store.js';

export type RestrictedUsers = Pick<RankedRestrictions, 'restrictedUsers' | 'restrictedUsersIn'>;

/**
 * Returns the index, in the list of all members, of a place in the list without the hidden ones.
 *
 * @param hidden ranks of the hidden members in the list of all, ascending
 */
export const fullIndexOf = (place: number, hidden: readonly number[]): number =>
  hidden.reduce((index, rank) => (rank - 1 <= index ? index + 1 : index), place);

/** Returns the rank among those who are shown. */
export const shownRankOf = (rank: number, hidden: readonly number[]): number =>
  rank - hidden.filter((other) => other < rank).length;

/** Returns the scores of these users in a tally, in their order. */
export async function hiddenKeys(
  scores: Pick<ScoreStore, 'scores'>,
  client: DatabaseClient,
  { tallyId, restricted }: { readonly tallyId: string; readonly restricted: ReadonlySet<string> },
): Promise<StoredScore[]> {
  const keys = [...restricted].map((memberId) => ({ tallyId, memberType: 'user' as const, memberId }));
  return (await scores.scores(client, keys)).sort(compareKeys);
}
