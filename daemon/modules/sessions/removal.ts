/** Deletes the recordings of a deleted project. */
import type { MessageStore } from './message-store.js';

export interface Recordings {
  remove(name: string): Promise<void>;
}

/** Deletes some files, and then the references to them: no file outlives the row that names it. */
export const recordingRemoval =
  (messages: Pick<MessageStore, 'recordings' | 'clearRecordings'>, recordings: Recordings) =>
  async (projectId: string): Promise<number> => {
    const names = await messages.recordings(projectId);
    for (const name of names) await recordings.remove(name);
    if (names.length > 0) await messages.clearRecordings(projectId, names);
    return names.length;
  };
