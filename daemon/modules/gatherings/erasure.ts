/** Removes a person from every gathering, in the transaction of the erasure. */
import type { Transaction } from '../../platform/database/database.js';
import type { ResourceRedaction } from '../../platform/events/redaction.js';
import type { GatheringStores } from './locked-gathering.js';
import type { GatheringTransactions } from './transactions.js';

interface ErasedMember {
  readonly id: string;
  readonly externalUserId: string;
  readonly displayName: string;
}

/** Removes the person as inviter from log entries and deliveries about these gatherings. */
type EraseInviters = (tx: Transaction, projectId: string, gatheringIds: readonly string[]) => Promise<void>;

export const eraseMember =
  (transactions: GatheringTransactions, { gatherings, members }: GatheringStores, eraseInviters: EraseInviters) =>
  async (tx: Transaction, projectId: string, { id, externalUserId, displayName }: ErasedMember): Promise<void> => {
    const inviting = await gatherings.eraseInviter(tx, projectId, { id, externalUserId, displayName });
    await eraseInviters(tx, projectId, inviting);
    for (const member of await members.ofPerson(tx, projectId, externalUserId))
      await transactions.withLockedIn(tx, projectId, member.gatheringId, (locked) => locked.erase(member));
  };

const namesInviter = ({ payload }: { readonly payload: string }): boolean => /"inviter(Name|Email)":"/.test(payload);

export const eraseInvited =
  (events: ResourceRedaction): EraseInviters =>
  (tx, projectId, gatheringIds) =>
    events.resources(
      tx,
      projectId,
      gatheringIds.map((id) => ({ subjectUserId: null, resourceId: `gathering:${id}` })),
      namesInviter,
    );
