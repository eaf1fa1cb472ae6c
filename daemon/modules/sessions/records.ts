import type { Platform } from '../../platform/platform.js';
import type { projectRecords } from '../projects/records.js';
import { SessionDirectory } from './directory.js';
import { SpokenEvidence } from './evidence.js';
import type { MessageAnnotations } from './message-annotations.js';
import { MessageStore } from './message-store.js';
import { MessageView } from './message-view.js';
import { SearchStore } from './search/search-store.js';
import { SessionStore } from './store.js';
import { TranscriptReader } from './transcript-reader.js';

interface RecordsBefore {
  readonly projects: ReturnType<typeof projectRecords>;
  readonly plugins: { readonly annotationReader: MessageAnnotations };
}

export function sessionRecords(
  { database, now }: Pick<Platform, 'database' | 'now'>,
  { projects, plugins }: RecordsBefore,
) {
  const [store, messages] = [new SessionStore(database), new MessageStore(database)];
  const view = new MessageView(projects.settings, now);
  return {
    store,
    messages,
    index: new SearchStore(database),
    view,
    directory: new SessionDirectory(store),
    evidence: new SpokenEvidence(messages, plugins.annotationReader, view),
    transcripts: new TranscriptReader(store, messages),
  };
}
