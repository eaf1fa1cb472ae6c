import type { Platform } from '../../platform/platform.js';
import { ParticipantDirectory } from './directory.js';
import { FormerIdStore } from './former-id-store.js';
import { NoteStore } from './note-store.js';
import { ParticipantNotes } from './notes.js';
import { NoticeStore } from './notice-store.js';
import { ParticipantStore } from './store.js';

export function peopleRecords({ database, log, now }: Pick<Platform, 'database' | 'log' | 'now'>) {
  const [store, formerIds, noteStore] = [
    new ParticipantStore(database),
    new FormerIdStore(database),
    new NoteStore(database),
  ];
  return {
    store,
    formerIds,
    noteStore,
    notices: new NoticeStore(database),
    directory: new ParticipantDirectory(store, formerIds, log, now),
    notes: new ParticipantNotes(database, noteStore, store, now),
  };
}
