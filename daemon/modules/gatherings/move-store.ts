/** Moves a person's places in gatherings to another external user id. */
import type { Reader, Transaction } from '../../platform/database/database.js';
import type { KnownPerson, MoveObstacle } from '../../platform/module.js';
import type { MovingPerson } from '../../platform/moving-person.js';
import { hasSeat } from './member-store.js';

export const countGatherings = async (reader: Reader | Transaction, { projectId, externalUserId }: KnownPerson) => ({
  gatherings: await reader.gatheringMember.count({ where: { projectId, externalUserId } }),
  invitations: await reader.gatheringInvitation.count({ where: { projectId, externalUserId } }),
});

/** Gatherings in which both are or were. */
async function shared(tx: Transaction, { projectId, from, to }: MovingPerson) {
  const of = (externalUserId: string) => tx.gatheringMember.findMany({ where: { projectId, externalUserId } });
  const others = new Map((await of(to)).map((row) => [row.gatheringId, row]));
  return (await of(from)).flatMap((own) => {
    const other = others.get(own.gatheringId);
    return other === undefined ? [] : [{ own, other }];
  });
}

/** A person with two seats would have to give one up, and the members have to decide which. */
export const seatsOfBoth = async (tx: Transaction, person: MovingPerson): Promise<MoveObstacle[]> =>
  (await shared(tx, person))
    .filter(({ own, other }) => hasSeat(own) && hasSeat(other))
    .map(({ own }) => ({ resourceId: `gathering:${own.gatheringId}`, message: 'both have a seat in this gathering' }));

export async function moveMemberships(tx: Transaction, person: MovingPerson): Promise<void> {
  const { projectId, id, joinedId, from, to } = person;
  const doubled = (await shared(tx, person)).map(({ own, other }) => (hasSeat(own) ? other.id : own.id));
  await tx.gatheringMember.deleteMany({ where: { id: { in: doubled } } });
  const where = { projectId, externalUserId: joinedId === null ? from : { in: [from, to] } };
  const data = { externalUserId: to, participantId: id };
  await tx.gatheringMember.updateMany({ where, data });
  await tx.gatheringInvitation.updateMany({ where, data });
  if (joinedId === null) return;
  await tx.gathering.updateMany({ where: { projectId, ownerId: joinedId }, data: { ownerId: id } });
}
