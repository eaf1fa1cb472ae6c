/** A person's sanctions under another external user id. */
import type { Transaction } from '../../../platform/database/database.js';
import type { KnownPerson, MovingPerson } from '../../../platform/module.js';
import { inForce } from './filters.js';

export const countSanctions = async (tx: Transaction, { projectId, externalUserId }: KnownPerson, now: Date) => ({
  sanctions: await tx.sanction.count({ where: { projectId, externalUserId } }),
  activeSanctions: await tx.sanction.count({ where: { projectId, externalUserId, ...inForce(now) } }),
});

export async function moveSanctions(
  tx: Transaction,
  { projectId, id, joinedId, from, to }: MovingPerson,
): Promise<void> {
  const theirs = [{ externalUserId: from }, { participantId: id }];
  const joined = joinedId === null ? [] : [{ externalUserId: to }, { participantId: joinedId }];
  const data = { externalUserId: to, participantId: id };
  await tx.sanction.updateMany({ where: { projectId, OR: [...theirs, ...joined] }, data });
}
