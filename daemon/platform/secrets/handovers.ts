/**
 * How daemons of one database learn of a new master key: it is stored encrypted under the one that it follows, which they
 * all have. Pure.
 */
import { decrypt, encrypt } from './aes.js';
import { type MasterKey, type MasterKeys, toMasterKey } from './key-ring.js';

export interface Handover {
  /** Id of the new master key. */
  readonly id: string;
  readonly wrappedBy: string;
  readonly wrapped: string;
  readonly createdAt: Date;
}

const contextOf = (id: string): string => `master-key:${id}`;

export const handOver = (before: MasterKey, next: MasterKey): Omit<Handover, 'createdAt'> => ({
  id: next.id,
  wrappedBy: before.id,
  wrapped: encrypt(before.key, next.key, contextOf(next.id)),
});

/** The key with that id, found over any number of handovers from a key that is here; null: there is no way to it. */
export function findHandedOver(masters: MasterKeys, handovers: readonly Handover[], id: string): MasterKey | null {
  const known = masters.find(id);
  if (known !== null) return known;
  const handover = handovers.find((one) => one.id === id);
  if (handover === undefined) return null;
  const others = handovers.filter((one) => one !== handover);
  const before = findHandedOver(masters, others, handover.wrappedBy);
  if (before === null) return null;
  return toMasterKey(
    decrypt(before.key, handover.wrapped, contextOf(id)).toString('hex'),
    handover.createdAt.toISOString(),
  );
}

/** True if `later` has followed `earlier`, directly or over others. */
export function follows(handovers: readonly Handover[], earlier: string, later: string): boolean {
  const next = handovers.find(({ wrappedBy }) => wrappedBy === earlier);
  if (next === undefined) return false;
  return (
    next.id === later ||
    follows(
      handovers.filter((one) => one !== next),
      next.id,
      later,
    )
  );
}
