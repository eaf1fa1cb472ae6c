/** Tells whether the project holds anything about a person, participant or not: what a move would count. */
import type { Reader, Transaction } from '../../platform/database/database.js';
import type { KnownPerson, PersonMoveSteps } from '../../platform/module.js';

export type HoldingCounts = Pick<PersonMoveSteps, 'count'>;

export async function isHeld(
  counting: readonly HoldingCounts[],
  reader: Reader | Transaction,
  person: KnownPerson,
): Promise<boolean> {
  for (const holder of counting)
    if (Object.values((await holder.count?.(reader, person)) ?? {}).some((count) => count > 0)) return true;
  return false;
}
