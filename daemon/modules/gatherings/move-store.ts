/** Joins the memberships of two people who become one. */
import type { Transaction } from '../../platform/database/database.js';
import type { MoveObstacle } from '../../platform/module.js';
import type { MovingPerson } from '../../platform/moving-person.js';
import { hasSeat } from './member-store.js';

/** Gatherings in which both are or were. */
async function shared(tx: Transaction, { projectId, from, to }: MovingPerson) {
  const membershipsOf = (externalUserId: string) =>
    tx.gatheringMember.findMany({ where: { projectId, externalUserId } });
  const others = new Map((await membershipsOf(to)).map((row) => [row.gatheringId, row]));
  return (await membershipsOf(from)).flatMap((own) => {
    const other = others.get(own.gatheringId);
    return other === undefined ? [] : [{ own, other }];
  });
}

/** A person with two seats would have to give one up, and the members have to decide which. */
export const seatsOfBoth = async (tx: Transaction, person: MovingPerson): Promise<MoveObstacle[]> =>
  (await shared(tx, person))
    .filter(({ own, other }) => hasSeat(own) && hasSeat(other))
    .map(({ own }) => ({ resourceId: `gathering:${own.gatheringId}`, message: 'both have a seat in this gathering' }));

/** Keeps, of two memberships in one gathering, the one with a seat, or else the one of who was in it, since the first of both came. */
export async function mergeMemberships(tx: Transaction, person: MovingPerson): Promise<void> {
  const { projectId, id, joinedId } = person;
  for (const { own, other } of await shared(tx, person)) {
    const isOwn = hasSeat(own) || (!hasSeat(other) && own.joinedAt !== null);
    const [kept, doubled] = isOwn ? [own, other] : [other, own];
    const times = [own.joinedAt, other.joinedAt].filter((time) => time !== null).map((time) => time.getTime());
    await tx.gatheringMember.delete({ where: { id: doubled.id } });
    if (times.length > 1)
      await tx.gatheringMember.update({ where: { id: kept.id }, data: { joinedAt: new Date(Math.min(...times)) } });
  }
  if (joinedId === null) return;
  await tx.gathering.updateMany({ where: { projectId, ownerId: joinedId }, data: { ownerId: id } });
}
