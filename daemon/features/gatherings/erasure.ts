/** Takes a person out of every gathering, in the transaction that erases them elsewhere. */
import type { Transaction } from '../../database/database.js';
import type { GatheringDesk } from './desk.js';

export const forgetMember =
  (desk: GatheringDesk) =>
  async (
    tx: Transaction,
    projectId: string,
    { externalUserId }: { readonly externalUserId: string },
  ): Promise<void> => {
    const { members, invitations } = desk.stores;
    await invitations.forget(tx, projectId, externalUserId);
    for (const member of await members.ofPerson(tx, projectId, externalUserId))
      await desk.holdingIn(tx, projectId, member.gatheringId, (held) => held.forget(member));
    await members.forget(tx, projectId, externalUserId);
  };
