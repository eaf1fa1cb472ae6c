/** Pure rules of how one undecided case goes into another, field by field: a field without a rule does not compile. */
import { atLeast, type ProjectRole } from '../../../../src/contract/route.js';
import { type CaseRow, isClaimed } from './case-store.js';

/** Fields that are counted from what is in a case. */
type CountedField =
  | 'category'
  | 'categoryWeight'
  | 'reports'
  | 'reporters'
  | 'reviews'
  | 'orders'
  | 'trusted'
  | 'weight'
  | 'brigaded'
  | 'rank'
  | 'dueAt'
  | 'createdAt'
  | 'updatedAt';

export type CountedFields = Pick<CaseRow, CountedField>;

/** The stricter of the least roles that may decide a case; null: every moderator. */
export const stricter = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && atLeast(other as ProjectRole, one as ProjectRole)) ? other : one;

const earlier = (one: Date | null, other: Date | null): Date | null =>
  one === null || (other !== null && other < one) ? other : one;

/** Both notes, each once. */
const bothNotes = (one: string | null, other: string | null): string | null =>
  one === null || other === null || one === other ? (one ?? other) : `${one}\n${other}`;

/** A decision that waits goes before a claim, and a claim before none. */
const progressOf = (row: CaseRow, now: Date): number =>
  row.status === 'unconfirmed' ? 2 : isClaimed(row, now) ? 1 : 0;

/** The fields of a case that takes in another one, without what is counted. */
export function joined(into: CaseRow, from: CaseRow, now: Date): Omit<CaseRow, CountedField> {
  const { id, tenantId, projectId, openKey, externalUserId, roomId, blockers } = into;
  const { heldAt, heldByUserId, holdReason } = into; // the hold of the other follows it by itself
  const { decision, reasonCode, mergedIntoId, decidedByUserId, decidedAt } = into;
  const leading = progressOf(from, now) > progressOf(into, now) ? from : into;
  const { status, claimedByUserId, claimedAt, claimExpiresAt, proposal, proposedByUserId, sanctionId } = leading;
  return {
    ...{ id, tenantId, projectId, openKey, externalUserId, roomId, blockers },
    ...{ heldAt, heldByUserId, holdReason },
    ...{ decision, reasonCode, mergedIntoId, decidedByUserId, decidedAt },
    ...{ status, claimedByUserId, claimedAt, claimExpiresAt, proposal, proposedByUserId, sanctionId },
    escalatedTo: stricter(into.escalatedTo, from.escalatedTo),
    note: bothNotes(into.note, from.note),
    missedAt: earlier(into.missedAt, from.missedAt),
  };
}
