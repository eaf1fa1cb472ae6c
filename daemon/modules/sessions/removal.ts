/** Deletes a deleted project's transcripts, with their sound. */
import type { Database } from '../../platform/database/database.js';
import { removal } from '../../platform/database/removal.js';
import type { MessageStore } from './message-store.js';

export interface Recordings {
  remove(name: string): Promise<void>;
}

/** Deletes the files first, so that no file is left for minutes after its row is gone. */
export const transcriptRemoval = (database: Database, messages: MessageStore, recordings: Recordings) => {
  const removeRows = removal(database, messages.removeSome);
  return async (projectId: string): Promise<number> => {
    const names = await messages.recordings(projectId);
    for (const name of names) await recordings.remove(name);
    if (names.length > 0) await messages.clearRecordings(projectId, names);
    return names.length + (await removeRows(projectId));
  };
};
