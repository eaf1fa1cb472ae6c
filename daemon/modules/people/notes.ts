/** Moderators' notes about a person; erased with the person. */

import { DomainError } from '../../../src/contract/errors.js';
import { type HistoryEntry, notesMax, type ParticipantNote } from '../../../src/contract/people/participant-records.js';
import type { Database } from '../../platform/database/database.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import type { Clock } from '../../platform/time/clock.js';
import type { NoteRow, NoteStore } from './note-store.js';
import type { ParticipantStore } from './store.js';

const toNote = ({ id, participantId, text, createdByUserId, createdAt }: NoteRow): ParticipantNote => ({
  id,
  participantId,
  text,
  createdByUserId,
  createdAt: createdAt.toISOString(),
});

export class ParticipantNotes {
  constructor(
    private readonly database: Database,
    private readonly notes: NoteStore,
    private readonly participants: ParticipantStore,
    private readonly now: Clock,
  ) {}

  /** Oldest first. Throws participant_not_found. */
  async list(projectId: string, participantId: string): Promise<ParticipantNote[]> {
    if ((await this.participants.find(projectId, participantId)) === null)
      throw new DomainError('participant_not_found');
    return (await this.notes.list(participantId)).map(toNote);
  }

  /** Throws participant_not_found, participant_note_limit. */
  async add(projectId: string, participantId: string, createdByUserId: string, text: string): Promise<ParticipantNote> {
    return this.database.transaction(async (tx) => {
      if ((await this.participants.find(projectId, participantId, tx)) === null)
        throw new DomainError('participant_not_found');
      if ((await this.notes.count(tx, participantId)) >= notesMax) throw new DomainError('participant_note_limit');
      const row = { id: uuidv7(), projectId, participantId, text, createdByUserId, createdAt: this.now() };
      return toNote(await this.notes.insert(tx, row));
    });
  }

  /** Throws participant_note_not_found. */
  async remove(projectId: string, participantId: string, id: string): Promise<void> {
    const removed = await this.database.transaction((tx) => this.notes.remove(tx, projectId, participantId, id));
    if (!removed) throw new DomainError('participant_note_not_found');
  }

  async history(projectId: string, participantId: string): Promise<HistoryEntry[]> {
    return (await this.list(projectId, participantId)).map(({ createdAt, text }) => ({
      at: createdAt,
      kind: 'note',
      what: text,
      resourceId: `participant:${participantId}`,
      partOf: null,
    }));
  }
}
