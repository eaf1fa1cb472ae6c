/** Deletes what a person said, with its sound, in the transaction of the erasure. */
import type { Transaction } from '../../platform/database/database.js';
import type { MessageStore } from './message-store.js';
import type { Recordings } from './removal.js';

export const eraseWords =
  (messages: MessageStore, recordings: Recordings) =>
  async (
    tx: Transaction,
    projectId: string,
    { externalUserId }: { readonly externalUserId: string },
  ): Promise<void> => {
    // Before the commit: sound that is deleted too early is no breach, sound that stays would be.
    for (const name of await messages.erase(tx, projectId, externalUserId)) await recordings.remove(name);
  };
