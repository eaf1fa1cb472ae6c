/** Joins the memberships and invitations of two people who become one. */
import type { Transaction } from '../../platform/database/database.js';
import type { MoveObstacle, PersonMoveSteps } from '../../platform/module.js';
import type { MovingPerson } from '../../platform/moving-person.js';
import type { GatheringStores } from './locked-gathering.js';
import { hasSeat } from './member-store.js';
import type { GatheringTransactions } from './transactions.js';

/** Gatherings in which both are or were. */
async function shared(tx: Transaction, { projectId, from, to }: MovingPerson) {
  const membershipsOf = (externalUserId: string) =>
    tx.gatheringMember.findMany({ where: { projectId, externalUserId }, orderBy: { gatheringId: 'asc' } });
  const others = new Map((await membershipsOf(to)).map((row) => [row.gatheringId, row]));
  return (await membershipsOf(from)).flatMap((own) => {
    const other = others.get(own.gatheringId);
    return other === undefined ? [] : [{ own, other }];
  });
}

export class GatheringMove implements PersonMoveSteps {
  constructor(
    private readonly transactions: GatheringTransactions,
    private readonly stores: Pick<GatheringStores, 'gatherings'>,
  ) {}

  /** A person with two seats would have to give one up, and the members have to decide which. */
  async obstacles(tx: Transaction, person: MovingPerson): Promise<MoveObstacle[]> {
    // Whoever changes the members of a gathering has locked it: nobody is kicked, and none closes, until the move is done.
    await this.stores.gatherings.lockOfPeople(tx, person.projectId, [person.from, person.to]);
    return (await shared(tx, person))
      .filter(({ own, other }) => hasSeat(own) && hasSeat(other))
      .map(({ own }) => ({
        resourceId: `gathering:${own.gatheringId}`,
        message: 'both have a seat in this gathering',
      }));
  }

  async merge(tx: Transaction, person: MovingPerson): Promise<void> {
    const { projectId, id, joinedId } = person;
    for (const { own, other } of await shared(tx, person))
      await this.transactions.withLockedIn(tx, projectId, own.gatheringId, (locked) => locked.join(own, other, person));
    if (joinedId === null) return;
    await tx.gathering.updateMany({ where: { projectId, ownerId: joinedId }, data: { ownerId: id } });
  }
}
