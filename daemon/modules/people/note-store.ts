/** Rows of notes about participants. */
import { notesMax } from '../../../src/contract/people/participant-records.js';
import type { Database, Transaction } from '../../platform/database/database.js';

export interface NoteRow {
  readonly id: string;
  readonly projectId: string;
  readonly participantId: string;
  readonly text: string;
  readonly createdByUserId: string;
  readonly createdAt: Date;
}

export class NoteStore {
  constructor(private readonly database: Database) {}

  /** Oldest first. */
  list = (participantId: string): Promise<NoteRow[]> =>
    this.database.read.participantNote.findMany({ where: { participantId }, orderBy: { id: 'asc' }, take: notesMax });

  count = (tx: Transaction, participantId: string): Promise<number> =>
    tx.participantNote.count({ where: { participantId } });

  insert = (tx: Transaction, row: NoteRow): Promise<NoteRow> => tx.participantNote.create({ data: row });

  /** false: there was none. */
  remove = async (tx: Transaction, projectId: string, participantId: string, id: string): Promise<boolean> =>
    (await tx.participantNote.deleteMany({ where: { projectId, participantId, id } })).count > 0;
}
