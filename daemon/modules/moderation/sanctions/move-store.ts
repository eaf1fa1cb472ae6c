/** A person's sanctions under another external user id. */
import type { Transaction } from '../../../platform/database/database.js';
import type { KnownPerson, MovingPerson } from '../../../platform/module.js';
import { movedRows } from '../moving-person.js';
import { inForce } from './filters.js';

export const countSanctions = async (tx: Transaction, { projectId, externalUserId }: KnownPerson, now: Date) => ({
  sanctions: await tx.sanction.count({ where: { projectId, externalUserId } }),
  activeSanctions: await tx.sanction.count({ where: { projectId, externalUserId, ...inForce(now) } }),
});

export async function moveSanctions(tx: Transaction, person: MovingPerson): Promise<void> {
  await tx.sanction.updateMany(movedRows(person));
}
