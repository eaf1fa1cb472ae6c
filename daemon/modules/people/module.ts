/** Part of the composition root: who knows what of a person's history. */

import type { EventLog } from '../../platform/events/log.js';
import type { Moderation } from '../moderation/module.js';
import { sanctionHistory } from '../moderation/sanctions/history.js';
import type { TranscriptService } from '../sessions/transcripts.js';
import { type HistorySource, ParticipantHistory } from './history.js';
import { loggedHistory } from './logged-history.js';
import type { ParticipantNotes } from './notes.js';
import type { ParticipantStore } from './store.js';

interface Tellers {
  readonly log: EventLog;
  readonly participants: ParticipantStore;
  readonly transcripts: TranscriptService;
  readonly notes: ParticipantNotes;
  readonly moderation: Pick<Moderation, 'sanctions' | 'reviews'>;
}

export function composeHistory({ log, participants, transcripts, notes, moderation }: Tellers): ParticipantHistory {
  const sources: HistorySource[] = [
    {
      scope: 'messages:read',
      read: ({ projectId, externalUserId }, limit) => transcripts.history(projectId, externalUserId, limit),
    },
    {
      scope: 'sanctions:read',
      read: async ({ projectId, externalUserId }) =>
        sanctionHistory(await moderation.sanctions.ofUser(projectId, externalUserId)),
    },
    {
      scope: 'plugins:read',
      read: ({ projectId, externalUserId }, limit) => moderation.reviews.history(projectId, externalUserId, limit),
    },
    { scope: 'participants:read', read: ({ projectId, id }) => notes.history(projectId, id) },
    ...loggedHistory(log),
  ];
  return new ParticipantHistory(participants, sources);
}
