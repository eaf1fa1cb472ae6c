/** A person's sanctions under another external user id. */
import type { Reader, Transaction } from '../../../platform/database/database.js';
import type { KnownPerson } from '../../../platform/module.js';
import type { MovingPerson } from '../../../platform/moving-person.js';
import { movedRows } from '../moving-person.js';
import { inForce } from './filters.js';

export const countSanctions = async (
  reader: Reader | Transaction,
  { projectId, externalUserId }: KnownPerson,
  now: Date,
) => ({
  sanctions: await reader.sanction.count({ where: { projectId, externalUserId } }),
  activeSanctions: await reader.sanction.count({ where: { projectId, externalUserId, ...inForce(now) } }),
});

export async function moveSanctions(tx: Transaction, person: MovingPerson): Promise<void> {
  await tx.sanction.updateMany(movedRows(person));
}
