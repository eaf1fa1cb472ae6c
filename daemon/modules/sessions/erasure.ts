/** Deletes what a person said, with its sound. */
import type { Database, Transaction } from '../../platform/database/database.js';
import type { PersonErasure } from '../../platform/module.js';
import type { MessageStore } from './message-store.js';
import type { RecentErasures } from './recent-erasures.js';
import type { Recordings } from './removal.js';

export function eraseWords(
  database: Database,
  messages: MessageStore,
  recordings: Recordings,
  erasures: RecentErasures,
): Pick<PersonErasure, 'inBatches' | 'afterLog' | 'afterCommit'> {
  const eraseSome = async (tx: Transaction, projectId: string, externalUserId: string): Promise<number> => {
    const some = await messages.eraseSome(tx, projectId, externalUserId);
    // Before the commit: sound that is deleted too early is no breach, sound that stays would be.
    for (const name of some.recordings) await recordings.remove(name);
    return some.count;
  };
  return {
    async inBatches(projectId, { externalUserId }) {
      while ((await database.transaction((tx) => eraseSome(tx, projectId, externalUserId))) > 0);
    },
    async afterLog(tx, projectId, { externalUserId }) {
      erasures.add(projectId, externalUserId);
      while ((await eraseSome(tx, projectId, externalUserId)) > 0);
    },
    // Messages that are recognised before the commit are erased as well.
    afterCommit: async (projectId, externalUserId) => erasures.add(projectId, externalUserId),
  };
}
